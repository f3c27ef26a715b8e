/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/replay_private.h - replays a run with changes
 *
 * A replay takes the steps forward, with other lengths of computations,
 * operations and messages.  Without a change it gives the measured times.
 */

#ifndef SCOPES_GRAPH_REPLAY_PRIVATE_H
#define SCOPES_GRAPH_REPLAY_PRIVATE_H

#include "scopes/graph/graph_private.h"

/* Changes of a run. */
struct es__graph_changes {
	/* Factor of the own time of each activity; NULL: 1. */
	const double *factors;
	/* Added to the travel of each message. */
	double latency_ns;
	double ns_per_byte;
	/* Sends that are not larger do not wait for their receive, unless they
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

#endif
