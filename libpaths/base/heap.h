/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/heap.h - binary heaps in arrays
 *
 * The first item in the order of `before` is items[0].  For all floors; not
 * installed.  The functions are inlined, so that the compiler also inlines
 * `before` of a constant kind.
 */

#ifndef LIBPATHS_BASE_HEAP_H
#define LIBPATHS_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PATHS__HEAP_INLINE static inline __attribute__((always_inline))

/* A kind of items and their order. */
struct paths__heap_kind {
	size_t bytes; /* of an item */
	bool (*before)(const void *context, const void *a, const void *b);
};

struct paths__heap {
	void *items;
	size_t count;
	void *spare;	     /* memory for one more item, of the same type */
	const void *context; /* for before */
};

PATHS__HEAP_INLINE void *
paths__heap_at(const struct paths__heap *heap,
    const struct paths__heap_kind *kind, size_t at)
{
	return (char *)heap->items + at * kind->bytes;
}

/* Replaces the item at an index by another one, which is not in the array, and
   moves it down to its place. */
PATHS__HEAP_INLINE void
paths__heap_replace(const struct paths__heap *heap,
    const struct paths__heap_kind *kind, size_t at, const void *item)
{
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= heap->count)
			break;
		if (child + 1 < heap->count &&
		    kind->before(heap->context,
			paths__heap_at(heap, kind, child + 1),
			paths__heap_at(heap, kind, child)))
			child++;
		if (!kind->before(heap->context,
			paths__heap_at(heap, kind, child), item))
			break;
		memcpy(paths__heap_at(heap, kind, at),
		    paths__heap_at(heap, kind, child), kind->bytes);
		at = child;
	}
	memcpy(paths__heap_at(heap, kind, at), item, kind->bytes);
}

/* Moves the item at an index down to its place, after it was changed. */
PATHS__HEAP_INLINE void
paths__heap_sink(const struct paths__heap *heap,
    const struct paths__heap_kind *kind, size_t at)
{
	memcpy(heap->spare, paths__heap_at(heap, kind, at), kind->bytes);
	paths__heap_replace(heap, kind, at, heap->spare);
}

/* Moves the item at an index up to its place, after it was added. */
PATHS__HEAP_INLINE void
paths__heap_rise(const struct paths__heap *heap,
    const struct paths__heap_kind *kind, size_t at)
{
	memcpy(heap->spare, paths__heap_at(heap, kind, at), kind->bytes);
	for (; at > 0; at = (at - 1) / 2) {
		void *parent = paths__heap_at(heap, kind, (at - 1) / 2);

		if (!kind->before(heap->context, heap->spare, parent))
			break;
		memcpy(paths__heap_at(heap, kind, at), parent, kind->bytes);
	}
	memcpy(paths__heap_at(heap, kind, at), heap->spare, kind->bytes);
}

/* Orders the items of an array. */
PATHS__HEAP_INLINE void
paths__heap_make(const struct paths__heap *heap,
    const struct paths__heap_kind *kind)
{
	for (size_t n = heap->count / 2; n-- > 0;)
		paths__heap_sink(heap, kind, n);
}

#endif
