/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/times_private.h - the current times of threads and slots, while
 * a pass follows the steps
 */

#ifndef SCOPES_GRAPH_TIMES_PRIVATE_H
#define SCOPES_GRAPH_TIMES_PRIVATE_H

#include "scopes/graph/graph_private.h"

struct es__graph_times {
	int64_t *thread_ns; /* of each thread */
	int64_t *slot_ns;   /* of each slot */
};

/* Sets the times before the first step.  PATHS_OK; PATHS_ENOMEM.  The caller
   calls es__graph_times_fini, also on failure. */
paths_status es__graph_times_init(struct es__graph_times *times,
    const struct es__graph *graph) PATHS_CHECKED;
void es__graph_times_fini(struct es__graph_times *times);

/* Takes a step POST. */
static inline void
es__graph_times_post(struct es__graph_times *times,
    const struct es__graph_step *step)
{
	times->slot_ns[step->at] = times->thread_ns[step->thread];
}

/* Takes a step JOIN. */
static inline void
es__graph_times_join(struct es__graph_times *times,
    const struct es__graph_step *step)
{
	int64_t *slot = &times->slot_ns[step->at];

	if ((step->flags & ES__GRAPH_NEW) || times->slot_ns[step->ns] > *slot)
		*slot = times->slot_ns[step->ns];
}

#endif
