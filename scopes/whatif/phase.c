/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/phase.c - finds the times of iterations of a phase
 */

#include "scopes/whatif/phase_private.h"

#include "scopes/phase/phases_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns whether an iteration is not the first one of its group. */
static bool
phase_cuts(uint64_t number, uint32_t shift)
{
	return (number & ((UINT64_C(1) << shift) - 1)) != 0;
}

static paths_status
phase_check(const struct es__phases *phases,
    const struct es__whatif_iterations *of)
{
	const struct es__phase *phase;

	if (of->phase == PATHS_NONE)
		return paths_log_fail(PATHS_EINVAL,
		    "the run has no steps: name a phase, see the table phase");
	if (of->phase >= phases->phase_count)
		return paths_log_fail(PATHS_EINVAL,
		    "there is no phase %" PRIu32 "; the table phase has %zu, "
		    "which are loops, not phases of MPI_Pcontrol",
		    of->phase, phases->phase_count);
	phase = &phases->phases[of->phase];
	if (of->first >= phase->iterations)
		return paths_log_fail(PATHS_EINVAL,
		    "phase %" PRIu32 " has %" PRIu64 " iterations, from 0",
		    of->phase, phase->iterations);
	if (of->last != ES__WHATIF_ITERATIONS_ALL &&
	    of->last >= phase->iterations)
		return paths_log_fail(PATHS_EINVAL,
		    "iteration %" PRIu64 " is none of phase %" PRIu32
		    ", which has %" PRIu64 ", from 0",
		    of->last, of->phase, phase->iterations);
	if (of->last < of->first)
		return paths_log_fail(PATHS_EINVAL,
		    "the last iteration is before the first one");
	if (phase_cuts(of->first, phase->shift) ||
	    (of->last + 1 < phase->iterations &&
		phase_cuts(of->last + 1, phase->shift)))
		return paths_log_fail(PATHS_EINVAL,
		    "iterations of phase %" PRIu32 " are known in groups of "
		    "%" PRIu64,
		    of->phase, UINT64_C(1) << phase->shift);
	return PATHS_OK;
}

/* Takes the spans of a thread. */
static paths_status
phase_thread(const struct es__phase_part *part, uint32_t shift,
    const struct es_timebase *base, const struct es__whatif_iterations *of,
    struct es__whatif_spans *spans)
{
	struct es__whatif_span *list =
	    calloc(part->bin_count + 1, sizeof(*list));

	if (list == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	spans->list = list;
	for (size_t n = of->first >> shift;
	     n < part->bin_count && n <= of->last >> shift; n++) {
		const struct es__phase_bin *bin = &part->bins[n];

		if (bin->iterations > 0)
			list[spans->count++] = (struct es__whatif_span){
				.start_ns = es_time_ns(base, bin->start),
				.stop_ns = es_time_ns(base, bin->stop)
			};
	}
	return PATHS_OK;
}

paths_status
es__whatif_phase_spans(const struct es__whatif_run *run,
    struct es__whatif_iterations of, struct es__whatif_spans **spans)
{
	struct es_analysis *a = run->analysis;
	const struct es__phases *phases;
	struct es__whatif_spans *all;
	paths_status st;

	if (a == NULL)
		return paths_log_fail(PATHS_EINVAL, "the run has no phases");
	st = es__phases_get(a, &phases);
	if (st == PATHS_OK && of.phase == PATHS_NONE)
		of.phase = phases->steps;
	if (st == PATHS_OK)
		st = phase_check(phases, &of);
	if (st != PATHS_OK)
		return st;
	all = calloc((size_t)run->model.graph->thread_count + 1, sizeof(*all));
	if (all == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t t = 0;
	     st == PATHS_OK && t < run->model.graph->thread_count; t++) {
		uint32_t thread = run->threads[t];
		const struct es__phase_part *part =
		    es__phases_part(phases, thread, of.phase);

		if (part != NULL)
			st = phase_thread(part, phases->phases[of.phase].shift,
			    &a->bases[a->map->threads[thread].process], &of,
			    &all[t]);
	}
	if (st == PATHS_OK)
		*spans = all;
	else
		es__whatif_spans_free(run, all);
	return st;
}

void
es__whatif_spans_free(const struct es__whatif_run *run,
    struct es__whatif_spans *spans)
{
	for (uint32_t t = 0;
	     spans != NULL && t < run->model.graph->thread_count; t++)
		free((struct es__whatif_span *)spans[t].list);
	free(spans);
}
