/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/link_private.h - links the stages of a path to the list that
 * operations follow
 */

#ifndef LIBPATHS_ENGINE_LINK_PRIVATE_H
#define LIBPATHS_ENGINE_LINK_PRIVATE_H

#include "libpaths/engine/path_private.h"

/* Sets the link at a position of a new path to the stage at an item of the
   map. */
void paths__link_set(struct paths_path *path, uint32_t at, uint32_t item);

/* Sets the word of a new path, whose list is empty.  The first operation makes
   the list, because the stages may not be open yet. */
void paths__link_init(struct paths_path *path);

/* Makes the list of links of the stages that do not rest. */
void paths__link_again(struct paths_path *path) __attribute__((cold));

/* Makes the list again if a stage may have begun or ended to rest.  Called by
   the thread that begins an operation. */
static inline void
paths__link_refresh(struct paths_path *path)
{
	/* Relaxed: paths__link_again reads the word again. */
	if (__builtin_expect(atomic_load_explicit(path->rest_word,
				 memory_order_relaxed) != path->rest_seen,
		0))
		paths__link_again(path);
}

#endif
