/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/doubt_private.h - by how much the difference of two times may be
 * wrong
 *
 * Times of one clock have no doubt between them, however wrong the clock is.
 */

#ifndef SCOPES_CLOCK_DOUBT_PRIVATE_H
#define SCOPES_CLOCK_DOUBT_PRIVATE_H

#include "scopes/clock/analysis_private.h"

/* The doubt of times whose clocks have no bound. */
#define ES__DOUBT_UNKNOWN INT64_MAX

/*
 * es__clock_doubt - the largest error of the times of a clock
 *
 * ns	a time of the run
 *
 * Returns	ns; ES__DOUBT_UNKNOWN where there is no bound
 */
int64_t es__clock_doubt(const struct es_analysis *a, uint32_t domain,
    int64_t ns);

/* Adds up two doubts. */
static inline int64_t
es__doubt_sum(int64_t one, int64_t other)
{
	return one >= ES__DOUBT_UNKNOWN - other ? ES__DOUBT_UNKNOWN :
						  one + other;
}

/* Returns the larger one of two doubts. */
static inline int64_t
es__doubt_most(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

/* Returns the largest error of the difference of two times. */
static inline int64_t
es__clock_doubt_between(const struct es_analysis *a, uint32_t one,
    uint32_t other, int64_t one_ns, int64_t other_ns)
{
	return one == other ? 0 :
			      es__doubt_sum(es__clock_doubt(a, one, one_ns),
				  es__clock_doubt(a, other, other_ns));
}

/* A wait, and what is known of it. */
struct es__doubted {
	int64_t ns;
	int64_t bound_ns; /* its largest error */
	bool undecided;	  /* there may be no wait */
};

/*
 * es__doubted - a wait that is part of an operation
 *
 * A wait is at least 0, and not longer than the operation.
 *
 * ns		the wait by the clocks, more than 0
 * of_ns	the time of the operation
 * doubt	the largest error of the difference of its begin and its end
 */
static inline struct es__doubted
es__doubted(int64_t ns, int64_t of_ns, int64_t doubt)
{
	int64_t most = es__doubt_most(ns, of_ns - ns);

	return (struct es__doubted){ ns, doubt < most ? doubt : most,
		doubt > 0 && ns <= doubt };
}

#endif
