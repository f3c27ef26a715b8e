/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_cover.c - tells which calls of a trace were searched for
 * waiting
 */

#include "scopes/mpi/waits_cover_private.h"

#include "scopes/mpi/wait_cover_private.h"

/* Returns whether the rank of a tuple is the only member of its
   communicator. */
static bool
tuple_is_alone(const struct es_mpi_trace *trace, struct es_mpi_at at,
    const struct es_tuple_mpi *t)
{
	const struct es_mpi_trace_input *in = &trace->input;
	const struct es_mpi_trace_rank *rank =
	    &in->ranks[in->rings[at.ring].rank];
	uint32_t comm =
	    t->comm < rank->comm_count ? rank->comms[t->comm] : PATHS_NONE;

	return comm < in->comm_count &&
	    (in->comms[comm].own || in->comms[comm].count == 1);
}

/* Returns whether no other rank takes part in the message of a tuple. */
static bool
tuple_has_no_other(const struct es_tuple_mpi *t)
{
	return t->peer == ES_MPI_PEER_PROC_NULL ||
	    t->peer == ES_MPI_PEER_CANCELLED;
}

/* Returns whether calls of a role are searched only if they are matched. */
static bool
role_is_matched(uint8_t role)
{
	switch (role) {
	case ES_MPI_ROLE_SEND:
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_SENDRECV:
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_FILE:
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
	case ES_MPI_ROLE_BARRIER:
	case ES_MPI_ROLE_N_TO_N:
	case ES_MPI_ROLE_ONE_TO_N:
	case ES_MPI_ROLE_N_TO_ONE:
	case ES_MPI_ROLE_SCAN:
	case ES_MPI_ROLE_NEIGHBOR:
		return true;
	default:
		return false;
	}
}

/* Returns whether the first tuple of a call stands for no request, because the
   call completed none, or several that have tuples of their own. */
static bool
call_only_holds(uint8_t role, const struct es_tuple_mpi *t)
{
	return (role == ES_MPI_ROLE_WAIT || role == ES_MPI_ROLE_WAIT_MANY) &&
	    t->op != ES_MPI_COMPLETED && t->match == 0;
}

/* Returns whether the waiting in a collective is searched.  In some
   collectives, a member waits only for the members that send to it.  Older
   versions did not record these members. */
static bool
part_is_searched(const struct es_mpi_trace *trace, uint32_t part)
{
	const struct es_mpi_trace_collective *c =
	    es_mpi_trace_collective_of(trace, part);
	const struct es__mpi_kind *kind = es__mpi_kind(trace, c->function);
	struct es_mpi_at begin = trace->parts[part].begin;
	const struct es_mpi_trace_input *in = &trace->input;

	if (es__wait_cover_of_operation(c->function, ES__WAIT_DATA_TRACE) !=
	    ES__COVER_PATTERN)
		return false;
	return (!kind->some && kind->role != ES_MPI_ROLE_NEIGHBOR) ||
	    es_mpi_trace_set(&in->ranks[in->rings[begin.ring].rank],
		es_mpi_trace_tuple(in, begin)->peer) != NULL;
}

/* Returns whether a tuple of one-sided communication is searched.  It is not if
   the run is of an older version, which did not record the window. */
static bool
access_is_searched(const struct es_mpi_trace *trace, struct es_mpi_at at,
    const struct es_tuple_mpi *t)
{
	if (es__mpi_kind(trace, t->op)->rma != ES__MPI_RMA_NOTHING)
		return t->tag > 0;
	return es__mpi_rma_find(trace, at) != NULL;
}

bool
es__waits_covered(const struct es_mpi_trace *trace, struct es_mpi_at at,
    const struct es_tuple_mpi *call, const struct es_mpi_trace_link *link)
{
	const struct es_tuple_mpi *t = es_mpi_trace_tuple(&trace->input, at);
	uint8_t role = es__mpi_kind(trace, call->op)->role;

	switch (es__wait_cover_of(call->op, 0, ES__WAIT_DATA_TRACE)) {
	case ES__COVER_LOCAL:
		return true;
	case ES__COVER_NONE:
		return tuple_is_alone(trace, at, t);
	default:
		break;
	}
	if (link->collective != PATHS_NONE)
		return part_is_searched(trace, link->collective);
	if (!es__mpi_at_none(link->sent) || !es__mpi_at_none(link->received) ||
	    call_only_holds(role, t) || tuple_has_no_other(t) ||
	    tuple_is_alone(trace, at, t))
		return true;
	if (access_is_searched(trace, at, t))
		return true;
	return !role_is_matched(role) &&
	    es__mpi_kind(trace, t->op)->rma == ES__MPI_RMA_NOTHING;
}
