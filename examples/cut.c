/* SPDX-License-Identifier: MIT */
/*
 * examples/cut.c - division of rows into slices of about equal cost
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
		/* Leaves at least one row for each slice. */
		uint32_t least = n == 0 ? 0 : cuts[n - 1] + 1;
		uint32_t most = rows - (slices - n);

		/* A row is in the slice with the middle of its cost. */
		while (row < most &&
		    (row < least ||
			(2 * above + cost[row]) * slices < 2 * all * n))
			above += cost[row++];
		cuts[n] = row;
	}
	cuts[slices] = rows;
}
