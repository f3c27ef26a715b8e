/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/declare_private.h - declares what the lines of a path map name
 */

#ifndef LIBPATHS_MAP_DECLARE_PRIVATE_H
#define LIBPATHS_MAP_DECLARE_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Indexes of the values of a line, by the kind of line. */
enum {
	PATHS__PROCESS_NAME,
	PATHS__PROCESS_HOST,
	PATHS__PROCESS_LISTEN,
	PATHS__PROCESS_SPACE
};
enum { PATHS__THREAD_NAME, PATHS__THREAD_PROCESS, PATHS__THREAD_CORE };
enum {
	PATHS__ELEMENT_NAME,
	PATHS__ELEMENT_PROCESS,
	PATHS__ELEMENT_TYPE,
	PATHS__ELEMENT_KEEP,
	PATHS__ELEMENT_FULL,
	PATHS__ELEMENT_TAKE
};
enum {
	PATHS__STAGE_NAME,
	PATHS__STAGE_KIND,
	PATHS__STAGE_PROCESS,
	PATHS__STAGE_INPUTS,
	PATHS__STAGE_NEXT
};
enum {
	PATHS__PATH_THREAD,
	PATHS__PATH_ELEMENT,
	PATHS__PATH_CHAIN,
	PATHS__PATH_USE
};

/* Reads the values of all lines and keeps the names of things. */
paths_status paths__declare_lines(struct paths__map *m);

#endif
