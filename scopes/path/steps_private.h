/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/steps_private.h - puts the steps of a run into bins
 *
 * A bin is 1, 2, 4 or more steps, so that a series has no more bins than a
 * picture has pixels.  If the program sets no steps, the n-th operation of a
 * path is step n.  MPI programs set no steps: their steps are the iterations of
 * a loop that was found, or, if no loop was found, the calls of a rank.
 */

#ifndef SCOPES_PATH_STEPS_PRIVATE_H
#define SCOPES_PATH_STEPS_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/phase/phases_private.h"

struct es__steps {
	bool by_program; /* the program sets steps */
	uint32_t shift;	 /* a bin is 1 << shift steps */
	uint32_t bins;	 /* from step 0 on */
};

/*
 * es__steps_shape - choose the bins for the steps of a run
 *
 * series	number of series that have all these bins
 */
struct es__steps es__steps_shape(const struct es_analysis *a, size_t series);

/*
 * es__steps_iterations - choose the bins for the steps of MPI calls
 *
 * phases	of the run
 *
 * Returns	bins that are at least as wide as those of the phase; bins 0:
 *		there is no loop whose iterations are the steps
 */
struct es__steps es__steps_iterations(const struct es__phases *phases,
    size_t series);

/* Returns whether the steps of MPI calls are iterations that have the same
   number in all ranks. */
bool es__steps_aligned(const struct es__phases *phases);

/* Returns the bin of an operation; of one in a damaged file, the last bin. */
static inline uint32_t
es__steps_bin(const struct es__steps *steps,
    const struct es_collector *collector, const struct es_operation *tuple,
    bool call)
{
	const struct es_tuple_path *path = (const void *)tuple;
	uint64_t step = steps->by_program && !call ?
	    path->step :
	    es_collector_seq(collector, tuple->seq);
	uint64_t bin = step >> steps->shift;

	return bin < steps->bins ? (uint32_t)bin : steps->bins - 1;
}

#endif
