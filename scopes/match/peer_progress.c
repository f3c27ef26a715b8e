/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/peer_progress.c - finds waits of a call for a peer that is
 * outside of MPI
 */

#include "scopes/match/peer_progress_private.h"

#include "scopes/match/peer_private.h"

/* Number of the peer's last tuples before the exit that are searched.  The peer
   may make several calls before the waiting rank sees the message. */
#define PROGRESS_TUPLES 32u

static int64_t
tuple_enter(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return es_time_ns(
	    &trace->input.ranks[trace->input.rings[at.ring].rank].base,
	    es_mpi_trace_tuple(&trace->input, at)->start);
}

/* Returns the exit of a call; INT64_MAX: it has not returned. */
static int64_t
tuple_exit(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	uint64_t stop = es_mpi_trace_tuple(&trace->input, at)->stop;

	return stop == 0 ?
	    INT64_MAX :
	    es_time_ns(
		&trace->input.ranks[trace->input.rings[at.ring].rank].base,
		stop);
}

/* Returns the number of tuples of a ring that start before a time. */
static uint32_t
ring_count_before(const struct es_mpi_trace *trace, uint32_t ring, int64_t ns)
{
	uint32_t low = 0, high = (uint32_t)trace->input.rings[ring].count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tuple_enter(trace, (struct es_mpi_at){ ring, middle }) < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct es_mpi_at
es__peer_progress_persistent(const struct es_mpi_trace *trace,
    struct es_mpi_at at)
{
	const struct es_mpi_trace_rank *rank =
	    &trace->input.ranks[trace->input.rings[at.ring].rank];
	uint32_t peer;

	if (!es__mpi_kind(trace, es__mpi_link(trace, at)->send)->persistent)
		return ES__MPI_NOWHERE;
	peer = es__mpi_peer(rank, es_mpi_trace_tuple(&trace->input, at));
	return peer == PATHS_NONE || trace->scans[peer].events == 0 ?
	    ES__MPI_NOWHERE :
	    (struct es_mpi_at){ trace->scans[peer].ring_first, 0 };
}

bool
es__peer_progress_cut(struct es__peer_progress *p, int64_t from_ns,
    int64_t exit_ns)
{
	if (p->start_ns < from_ns)
		p->start_ns = from_ns;
	return es__peer_progress_ends(p->start_ns, p->stop_ns, exit_ns);
}

bool
es__peer_progress_find(const struct es_mpi_trace *trace, struct es_mpi_at half,
    int64_t from_ns, int64_t exit_ns, struct es__peer_progress *found)
{
	const struct es__mpi_scan *scan =
	    &trace->scans[trace->input.rings[half.ring].rank];
	int64_t posted_ns = tuple_enter(trace, half);
	uint32_t n, last;

	if (from_ns < posted_ns)
		from_ns = posted_ns;
	if (scan->ring_count != 1 ||
	    !es__peer_progress_may_be(from_ns, exit_ns))
		return false;
	n = ring_count_before(trace, scan->ring_first, exit_ns);
	last = n > PROGRESS_TUPLES ? n - PROGRESS_TUPLES : 0;
	/* The first tuple has no call before it. */
	for (; n > last + 1; n--) {
		struct es_mpi_at comes = { scan->ring_first, n - 1 };
		struct es_mpi_at before = { scan->ring_first, n - 2 };
		struct es__peer_progress p = { tuple_exit(trace, before),
			tuple_enter(trace, comes), comes };

		if (p.stop_ns <= from_ns)
			return false;
		if (es__peer_progress_cut(&p, from_ns, exit_ns)) {
			p.start_ns = from_ns;
			*found = p;
			return true;
		}
	}
	return false;
}
