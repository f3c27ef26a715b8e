/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_pairs.c - finds numbers of the run by binary search
 */

#include "scopes/run/mpi_pairs_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"
#include "scopes/run/array_private.h"

#include <stdlib.h>

paths_status
es__mpi_pairs_add(struct es__mpi_pairs *pairs, uint32_t from, uint32_t to)
{
	if (!paths__array_grow(&pairs->pairs, pairs->count, &pairs->room,
		sizeof(*pairs->pairs)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for definitions");
	pairs->pairs[pairs->count++] =
	    (struct es__mpi_pair){ .from = from, .to = to };
	return PATHS_OK;
}

static int
pairs_order(const void *left, const void *right)
{
	const struct es__mpi_pair *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

void
es__mpi_pairs_sort(struct es__mpi_pairs *pairs)
{
	size_t kept = 0;

	if (pairs->count > 0)
		qsort(pairs->pairs, pairs->count, sizeof(*pairs->pairs),
		    pairs_order);
	for (size_t n = 0; n < pairs->count; n++) {
		if (kept == 0 ||
		    pairs->pairs[kept - 1].from != pairs->pairs[n].from)
			pairs->pairs[kept++] = pairs->pairs[n];
	}
	pairs->count = kept;
}

uint32_t
es__mpi_pairs_find(const struct es__mpi_pairs *pairs, uint32_t from)
{
	size_t n = es__array_find(pairs->pairs, pairs->count,
	    sizeof(*pairs->pairs), offsetof(struct es__mpi_pair, from), from);

	return n < pairs->count && pairs->pairs[n].from == from ?
	    pairs->pairs[n].to :
	    PATHS_NONE;
}

void
es__mpi_pairs_fini(struct es__mpi_pairs *pairs)
{
	free(pairs->pairs);
}
