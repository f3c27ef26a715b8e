/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/unreceived_private.h - messages that a rank did not receive from
 * the one that it waits for
 */

#ifndef SCOPES_MPI_UNRECEIVED_PRIVATE_H
#define SCOPES_MPI_UNRECEIVED_PRIVATE_H

#include "scopes/mpi/inside_private.h"

/* Messages with one tag on one communicator. */
struct es__unreceived {
	uint32_t source, comm; /* of the run */
	int32_t tag;
	uint32_t messages;
};

typedef paths_status es__unreceived_take(void *to,
    const struct es__unreceived *messages);

/*
 * es__unreceived_each - find the messages that the peer of a receive has begun
 * to send to its rank, and that no receive has matched
 *
 * thread	in any call; only receives and probes from a known rank, and
 *		calls that wait for one such receive, have messages
 *
 * They are known when the trace has all calls of both ranks, and the receiving
 * rank has no open receive from any source or with any tag.
 *
 * Returns	PATHS_OK
 *		the status of `take`, which ends the search
 */
paths_status es__unreceived_each(const struct es_mpi_trace *trace,
    const struct es__inside_thread *thread, es__unreceived_take *take, void *to)
    PATHS_CHECKED;

#endif
