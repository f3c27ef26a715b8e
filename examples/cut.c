/* SPDX-License-Identifier: MIT */
/*
 * examples/cut.c - cut rows of different cost into slices of the same cost
 */

#include "examples/cut.h"

void
cut_rows(const uint64_t *cost, uint32_t rows, uint32_t slices, uint32_t *cuts)
{
	uint64_t all = 0, above = 0;
	uint32_t row = 0;

	for (uint32_t i = 0; i < rows; i++)
		all += cost[i];
	for (uint32_t n = 0; n < slices; n++) {
		/* Each slice before has a row, each from here on needs one. */
		uint32_t least = n == 0 ? 0 : cuts[n - 1] + 1;
		uint32_t most = rows - (slices - n);

		/* A row belongs to the slice that its middle lies in. */
		while (row < most &&
		    (row < least ||
			(2 * above + cost[row]) * slices < 2 * all * n))
			above += cost[row++];
		cuts[n] = row;
	}
	cuts[slices] = rows;
}
