/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/flow_private.h - adds up the messages between ranks
 *
 * Each flow is counted by one rank: messages by their sender, puts and gets by
 * their caller, the category RECEIVED by the receiver, collectives by the
 * source of each pair (collectors/mpi_pairs.h).
 */

#ifndef SCOPES_MPI_FLOW_PRIVATE_H
#define SCOPES_MPI_FLOW_PRIVATE_H

#include "collectors/mpi_pairs.h"
#include "scopes/mpi.h"

/* Messages from one rank to another, in one category. */
struct es__mpi_flow {
	uint32_t source, target; /* ranks of the run; PATHS_NONE: not known */
	enum es_mpi_category category;
	struct es_matrix counts;
};

struct es__mpi_flows {
	struct es__mpi_flow *flows;
	size_t count, room;
};

/* Returns the name of a category. */
const char *es__mpi_flow_category(enum es_mpi_category category);

/*
 * es__mpi_flows_open - get all flows that a rank counted
 *
 * flows	out: in the order of source, target and category
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_flows_close
 */
paths_status es__mpi_flows_open(const struct es_mpi *mpi, uint32_t rank,
    struct es__mpi_flows *flows) PATHS_CHECKED;

/*
 * es__mpi_flows_of_phase - get the flows of one phase
 *
 * phase	number of a phase of the run, may be 0; PATHS_NONE: all phases
 * whole	true: also includes the pairs of collectives without counts per
 *		peer
 *
 * Returns	as es__mpi_flows_open
 */
paths_status es__mpi_flows_of_phase(const struct es_mpi *mpi, uint32_t rank,
    uint32_t phase, bool whole, struct es__mpi_flows *flows) PATHS_CHECKED;

void es__mpi_flows_close(struct es__mpi_flows *flows);

/* The members of a communicator that a call of a collective sends to: [first,
   end) without `except`.  Empty when the call sends nothing. */
struct es__mpi_targets {
	uint64_t first, end;
	uint64_t except; /* UINT64_MAX: none */
};

/* Returns the targets of a row; member: the rank that counted it. */
struct es__mpi_targets es__mpi_flow_targets(const struct es_mpi *mpi,
    const struct es_mpi_collective *row, const struct es_mpi_member *member);

/* Returns the number of targets. */
static inline uint64_t
es__mpi_targets_count(const struct es__mpi_targets *targets)
{
	uint64_t count = targets->end - targets->first;

	return targets->except >= targets->first &&
		targets->except < targets->end ?
	    count - 1 :
	    count;
}

#endif
