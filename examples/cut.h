/* SPDX-License-Identifier: MIT */
/*
 * examples/cut.h - division of rows into slices of about equal cost
 */

#ifndef EXAMPLES_CUT_H
#define EXAMPLES_CUT_H

#include <stdint.h>

/*
 * cut_rows - divide rows into slices of about equal cost
 *
 * cost		cost of each row
 * rows		number of rows, at least slices
 * slices	number of slices
 * cuts		out: slices + 1 rows; slice n has the rows cuts[n] to
 *		cuts[n + 1] - 1, at least one
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
void cut_rows(const uint64_t *cost, uint32_t rows, uint32_t slices,
    uint32_t *cuts);

#endif
