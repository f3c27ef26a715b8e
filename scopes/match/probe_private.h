/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/probe_private.h - lists the probes of a rank, and the calls that
 * made its partitioned sends complete
 */

#ifndef SCOPES_MATCH_PROBE_PRIVATE_H
#define SCOPES_MATCH_PROBE_PRIVATE_H

#include "scopes/job/pack_private.h"
#include "scopes/mpi_trace.h"

/* A probe that found a message.  The link of its tuple has the send. */
struct es__mpi_probe {
	struct es_mpi_at at;
	/* `order` of the next half: receives before it do not get the
	   message. */
	uint32_t order;
	uint32_t next; /* next probe of the same message; PATHS_NONE: none */
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
	size_t taken; /* number of probes that were given to match.c */
};

paths_status es__mpi_probes_add(struct es__mpi_probes *probes,
    struct es_mpi_at at, uint32_t order) PATHS_CHECKED;

/* Notes that the call at `at` marks partitions of the send that `start` started
   as ready. */
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
