/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/unreceived.c - finds the messages that a rank did not receive from
 * the one that it waits for
 */

#include "scopes/mpi/unreceived_private.h"

#include "scopes/match/group_private.h"
#include "scopes/match/scan_private.h"

/* Returns whether the only request that a thread waits for is a receive. */
static bool
waits_for_receive(const struct es_mpi_trace *trace,
    const struct es__inside_thread *t)
{
	const struct es__mpi_scan *scan = &trace->scans[t->rank];

	for (uint32_t n = 0; t->match != 0 && n < scan->pending_count; n++) {
		const struct es_tuple_mpi *made =
		    es_mpi_trace_tuple(&trace->input, scan->pending[n]);

		if (made->match == t->match)
			return es__mpi_kind(trace, made->op)->role ==
			    ES_MPI_ROLE_IRECV;
	}
	return false;
}

static bool
thread_receives(const struct es_mpi_trace *trace,
    const struct es__inside_thread *t)
{
	switch (es__mpi_kind(trace, t->function)->role) {
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_PROBE:
		return true;
	case ES_MPI_ROLE_WAIT:
		return waits_for_receive(trace, t);
	default:
		return false;
	}
}

paths_status
es__unreceived_each(const struct es_mpi_trace *trace,
    const struct es__inside_thread *t, es__unreceived_take *take, void *to)
{
	const struct es__mpi_match *m = &trace->match;
	paths_status st = PATHS_OK;

	if (t->function == 0 || t->peer < 0 || t->tag < 0 ||
	    (uint32_t)t->peer >= trace->input.rank_count ||
	    es__mpi_at_none(t->at) || !trace->scans[t->rank].whole ||
	    !trace->scans[t->peer].whole ||
	    trace->scans[t->rank].open.count > 0 || !thread_receives(trace, t))
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < m->group_count; n++) {
		const struct es__mpi_group *g = &m->groups[n];
		struct es__unreceived messages = { g->source,
			g->comm & ~ES__MPI_PARTITIONED, g->tag,
			g->sends - g->matched };

		if (g->source == (uint32_t)t->peer && g->target == t->rank &&
		    g->mode == GROUP_BEGIN && g->matched < g->sends)
			st = take(to, &messages);
	}
	return st;
}
