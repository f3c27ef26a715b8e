/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/program.c - looks up the items of an open program
 */

#include "libpaths/program.h"

#include "libpaths/engine/program_private.h"

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
