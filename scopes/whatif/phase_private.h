/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/phase_private.h - finds the times of iterations of a phase
 */

#ifndef SCOPES_WHATIF_PHASE_PRIVATE_H
#define SCOPES_WHATIF_PHASE_PRIVATE_H

#include "scopes/whatif/run_private.h"

/* Number of the last iteration if the text names none. */
#define ES__WHATIF_ITERATIONS_ALL (UINT64_MAX - 1)

/* Iterations [first, last] of a phase; phase PATHS_NONE: the phase of the
   steps. */
struct es__whatif_iterations {
	uint32_t phase;
	uint64_t first, last;
};

/*
 * es__whatif_phase_spans - find the times of iterations in all threads
 *
 * spans	out: of each thread of the graph
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	there is no such phase or iteration, or
 *				iterations are known in groups and the first or
 *				last one is inside such a group
 *		PATHS_ENOMEM
 * Ownership	the caller frees *spans with es__whatif_spans_free
 */
paths_status es__whatif_phase_spans(const struct es__whatif_run *run,
    struct es__whatif_iterations iterations, struct es__whatif_spans **spans)
    PATHS_CHECKED;

/* spans	NULL: nothing happens */
void es__whatif_spans_free(const struct es__whatif_run *run,
    struct es__whatif_spans *spans);

#endif
