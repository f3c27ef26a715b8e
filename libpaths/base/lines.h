/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/lines.h - memory that shares no cache line with other memory
 *
 * For all floors; not installed.  Two threads that write to the same pair of
 * cache lines, even to different words, slow each other down.  Memory that one
 * thread writes in each operation is allocated here.
 */

#ifndef LIBPATHS_BASE_LINES_H
#define LIBPATHS_BASE_LINES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A pair of cache lines, because processors also prefetch the neighbour. */
#define PATHS__LINES_BYTES 128u

/*
 * paths__lines_alloc, paths__lines_zero - allocate memory on cache lines of its
 * own, as reallocarray and calloc do
 *
 * Returns	the memory, which the caller frees with free; NULL: no memory
 */
static inline void *
paths__lines_alloc(size_t count, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(count, bytes, &all) ||
	    __builtin_add_overflow(all, PATHS__LINES_BYTES - 1, &all))
		return NULL;
	return aligned_alloc(PATHS__LINES_BYTES,
	    all / PATHS__LINES_BYTES * PATHS__LINES_BYTES);
}

static inline void *
paths__lines_zero(size_t count, size_t bytes)
{
	void *memory = paths__lines_alloc(count, bytes);

	return memory == NULL ? NULL : memset(memory, 0, count * bytes);
}

#endif
