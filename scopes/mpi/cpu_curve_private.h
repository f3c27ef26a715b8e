/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/cpu_curve_private.h - the time that threads were without a core,
 * as a function of time
 *
 * The value of a curve at a time is the time that threads were runnable without
 * a core until then, summed over threads.  Its slope is the number of threads
 * that are without a core.
 */

#ifndef SCOPES_MPI_CPU_CURVE_PRIVATE_H
#define SCOPES_MPI_CPU_CURVE_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

/* Point of a curve: from this time on, `threads` threads are without a core. */
struct es__cpu_point {
	int64_t ns;
	int64_t lost_ns; /* value of the curve at this time */
	int64_t threads; /* before es__cpu_curve_end: change of this number */
};

struct es__cpu_curve {
	struct es__cpu_point *points;
	size_t count, room;
};

/* Adds a time in which a thread is without a core.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__cpu_curve_add(struct es__cpu_curve *curve, int64_t from_ns,
    int64_t to_ns) PATHS_CHECKED;

/* Ends the additions; needed before es__cpu_curve_at. */
void es__cpu_curve_end(struct es__cpu_curve *curve);

/* Returns the lost time of all threads up to a time. */
int64_t es__cpu_curve_at(const struct es__cpu_curve *curve, int64_t ns);

/* As es__cpu_curve_at, but faster for a time close to that of the last call;
   near: 0 at first, kept between calls. */
int64_t es__cpu_curve_near(const struct es__cpu_curve *curve, int64_t ns,
    size_t *near);

/* Returns the lost time of all threads between two times. */
static inline int64_t
es__cpu_curve_between(const struct es__cpu_curve *curve, int64_t from_ns,
    int64_t to_ns)
{
	return to_ns <= from_ns ?
	    0 :
	    es__cpu_curve_at(curve, to_ns) - es__cpu_curve_at(curve, from_ns);
}

void es__cpu_curve_fini(struct es__cpu_curve *curve);

#endif
