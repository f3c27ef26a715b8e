/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/arena.c - allocates memory that lives as long as a map
 */

#include "libpaths/map/arena_private.h"

#include <stddef.h>
#include <stdlib.h>

#define ARENA_BLOCK_BYTES ((size_t)64 << 10)

struct arena_block {
	struct arena_block *before;
	_Alignas(max_align_t) unsigned char bytes[];
};

void *
paths__arena_take(struct paths__arena *arena, size_t bytes)
{
	struct arena_block *block;
	size_t room = ARENA_BLOCK_BYTES;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > arena->left) {
		if (bytes > room)
			room = bytes;
		block = calloc(1, sizeof(*block) + room);
		if (block == NULL)
			return NULL;
		block->before = arena->block;
		arena->block = block;
		arena->left = room;
	}
	arena->left -= bytes;
	return arena->block->bytes + arena->left;
}

void
paths__arena_fini(struct paths__arena *arena)
{
	while (arena->block != NULL) {
		struct arena_block *before = arena->block->before;

		free(arena->block);
		arena->block = before;
	}
	arena->left = 0;
}
