/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/probe_private.h - the probes of a rank, and the last partitions
 * of its partitioned sends
 */

#ifndef SCOPES_MATCH_PROBE_PRIVATE_H
#define SCOPES_MATCH_PROBE_PRIVATE_H

#include "scopes/job/pack_private.h"
#include "scopes/mpi_trace.h"

/* A probe that found a message.  The link of its tuple has the send. */
struct es__mpi_probe {
	struct es_mpi_at at;
	uint32_t order; /* of the next half: no receive that was posted before
			   gets the message */
	uint32_t next;	/* probe of the same message; PATHS_NONE: none */
};

/* A partitioned send. */
struct es__mpi_ready {
	struct es_mpi_at start;
	struct es_mpi_at last; /* call that marked partitions as ready */
};

/* Both lists are in the order of the tuples. */
struct es__mpi_probes {
	struct es__mpi_probe *list;
	struct es__mpi_ready *ready;
	size_t count, room, ready_count, ready_room;
	size_t taken; /* probes that are matched, or wait for their receive */
};

paths_status es__mpi_probes_add(struct es__mpi_probes *probes,
    struct es_mpi_at at, uint32_t order) PATHS_CHECKED;

/* Notes that a send, of the tuple `start`, has further partitions ready at
   `at`. */
paths_status es__mpi_probes_ready(struct es__mpi_probes *probes,
    const struct es_mpi_trace_input *input, struct es_mpi_at start,
    struct es_mpi_at at) PATHS_CHECKED;

/* Returns the call that made the data of a message complete: the last one that
   marked partitions as ready, or the send that was posted at `send`. */
struct es_mpi_at es__mpi_message_sent(const struct es_mpi_trace *trace,
    struct es_mpi_at send);

void es__mpi_probes_pack(const struct es__mpi_probes *probes,
    struct es__pack *pack);
void es__mpi_probes_unpack(struct es__mpi_probes *probes,
    struct es__pack *pack);

void es__mpi_probes_fini(struct es__mpi_probes *probes);

#endif
