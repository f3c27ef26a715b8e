/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/steps_private.h - puts the steps of a run into bins
 *
 * A bin is one step, or two, four and so on, so that a series has no more bins
 * than a picture has pixels.  When the program sets no steps, and for MPI, the
 * n-th operation of a path or of a rank is step n.
 */

#ifndef SCOPES_PATH_STEPS_PRIVATE_H
#define SCOPES_PATH_STEPS_PRIVATE_H

#include "scopes/clock/analysis_private.h"

struct es__steps {
	bool by_program; /* the program sets steps */
	uint32_t shift;	 /* a bin is 1 << shift steps */
	uint32_t bins;	 /* from step 0 on */
};

/*
 * es__steps_shape - the bins for the steps of a run
 *
 * series	number of series that have all these bins
 */
struct es__steps es__steps_shape(const struct es_analysis *a, size_t series);

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
