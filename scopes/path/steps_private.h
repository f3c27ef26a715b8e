/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/steps_private.h - the steps of a run, so many to a bin
 *
 * What is told step by step has a row for each step, or for two, four ... of
 * them, so that there are no more rows than a picture has pixels, however long
 * the run was.  Where the program never says which step it is in, and in MPI,
 * operations count: the n-th on its path, or of its rank, is of step n.
 */

#ifndef SCOPES_PATH_STEPS_PRIVATE_H
#define SCOPES_PATH_STEPS_PRIVATE_H

#include "scopes/clock/analysis_private.h"

struct es__steps {
	bool told;	/* by the program */
	uint32_t shift; /* a bin is 1 << shift steps */
	uint32_t bins;	/* from step 0 on */
};

/*
 * es__steps_shape - which bins the steps of a run are put into
 *
 * series	how many there are that have all these bins
 */
struct es__steps es__steps_shape(const struct es_analysis *a, size_t series);

/* The bin of an operation; of a damaged file that of the last step. */
static inline uint32_t
es__steps_bin(const struct es__steps *steps, const struct es_operation *tuple,
    bool call)
{
	const struct es_tuple_path *path = (const void *)tuple;
	uint32_t step = steps->told && !call ? path->step : tuple->seq;
	uint32_t bin = step >> steps->shift;

	return bin < steps->bins ? bin : steps->bins - 1;
}

#endif
