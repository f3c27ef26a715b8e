/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/resolve.c - resolves the names that lines of a path map refer
 * to
 */

#include "libpaths/map/resolve_private.h"

#include "libpaths/map/declare_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/line_private.h"
#include "libpaths/map/name_private.h"

/* Finds the thing that a value of a line names. */
static paths_status
resolve_name(struct paths__map *m, const struct paths__map_line *line,
    unsigned value, enum paths__map_kind kind, uint32_t *index)
{
	const char *name = line->values[value].text;
	const struct paths__name *found = paths__name_find(m, kind, 0, name);

	if (found == NULL)
		return paths__error_syntax(m, line->number, name,
		    "expected the name of a %s", paths__line_word(kind));
	*index = found->index;
	return PATHS_OK;
}

static paths_status
resolve_path(struct paths__map *m, const struct paths__map_line *line)
{
	struct paths_map_path *path = &m->map.paths[line->index];
	struct paths__name entry = { PATHS__MAP_PATH, 0, path->element_name,
		line->index, line->number };
	paths_status st = resolve_name(m, line, PATHS__PATH_THREAD,
	    PATHS__MAP_THREAD, &path->thread);

	if (st != PATHS_OK)
		return st;
	entry.thread = path->thread;
	return paths__name_add(m, &entry);
}

static paths_status
resolve_line(struct paths__map *m, struct paths__map_line *line)
{
	const uint32_t n = line->index;

	switch (line->kind) {
	case PATHS__MAP_PROCESS:
		return resolve_name(m, line, PATHS__PROCESS_HOST,
		    PATHS__MAP_HOST, &m->map.processes[n].host);
	case PATHS__MAP_THREAD:
		return resolve_name(m, line, PATHS__THREAD_PROCESS,
		    PATHS__MAP_PROCESS, &m->map.threads[n].process);
	case PATHS__MAP_ELEMENT:
		return resolve_name(m, line, PATHS__ELEMENT_PROCESS,
		    PATHS__MAP_PROCESS, &m->map.elements[n].process);
	case PATHS__MAP_STAGE:
		return resolve_name(m, line, PATHS__STAGE_PROCESS,
		    PATHS__MAP_PROCESS, &line->process);
	case PATHS__MAP_PATH:
		return resolve_path(m, line);
	default:
		return PATHS_OK;
	}
}

paths_status
paths__resolve_lines(struct paths__map *m)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < m->line_count; n++)
		st = resolve_line(m, &m->lines[n]);
	return st;
}
