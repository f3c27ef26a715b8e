/* SPDX-License-Identifier: MIT */
/*
 * examples/cut.h - cut rows of different cost into slices of the same cost
 */

#ifndef EXAMPLES_CUT_H
#define EXAMPLES_CUT_H

#include <stdint.h>

/*
 * cut_rows - share rows among slices, each about as costly as the next
 *
 * cost		of each row
 * rows		at least as many as slices
 * cuts		out: slices + 1 rows; slice n has cuts[n] .. cuts[n + 1] - 1,
 *		never none
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
void cut_rows(const uint64_t *cost, uint32_t rows, uint32_t slices,
    uint32_t *cuts);

#endif
