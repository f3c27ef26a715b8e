/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/damage.c - the lines that describe damage to a space file
 */

#include "collectors/space/damage_private.h"

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
	if (length < 0)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space->name);
	space->damage[space->damage_count++] = line;
	return PATHS_OK;
}

const char *
es_space_damage(const struct es_space *space, uint32_t n)
{
	return n < space->damage_count ? space->damage[n] : NULL;
}
