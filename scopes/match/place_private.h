/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/place_private.h - compares the places of tuples, and finds them
 * in sorted lists
 *
 * Lists of a rank are in the order of es_mpi_trace_event: by the start of the
 * tuple, then by ring and number.
 */

#ifndef SCOPES_MATCH_PLACE_PRIVATE_H
#define SCOPES_MATCH_PLACE_PRIVATE_H

#include "scopes/mpi_trace.h"

#include <string.h>

static inline bool
es__mpi_place_equal(struct es_mpi_at a, struct es_mpi_at b)
{
	return a.ring == b.ring && a.n == b.n;
}

/* Returns whether the tuple at `a` comes before the tuple at `b`.  Both are of
   one rank. */
static inline bool
es__mpi_place_before(const struct es_mpi_trace_input *input, struct es_mpi_at a,
    struct es_mpi_at b)
{
	uint64_t one, other;

	if (a.ring == b.ring)
		return a.n < b.n;
	one = es_mpi_trace_tuple(input, a)->start;
	other = es_mpi_trace_tuple(input, b)->start;
	return one != other ? one < other : a.ring < b.ring;
}

/*
 * es__mpi_place_find - find a place in a sorted list
 *
 * list, count, bytes	items that begin with a place, their number, and the
 *			size of an item
 *
 * Returns	index of the first item that is not before `at`; count if there
 *		is none.  Binary search.
 */
static inline size_t
es__mpi_place_find(const struct es_mpi_trace_input *input, const void *list,
    size_t count, size_t bytes, struct es_mpi_at at)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct es_mpi_at place;

		memcpy(&place, (const char *)list + middle * bytes,
		    sizeof(place));
		if (es__mpi_place_before(input, place, at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
