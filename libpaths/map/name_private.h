/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/name_private.h - finds things of a map by name
 */

#ifndef LIBPATHS_MAP_NAME_PRIVATE_H
#define LIBPATHS_MAP_NAME_PRIVATE_H

#include "libpaths/map/map_private.h"

/* A name of a map.  A path is found by its thread and the name of its
   element. */
struct paths__name {
	enum paths__map_kind kind;
	uint32_t thread; /* of a path; flags of a name in unknown.c; else 0 */
	const char *name;
	uint32_t index;
	uint32_t line;
};

/* Keeps a name, or reports that another thing of the kind has it. */
paths_status paths__name_add(struct paths__map *m,
    const struct paths__name *name);

/* Finds a name.  Returns NULL when nothing of the kind has it. */
const struct paths__name *paths__name_find(const struct paths__map *m,
    enum paths__map_kind kind, uint32_t thread, const char *name);
void paths__name_fini(struct paths__map *m);

#endif
