/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/damage.c - the lines that describe damage to a space file
 */

#include "collectors/space/damage_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdarg.h>
#include <stdio.h>

paths_status
es__damage_add(struct es_space *space, const char *fmt, ...)
{
	va_list args;
	char *line;
	int length;

	va_start(args, fmt);
	length = vasprintf(&line, fmt, args);
	va_end(args);
	if (length >= 0 &&
	    !paths__array_grow(&space->damage, space->damage_count,
		&space->damage_room, sizeof(*space->damage))) {
		free(line);
		length = -1;
	}
	if (length < 0)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	space->damage[space->damage_count++] = line;
	return PATHS_OK;
}

paths_status
es__damage_place(struct es_space *space, const char *fmt, ...)
{
	paths_status st = PATHS_OK;
	va_list args;
	char *line;

	if (++space->damaged > ES__DAMAGE_MAX)
		return st;
	va_start(args, fmt);
	if (vasprintf(&line, fmt, args) < 0)
		line = NULL;
	va_end(args);
	st = line != NULL ?
	    es__damage_add(space, "%s: %s", space->name, line) :
	    paths_log_fail(PATHS_ENOMEM, "%s: no memory", space->name);
	free(line);
	return st;
}

const char *
es_space_damage(const struct es_space *space, uint32_t n)
{
	return n < space->damage_count ? space->damage[n] : NULL;
}
