/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/steps.c - puts the steps of a run into bins
 */

#include "scopes/path/steps_private.h"

/* Largest number of bins of all series together; largest and smallest limit for
   one series. */
#define ROWS_MAX ((size_t)1 << 18)
#define SERIES_MAX 2048u
#define SERIES_MIN 64u

static uint32_t
steps_bins_max(size_t series)
{
	size_t each = ROWS_MAX / (series > 0 ? series : 1);

	if (each > SERIES_MAX)
		return SERIES_MAX;
	return each < SERIES_MIN ? SERIES_MIN : (uint32_t)each;
}

struct es__steps
es__steps_shape(const struct es_analysis *a, size_t series)
{
	struct es__steps steps = { 0 };
	uint64_t step_last = 0, seq_last = 0, last;

	for (uint32_t c = 0; c < a->run->collector_count; c++) {
		const struct es__overview *o = &a->overviews[c];

		if (o->step_last > step_last)
			step_last = o->step_last;
		if (o->seq_last > seq_last)
			seq_last = o->seq_last;
	}
	steps.by_program = step_last > 0;
	last = steps.by_program ? step_last : seq_last;
	while (last >> steps.shift >= steps_bins_max(series))
		steps.shift++;
	steps.bins = (uint32_t)(last >> steps.shift) + 1;
	return steps;
}

struct es__steps
es__steps_iterations(const struct es__phases *phases, size_t series)
{
	struct es__steps steps = { 0 };
	const struct es__phase *phase;

	if (phases->steps == PATHS_NONE)
		return steps;
	phase = &phases->phases[phases->steps];
	steps.shift = phase->shift;
	while ((phase->iterations - 1) >> steps.shift >= steps_bins_max(series))
		steps.shift++;
	steps.bins = (uint32_t)((phase->iterations - 1) >> steps.shift) + 1;
	return steps;
}

bool
es__steps_aligned(const struct es__phases *phases)
{
	uint64_t last = 0;

	if (phases->steps == PATHS_NONE)
		return false;
	for (size_t n = 0; n < phases->part_count; n++) {
		const struct es__phase_part *part = &phases->parts[n];

		if (part->phase != phases->steps)
			continue;
		if (last != 0 && part->iterations + part->offset != last)
			return false;
		last = part->iterations + part->offset;
	}
	return true;
}
