/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/instance.c - creates, opens and closes the stages of a
 * process
 */

#include "libpaths/program/instance_private.h"

#include "libpaths/base/lines.h"
#include "libpaths/log.h"

#include <stdlib.h>

static bool
instance_is_proxy(const struct paths_map *map, uint32_t instance)
{
	uint32_t item = map->instances[instance].item;

	return item != PATHS_NONE && map->items[item].target != PATHS_NONE;
}

/* Marks the stages that operations without a thread pass: first those that
   other processes reach, then tail after tail until nothing changes. */
static void
instance_mark_served(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < map->item_count; i++) {
			struct paths__instance *in =
			    &program->instances[map->items[i].instance];

			if (!in->served &&
			    paths__program_item_served(program, i))
				in->served = changed = true;
		}
	}
}

static paths_status
instance_create(struct paths_program *program, uint32_t instance)
{
	const struct paths_map_instance *in =
	    &program->map->instances[instance];

	if (in->process != program->process)
		return PATHS_OK;
	program->instances[instance].state =
	    paths__lines_zero(1, in->ops->size ? in->ops->size : 1);
	if (!program->instances[instance].state)
		return paths_log_fail(PATHS_ENOMEM, "no memory for stage %s",
		    in->name);
	return PATHS_OK;
}

paths_status
paths__instance_create_all(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	paths_status st = PATHS_OK;

	instance_mark_served(program);
	for (uint32_t i = 0; i < map->instance_count && st == PATHS_OK; i++)
		st = instance_create(program, i);
	return st;
}

static paths_status
instance_open(struct paths_program *program, uint32_t instance)
{
	const struct paths_map *map = program->map;
	const struct paths_map_instance *in = &map->instances[instance];
	struct paths_stage_env env = {
		.program = program,
		.instance = instance,
		.inputs = in->inputs,
		.served = program->instances[instance].served,
	};
	paths_status st;

	if (!in->ops->open || in->item == PATHS_NONE)
		return PATHS_OK;
	env.item = &map->items[in->item];
	env.above = env.item->above;
	env.below = env.item->below;
	st = in->ops->open(program->instances[instance].state, &env);
	if (st != PATHS_OK)
		return paths_log_fail(st, "stage %s: %s", in->name,
		    paths_log_last());
	return PATHS_OK;
}

paths_status
paths__instance_open_all(struct paths_program *program, bool proxies)
{
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; i < program->map->instance_count; i++) {
		if (!program->instances[i].state ||
		    instance_is_proxy(program->map, i) != proxies)
			continue;
		st = instance_open(program, i);
		if (st != PATHS_OK)
			break;
	}
	return st;
}

void
paths__instance_close_all(struct paths_program *program)
{
	if (!program->instances)
		return;
	for (uint32_t i = program->map->instance_count; i-- > 0;) {
		void *state = program->instances[i].state;

		if (state && program->map->instances[i].ops->close)
			program->map->instances[i].ops->close(state);
		free(state);
	}
}
