/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/program.c - looks up the items of an open program
 */

#include "libpaths/program.h"

#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"

#include <stdio.h>

int
paths__program_item_text(const struct paths_program *program, uint32_t item,
    char *text, size_t bytes)
{
	const struct paths_map *map = program->map;
	const struct paths_map_process *p = &map->processes[program->process];
	int n = snprintf(text, bytes,
	    "host %s process %s stage %s: ", map->hosts[p->host].name, p->name,
	    map->instances[map->items[item].instance].name);

	return n < (int)bytes ? n : (int)bytes - 1;
}

void *
paths__program_item_port(const struct paths_program *program, uint32_t item)
{
	const struct paths_map_item *it = &program->map->items[item];
	void *state = program->instances[it->instance].state;

	return it->ops->port ? it->ops->port(state, it->input) : state;
}

bool
paths__program_item_served(const struct paths_program *program, uint32_t item)
{
	const struct paths_map *map = program->map;
	const struct paths_map_item *it = &map->items[item];
	const struct paths_map_chain *chain = &map->chains[it->chain];

	/* The operation comes from another process, passes the stage before
	   without a thread, or is sent by that stage. */
	if (it->process != chain->process)
		return true;
	return chain->path == PATHS_NONE &&
	    (program->instances[chain->stage].served ||
		(map->instances[chain->stage].ops->flags &
		    (PATHS_STAGE_BEHIND | PATHS_STAGE_SIDE)));
}

void
paths__program_end_chain(struct paths_program *program, uint32_t item,
    const char *why)
{
	const struct paths_map *map = program->map;
	const struct paths_map_chain *chain =
	    &map->chains[map->items[item].chain];

	for (; item < chain->first + chain->count; item++) {
		const struct paths_map_item *it = &map->items[item];

		if (it->process != program->process)
			break;
		if (it->ops->lost)
			it->ops->lost(paths__program_item_port(program, item),
			    why);
	}
}

/* Calls `reopen` of the stage at an item. */
static paths_status
program_reopen_item(struct paths_program *program, uint32_t item)
{
	const struct paths_map_item *it = &program->map->items[item];

	if (it->ops->reopen)
		return it->ops->reopen(paths__program_item_port(program, item));
	if (!it->ops->lost)
		return PATHS_OK;
	return paths_log_fail(PATHS_EBUSY,
	    "stage %s cannot be opened again after it closed",
	    program->map->instances[it->instance].name);
}

paths_status
paths__program_reopen_chain(struct paths_program *program, uint32_t item)
{
	const struct paths_map *map = program->map;
	const struct paths_map_chain *chain =
	    &map->chains[map->items[item].chain];
	uint32_t end = item;

	while (end < chain->first + chain->count &&
	    map->items[end].process == program->process)
		end++;
	for (uint32_t i = end; i-- > item;) {
		paths_status st = program_reopen_item(program, i);

		if (st == PATHS_OK)
			continue;
		if (i + 1 < end)
			paths__program_end_chain(program, i + 1, NULL);
		return st;
	}
	return PATHS_OK;
}

bool
paths__program_fork_text(const struct paths_program *program, char *why,
    size_t bytes)
{
	if (program->forked)
		snprintf(why, bytes,
		    "this process was forked from process %ld, which opened "
		    "the program",
		    (long)program->pid);
	return program->forked;
}

const struct paths_map *
paths_program_map(const struct paths_program *program)
{
	return program->map;
}

uint32_t
paths_program_process(const struct paths_program *program)
{
	return program->process;
}

const char *
paths_program_run(const struct paths_program *program)
{
	return program->run;
}
