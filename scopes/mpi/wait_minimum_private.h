/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_minimum_private.h - estimates waiting from profiles by the
 * minimum method
 *
 * The method assumes that the shortest call of a category did not wait, and
 * that the additional time of other calls is waiting.  A category is a
 * function, a size class, whether the rank is the root, and the direction of
 * completed requests.  For point-to-point calls, the minimum is taken over the
 * calls of a rank at all its call sites; for collectives, over all ranks.  The
 * variants are:
 *
 *	plain		as published
 *	quantile	a low quantile instead of the minimum of each rank, so
 *			that a few messages which arrived early do not count
 *	ready		calls that found their data ready count neither for the
 *			minimum nor as waiting
 *	local_global	the minimum of all ranks also for point-to-point calls,
 *			because a rank may wait in every call
 *
 * Source	Mao, Boehme, Hermanns, Geimer, Lorenz, Wolf: Catching Idlers
 *		with Ease, sections 3 and 4
 */

#ifndef SCOPES_MPI_WAIT_MINIMUM_PRIVATE_H
#define SCOPES_MPI_WAIT_MINIMUM_PRIVATE_H

#include "collectors/mpi_space.h"
#include "libpaths/status.h"
#include "scopes/mpi/wait_pattern_private.h"

#include <stdbool.h>
#include <stddef.h>

enum es__wait_minimum_method {
	ES__WAIT_MINIMUM_PLAIN,
	ES__WAIT_MINIMUM_QUANTILE,
	ES__WAIT_MINIMUM_READY,
	ES__WAIT_MINIMUM_LOCAL_GLOBAL,
	ES__WAIT_MINIMUM_METHODS
};

/* Returns the name of a method. */
const char *es__wait_minimum_name(enum es__wait_minimum_method method);

/* The quantile of variant `quantile`: the second shortest of a hundred
   calls. */
#define ES__WAIT_MINIMUM_QUANTILE_OF 0.02

/* A profile row with numbers of the run, and the estimate for its calls. */
struct es__wait_minimum {
	uint32_t rank, thread, site, comm, phase;
	enum es__wait_pattern pattern;
	uint16_t function;
	uint8_t size_class;
	uint8_t flags; /* a set of enum es_mpi_profile_flag */
	uint64_t calls, bytes;
	double time_ns;	       /* sum of all calls */
	double measured_ns;    /* part of time_ns in the measured interval */
	double min_ns, max_ns; /* shortest and longest call */
	/* Sum, over the calls, of the time from the making of the first request
	   that a call completes to the call; negative: not known. */
	double overlap_ns;
	bool used; /* the estimate is the best source for these calls */
	/* Results, by method. */
	/* Length of a call that did not wait. */
	double base_ns[ES__WAIT_MINIMUM_METHODS];
	/* Waiting of all calls; never negative. */
	double wait_ns[ES__WAIT_MINIMUM_METHODS];
};

/*
 * es__wait_minimum_local - find the minima of a rank
 *
 * rows		of one rank
 * profiles	one for each row, with at least one call
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__wait_minimum_local(struct es__wait_minimum *rows,
    const struct es_mpi_profile *profiles, size_t count, double ns_per_tick)
    PATHS_CHECKED;

/*
 * es__wait_minimum_global - find the minima of all ranks, and the waiting of
 * all calls
 *
 * rows	of all ranks, after es__wait_minimum_local; rows of pattern NONE get 0
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__wait_minimum_global(struct es__wait_minimum *rows,
    size_t count) PATHS_CHECKED;

/*
 * es__wait_minimum_quantile - compute a quantile of durations that were counted
 * in bins
 *
 * bins		counts of ES_MPI_BINS bins, as es_mpi_bin sorts
 * least, most	the shortest and the longest duration, in ticks
 * part		share of the durations that are shorter: 0.5 is the median
 *
 * Returns	ticks; exact at both ends, and interpolated linearly within a
 *		bin
 */
double es__wait_minimum_quantile(const uint64_t *bins, uint64_t least,
    uint64_t most, double part);

#endif
