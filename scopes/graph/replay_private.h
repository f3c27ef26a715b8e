/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/replay_private.h - computes the times that a run would have with
 * some changes
 *
 * A replay follows the steps forward, with changed lengths of computations,
 * operations and messages.  Without a change, the result is the measured times.
 */

#ifndef SCOPES_GRAPH_REPLAY_PRIVATE_H
#define SCOPES_GRAPH_REPLAY_PRIVATE_H

#include "scopes/graph/pass_private.h"

/* Changes of a run. */
struct es__graph_changes {
	/* Factor of the own time of each activity; NULL: 1. */
	const double *factors;
	/* Added to the time that each message travels. */
	double latency_ns;
	double ns_per_byte;
	/* Sends of up to this size do not wait for their receive, unless they
	   are synchronous.  UINT64_MAX: no send waits. */
	uint64_t eager_bytes;
};

/* The times of a replay. */
struct es__graph_replayed {
	int64_t from_ns, to_ns; /* the measured interval */
	int64_t *end_ns;	/* of each thread */
};

/*
 * es__graph_replay - replay a run
 *
 * graph	finished
 * changes	NULL: none
 * replayed	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees replayed->end_ns
 */
paths_status es__graph_replay(const struct es__graph *graph,
    const struct es__graph_changes *changes,
    struct es__graph_replayed *replayed) PATHS_CHECKED;

/* A replay that shares a reading of the graph with other passes. */
struct es__graph_replay;

/*
 * es__graph_replay_begin - begin a replay
 *
 * graph	finished
 * changes	NULL: none
 * replay	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	borrows graph and changes; the caller calls es__graph_replay_end
 */
paths_status es__graph_replay_begin(const struct es__graph *graph,
    const struct es__graph_changes *changes, struct es__graph_replay **replay)
    PATHS_CHECKED;

struct es__graph_pass es__graph_replay_pass(struct es__graph_replay *replay);

/* Ends a replay after its pass.  replay NULL: nothing happens; replayed: out,
   the caller frees replayed->end_ns; NULL: the times are not wanted. */
void es__graph_replay_end(struct es__graph_replay *replay,
    struct es__graph_replayed *replayed);

#endif
