/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/order.c - orders the tuples of a rank by their start
 *
 * Threads of a rank share a clock, so their stamps can be compared.  Tuples
 * that belong to a call have its start, and follow it.
 */

#include "scopes/match/order_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <string.h>

/* Returns the ring with the earliest next tuple; the first of several. */
static uint32_t
order_earliest(const struct es_mpi_trace *trace, const struct es__mpi_scan *s)
{
	uint32_t best = PATHS_NONE;
	uint64_t least = 0;

	for (uint32_t r = 0; r < s->ring_count; r++) {
		struct es_mpi_at at = { s->ring_first + r, s->next[r] };
		uint64_t start;

		if (at.n >= trace->input.rings[at.ring].count)
			continue;
		start = es_mpi_trace_tuple(&trace->input, at)->start;
		if (best != PATHS_NONE && start >= least)
			continue;
		best = r;
		least = start;
	}
	return best;
}

static paths_status
order_add(struct es__mpi_scan *s, struct es_mpi_at at)
{
	if (!paths__array_grow(&s->order, s->event_end - s->event_first,
		&s->order_room, sizeof(*s->order)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for calls");
	s->order[s->event_end - s->event_first] = at;
	s->event_end++;
	return PATHS_OK;
}

/* Returns whether a call that begins with a tuple is in the window. */
static bool
order_is_before(const struct es_mpi_trace *trace, uint32_t rank,
    const struct es_tuple_mpi *tuple)
{
	return trace->until_ns == INT64_MAX ||
	    es_time_ns(&trace->input.ranks[rank].base, tuple->start) <
	    trace->until_ns;
}

/* Reads the next call of a rank with one ring, whose tuples are in order.
   Returns false if there is no further call in the window. */
static bool
order_next_single(const struct es_mpi_trace *trace, uint32_t rank,
    struct es__mpi_scan *s)
{
	struct es_mpi_at at = { s->ring_first, s->next[0] };
	uint64_t count = trace->input.rings[at.ring].count;
	const struct es_tuple_mpi *tuple;
	uint32_t seq;

	if (at.n >= count)
		return false;
	tuple = es_mpi_trace_tuple(&trace->input, at);
	if (!order_is_before(trace, rank, tuple))
		return false;
	/* Faster than es_mpi_trace_is_call, because each tuple is read only
	   once. */
	do {
		if (++at.n >= count)
			break;
		seq = tuple->seq;
		tuple = es_mpi_trace_tuple(&trace->input, at);
	} while (tuple->op == ES_MPI_COMPLETED || tuple->seq == seq);
	s->next[0] = at.n;
	s->event_end = at.n;
	return true;
}

paths_status
es__mpi_order_next(struct es_mpi_trace *trace, uint32_t rank, bool *more)
{
	struct es__mpi_scan *s = &trace->scans[rank];
	uint32_t ring;
	struct es_mpi_at at;
	uint64_t count;
	paths_status st = PATHS_OK;

	if (s->ring_count == 1) {
		*more = order_next_single(trace, rank, s);
		return PATHS_OK;
	}
	*more = false;
	ring = order_earliest(trace, s);
	if (ring >= s->ring_count)
		return PATHS_OK;
	at = (struct es_mpi_at){ s->ring_first + ring, s->next[ring] };
	if (!order_is_before(trace, rank,
		es_mpi_trace_tuple(&trace->input, at)))
		return PATHS_OK;
	*more = true;
	count = trace->input.rings[at.ring].count;
	do {
		st = order_add(s, at);
		at.n++;
	} while (st == PATHS_OK && at.n < count &&
	    !es_mpi_trace_is_call(&trace->input, at));
	s->next[ring] = at.n;
	return st;
}

void
es__mpi_order_drop(struct es_mpi_trace *trace, uint32_t rank)
{
	struct es__mpi_scan *s = &trace->scans[rank];
	uint64_t dropped = s->kept - s->event_first;

	if (s->order != NULL)
		memmove(s->order, s->order + dropped,
		    (s->event_end - s->kept) * sizeof(*s->order));
	s->event_first = s->kept;
}

/* A ring keeps all tuples from the first needed one on, because tuples of
   several rings end in another order than they start. */
uint32_t
es__mpi_order_needed(const struct es_mpi_trace *trace, uint32_t ring)
{
	uint32_t rank = trace->input.rings[ring].rank;
	const struct es__mpi_scan *s = &trace->scans[rank];

	if (s->order == NULL)
		return s->ring_count > 1 ? s->next[ring - s->ring_first] :
					   (uint32_t)s->kept;
	for (uint64_t n = s->kept; n < s->event_end; n++)
		if (s->order[n - s->event_first].ring == ring)
			return s->order[n - s->event_first].n;
	return s->next[ring - s->ring_first];
}

uint64_t
es_mpi_trace_events(const struct es_mpi_trace *trace, uint32_t rank)
{
	return trace->scans[rank].event_end;
}

struct es_mpi_at
es_mpi_trace_event(const struct es_mpi_trace *trace, uint32_t rank, uint64_t n)
{
	return es__mpi_trace_event(trace, rank, n);
}
