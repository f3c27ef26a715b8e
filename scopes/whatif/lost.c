/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/lost.c - finds when the threads of a run were runnable, but had
 * no core
 */

#include "scopes/whatif/lost_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi/lost_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static double
lost_whole(const struct es__cpu_thread *t)
{
	return (double)t->lost_ns[ES_CPU_OUTSIDE] +
	    (double)t->lost_ns[ES_CPU_INSIDE];
}

/* Returns the time that a thread was without a core and for which the moment is
   not known. */
static double
lost_undated(const struct es__cpu_thread *t)
{
	double ns = lost_whole(t);

	for (size_t n = 0; n < t->interval_count; n++)
		ns -= (double)t->intervals[n].lost_ns;
	return ns > 0 ? ns : 0;
}

/* Makes the curves of all threads of the graph, and behind them their sum; sets
   run->undated_ns. */
static paths_status
lost_curves(struct es__whatif_run *run, const struct es__cpu_threads *cpu,
    struct es__cpu_curve *curves)
{
	const struct es_analysis *a = run->analysis;
	uint32_t count = run->model.graph->thread_count;
	paths_status st = PATHS_OK;

	for (uint32_t t = 0; st == PATHS_OK && t < count; t++) {
		uint32_t id = run->threads[t];

		if (id >= cpu->count)
			continue;
		run->sampled |= cpu->threads[id].samples > 0;
		run->undated_ns += lost_undated(&cpu->threads[id]);
		st = es__mpi_lost_add(&a->bases[a->map->threads[id].process],
		    &cpu->threads[id], &curves[t], &curves[count]);
	}
	es__cpu_curve_end(&curves[count]);
	return st;
}

/* Returns whether a thread was without a core for a time that matters. */
static bool
lost_matters(const struct es__graph *graph, const struct es__cpu_curve *curves)
{
	double most_ns = 0;

	for (uint32_t t = 0; t < graph->thread_count; t++) {
		double ns = (double)es__cpu_curve_between(&curves[t],
		    graph->from_ns, graph->to_ns);

		if (ns > most_ns)
			most_ns = ns;
	}
	return most_ns > 0 &&
	    most_ns >=
	    ES__WHATIF_LOST_LEAST * (double)(graph->to_ns - graph->from_ns);
}

/* Returns the most time of a thread without a core that stays in replays. */
static double
lost_stays(const struct es__whatif_run *run, const struct es__cpu_threads *cpu)
{
	double most_ns = 0;

	for (uint32_t t = 0; t < run->model.graph->thread_count; t++) {
		uint32_t id = run->threads[t];
		double ns;

		if (id >= cpu->count)
			continue;
		ns = run->model.lost != NULL ? lost_undated(&cpu->threads[id]) :
					       lost_whole(&cpu->threads[id]);
		if (ns > most_ns)
			most_ns = ns;
	}
	return most_ns;
}

paths_status
es__whatif_lost_find(struct es__whatif_run *run)
{
	const struct es__graph *graph = run->model.graph;
	struct es__cpu_threads cpu = { .count = 0 };
	paths_status st = es__cpu_threads_read(run->analysis->run, &cpu);

	if (st == PATHS_OK) {
		run->lost =
		    calloc((size_t)graph->thread_count + 1, sizeof(*run->lost));
		st = run->lost != NULL ?
		    lost_curves(run, &cpu, run->lost) :
		    paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	}
	if (st == PATHS_OK && lost_matters(graph, run->lost))
		run->model.lost = run->lost;
	if (st == PATHS_OK)
		run->stays_ns = lost_stays(run, &cpu);
	es__cpu_threads_fini(&cpu);
	return st;
}

void
es__whatif_lost_fini(struct es__whatif_run *run)
{
	for (uint32_t t = 0;
	     run->lost != NULL && t <= run->model.graph->thread_count; t++)
		es__cpu_curve_fini(&run->lost[t]);
	free(run->lost);
	run->lost = NULL;
	run->model.lost = NULL;
}
