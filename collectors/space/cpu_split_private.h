/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/cpu_split_private.h - divides the time that a thread had no
 * core between its operations and the time outside of them
 */

#ifndef COLLECTORS_SPACE_CPU_SPLIT_PRIVATE_H
#define COLLECTORS_SPACE_CPU_SPLIT_PRIVATE_H

#include "collectors/cpu_space.h"

/* An interval between two samples. */
struct es__cpu_spent {
	uint64_t ns;	    /* all of it */
	uint64_t inside_ns; /* in operations */
	uint64_t lost_ns;   /* without a core */
};

/* Sums over the latest intervals. */
struct es__cpu_rate {
	double ns, lost_ns;
};

/* The intervals so far, zeros at first. */
struct es__cpu_split {
	struct es__cpu_rate all;
	/* Intervals outside of operations, and those inside of one. */
	struct es__cpu_rate sides[ES_CPU_SIDES];
};

/*
 * es__cpu_split - the time without a core that lies outside of operations
 *
 * An interval with operations and with time outside of them does not tell where
 * the thread had no core.  It is divided as in intervals that have one of both.
 *
 * Returns	the time, in ns; the rest lies in operations
 */
uint64_t es__cpu_split(struct es__cpu_split *split,
    const struct es__cpu_spent *spent);

#endif
