/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/order.c - orders the tuples of a rank by their start
 *
 * Threads of a rank share a clock, so their stamps can be compared.  Tuples
 * that belong to a call have its start, and follow it.
 */

#include "scopes/match/order_private.h"

#include "libpaths/log.h"

static uint64_t
order_start(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return es_mpi_trace_tuple(&trace->input, at)->start;
}

/* Returns the ring whose next tuple is the earliest; of several, the first. */
static uint32_t
order_earliest(const struct es_mpi_trace *trace, const struct es__mpi_scan *s,
    const uint32_t *next)
{
	uint32_t best = PATHS_NONE;
	uint64_t least = 0;

	for (uint32_t r = 0; r < s->ring_count; r++) {
		struct es_mpi_at at = { s->ring_first + r, next[r] };
		uint64_t start;

		if (at.n >= trace->input.rings[at.ring].count)
			continue;
		start = order_start(trace, at);
		if (best != PATHS_NONE && start >= least)
			continue;
		best = r;
		least = start;
	}
	return best;
}

/* Takes a call and the tuples that belong to it from a ring. */
static uint64_t
order_take(struct es_mpi_trace *trace, struct es__mpi_scan *s, uint32_t *next,
    uint32_t ring, uint64_t n)
{
	struct es_mpi_at at = { s->ring_first + ring, next[ring] };
	uint64_t count = trace->input.rings[at.ring].count;

	do {
		s->order[n++] = at;
		at.n++;
	} while (at.n < count && !es_mpi_trace_is_call(&trace->input, at));
	next[ring] = at.n;
	return n;
}

paths_status
es__mpi_order(struct es_mpi_trace *trace, uint32_t rank)
{
	struct es__mpi_scan *s = &trace->scans[rank];
	uint32_t *next, ring;
	uint64_t n = 0;

	if (s->ring_count <= 1)
		return PATHS_OK;
	next = calloc(s->ring_count, sizeof(*next));
	s->order = malloc((s->events + 1) * sizeof(*s->order));
	if (next == NULL || s->order == NULL) {
		free(next);
		return paths_log_fail(PATHS_ENOMEM, "no memory for %llu calls",
		    (unsigned long long)s->events);
	}
	while ((ring = order_earliest(trace, s, next)) != PATHS_NONE)
		n = order_take(trace, s, next, ring, n);
	free(next);
	return PATHS_OK;
}

uint64_t
es_mpi_trace_events(const struct es_mpi_trace *trace, uint32_t rank)
{
	return trace->scans[rank].events;
}

struct es_mpi_at
es_mpi_trace_event(const struct es_mpi_trace *trace, uint32_t rank, uint64_t n)
{
	const struct es__mpi_scan *s = &trace->scans[rank];

	if (s->order != NULL)
		return s->order[n];
	return (struct es_mpi_at){ s->ring_first, (uint32_t)n };
}
