/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/accuracy.h - compares the aligned clocks of a run with the
 * truth
 *
 * Each host has one process, with the same number.
 */

#ifndef TESTS_SCOPES_ALIGN_ACCURACY_H
#define TESTS_SCOPES_ALIGN_ACCURACY_H

#include <stdint.h>

/* Errors are relative to the reference of the method. */
#define ACCURACY_REFERENCE UINT32_MAX

/* The clocks of the hosts. */
struct accuracy_clocks {
	/* Returns the ticks of a host at a moment, which has any unit. */
	uint64_t (*read)(const void *context, uint32_t host, double moment);
	const void *context;
};

/* An operation between two hosts: the moments at which it leaves the first one
   and arrives, is answered, and is back. */
struct accuracy_operation {
	uint32_t from, to;
	double t1, t2, t3, t4;
};

/* Errors in us, of the stamps of all hosts but the reference. */
struct accuracy_result {
	uint32_t reference;
	uint64_t operations, correct; /* arrive after they were sent */
	double median, mean, p99, most;
	double bound;		 /* median */
	double bounded, covered; /* shares of the stamps */
};

struct accuracy;

/*
 * Aligns the clocks of a run by a method.  A failure ends the program.
 *
 * reference	host that errors are relative to, or ACCURACY_REFERENCE; bounds
 *		are always relative to the reference of the method
 * clocks	borrowed until accuracy_close
 */
struct accuracy *accuracy_open(const char *dir, const char *method,
    uint32_t reference, const struct accuracy_clocks *clocks);

/* Compares the four stamps of an operation with the truth. */
void accuracy_add(struct accuracy *accuracy,
    const struct accuracy_operation *op);

/* Returns the result for all operations, at least one. */
struct accuracy_result accuracy_close(struct accuracy *accuracy);

#endif
