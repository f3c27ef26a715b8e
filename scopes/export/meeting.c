/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/meeting.c - a process' part of a collective
 */

#include "scopes/export/meeting_private.h"

#include <string.h>
#include <strings.h>

/* Finds the number of the collective operation of a function, as MPI_Bcast,
   MPI_Ibcast or MPI_Bcast_init; false: another function. */
static bool
meeting_op(const struct es_mpi_function *f, unsigned *op)
{
	static const char *const names[] = { "barrier", "bcast", "gather",
		"gatherv", "scatter", "scatterv", "allgather", "allgatherv",
		"alltoall", "alltoallv", "alltoallw", "allreduce", "reduce",
		"reduce_scatter", "scan", "exscan", "reduce_scatter_block" };
	const char *name = f->name + strlen("MPI_");
	size_t length;

	name += (f->flags & ES_MPI_NONBLOCKING) != 0;
	length = strlen(name);
	if ((f->flags & ES_MPI_PERSISTENT) != 0)
		length -= strlen("_init");
	for (*op = 0; *op < sizeof(names) / sizeof(names[0]); ++*op)
		if (strlen(names[*op]) == length &&
		    strncasecmp(names[*op], name, length) == 0)
			return true;
	return false;
}

/* Finds the root that a member named; false: it is not known. */
static bool
meeting_root(const struct es__export *export,
    const struct es__export_members *members, uint32_t rank,
    const struct es_tuple_mpi *call, struct es__export_meeting *m)
{
	const struct es_mpi_trace_rank *of =
	    &es_mpi_trace_input(export->trace)->ranks[rank];

	if ((uint32_t)call->peer >= of->peer_count)
		return false;
	m->root =
	    es__export_members_place(members, m->comm, of->peers[call->peer]);
	return m->root != PATHS_NONE;
}

bool
es__export_meeting_find(const struct es__export *export,
    const struct es__export_members *members, uint32_t number,
    struct es__export_meeting *m)
{
	const struct es_mpi_trace_input *input =
	    es_mpi_trace_input(export->trace);
	const struct es_mpi_trace_collective *c =
	    es_mpi_trace_collective_of(export->trace, number - 1);
	struct es_mpi_at begin =
	    es_mpi_trace_parts(export->trace, c)[number - 1 - c->first].begin;
	const struct es_mpi_function *f = es_mpi_function(c->function);
	const struct es_tuple_mpi *call;
	uint32_t rank;

	*m = (struct es__export_meeting){ .comm = c->comm, .root = PATHS_NONE };
	if (f == NULL || begin.ring == PATHS_NONE || !meeting_op(f, &m->op) ||
	    !members->comms[c->comm].known)
		return false;
	call = es_mpi_trace_tuple(input, begin);
	rank = input->rings[begin.ring].rank;
	if ((f->role == ES_MPI_ROLE_ONE_TO_N ||
		f->role == ES_MPI_ROLE_N_TO_ONE) &&
	    !meeting_root(export, members, rank, call, m))
		return false;
	if (f->role == ES_MPI_ROLE_ONE_TO_N &&
	    m->root != es__export_members_place(members, c->comm, rank))
		m->received = call->bytes;
	else
		m->sent = call->bytes;
	m->later = (f->flags & (ES_MPI_NONBLOCKING | ES_MPI_PERSISTENT)) != 0;
	return true;
}
