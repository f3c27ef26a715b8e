/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/arena_private.h - allocates memory that lives as long as a map
 */

#ifndef LIBPATHS_MAP_ARENA_PRIVATE_H
#define LIBPATHS_MAP_ARENA_PRIVATE_H

#include <stddef.h>

struct paths__arena {
	struct arena_block *block; /* the block in use, then the full ones */
	size_t left;		   /* free bytes of that block */
};

/* Allocates zeroed memory.  Returns NULL when there is none. */
void *paths__arena_take(struct paths__arena *arena, size_t bytes);
void paths__arena_fini(struct paths__arena *arena);

#endif
