/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/analysis.c - prepares a run for its views: one clock for all
 * processes
 */

#include "scopes/clock/analysis_private.h"

#include "libpaths/log.h"
#include "scopes/job/cores_private.h"

#include <string.h>
#include <unistd.h>

static unsigned
core_count(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return es__cores_share(count > 0 ? (unsigned)count : 1);
}

static paths_status
analysis_make_graph(struct es_analysis *a)
{
	uint32_t count = a->run->collector_count;
	bool *counts = calloc(2 * (size_t)count + 1, sizeof(*counts));
	bool *times = counts + count;
	paths_status st;

	if (counts == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < count; n++) {
		const struct es_collector *c = &a->run->collectors[n];

		counts[n] = es__collector_counts(c) && c->count > 0;
		times[n] = es__collector_times(c) && c->count > 0;
	}
	st = es__stage_graph_init(&a->graph, a->run, counts, times);
	free(counts);
	return st;
}

/* Returns the start of the run: the creation of its first space, or the begin
   of an MPI_Init that comes before it, because MPI_Init creates the space. */
static int64_t
analysis_start(const struct es_analysis *a)
{
	struct es_space_info info;
	int64_t start = INT64_MAX;

	for (uint32_t p = 0; p < a->map->process_count; p++) {
		int64_t ns;

		if (a->run->spaces[p] == NULL)
			continue;
		es_space_info(a->run->spaces[p], &info);
		ns = es_time_ns(&a->bases[p], info.start.ticks);
		start = ns < start ? ns : start;
	}
	for (uint32_t c = 0; c < a->run->collector_count; c++) {
		uint64_t first = a->overviews[c].start_first;
		int64_t ns =
		    es_time_ns(es__base_of(a, &a->run->collectors[c]), first);

		if (first > 0 && ns < start &&
		    es__collector_calls(&a->run->collectors[c]))
			start = ns;
	}
	return start;
}

/* Returns the last stamp that is known of a process besides its tuples: now, if
   it is alive, or its end; 0: none.  A process that ended its recording is over
   then, whatever it does until it exits. */
static uint64_t
analysis_last(const struct es_analysis *a, uint32_t process)
{
	struct es_space_info info;

	if (a->run->spaces[process] == NULL ||
	    a->run->states[process] == ES__SPACE_CLOSED)
		return 0;
	es_space_info(a->run->spaces[process], &info);
	if (a->run->states[process] != ES__SPACE_LIVE)
		return a->run->ends[process].ticks;
	return strcmp(info.clock_domain, paths_clock_domain()) == 0 ?
	    paths_clock_ticks() :
	    0;
}

/* Sets the length of the run: to the last stamp, or the end of a process that
   failed; of a live run until now. */
static void
analysis_set_span(struct es_analysis *a)
{
	for (uint32_t c = 0; c < a->run->collector_count; c++) {
		const struct es__overview *o = &a->overviews[c];
		uint64_t last = o->stop_last > o->start_inside ?
		    o->stop_last :
		    o->start_inside;
		int64_t ns =
		    es_time_ns(es__base_of(a, &a->run->collectors[c]), last);

		if (last > 0 && ns > a->span_ns)
			a->span_ns = ns;
	}
	for (uint32_t p = 0; p < a->map->process_count; p++) {
		uint64_t last = analysis_last(a, p);
		int64_t ns = es_time_ns(&a->bases[p], last);

		if (last > 0 && a->clocks.domain_of[p] != PATHS_NONE &&
		    ns > a->span_ns)
			a->span_ns = ns;
	}
}

static paths_status
analysis_set_bases(struct es_analysis *a)
{
	const struct es__clocks *clocks = &a->clocks;
	paths_status st;
	int64_t start;

	for (uint32_t p = 0; p < a->map->process_count; p++) {
		uint32_t d = clocks->domain_of[p];

		if (d == PATHS_NONE)
			continue;
		st = es_timebase_copy(&clocks->result.solutions[d].base,
		    &a->bases[p]);
		if (st != PATHS_OK)
			return st;
	}
	start = analysis_start(a);
	a->start_ns = start;
	for (uint32_t p = 0; p < a->map->process_count; p++) {
		if (clocks->domain_of[p] != PATHS_NONE)
			es_timebase_shift(&a->bases[p], -start);
	}
	analysis_set_span(a);
	return PATHS_OK;
}

static paths_status
analysis_prepare(struct es_analysis *a, const char *clock)
{
	paths_status st = es__overview_compute(a);

	if (st == PATHS_OK)
		st = analysis_make_graph(a);
	if (st == PATHS_OK)
		st = es__clock_init(a, clock);
	return st == PATHS_OK ? analysis_set_bases(a) : st;
}

paths_status
es_analysis_check_clock(const char *clock)
{
	const struct es__clock_method *method;

	return es__clock_method_find(clock, &method);
}

paths_status
es_analysis_open(struct es_run *run, unsigned threads, const char *clock,
    struct es_analysis **out)
{
	struct es_analysis *a = calloc(1, sizeof(*a));
	paths_status st = PATHS_ENOMEM;

	if (a == NULL)
		return paths_log_fail(st, "no memory for an analysis");
	a->run = run;
	a->map = run->map;
	a->scratch = run->dir;
	a->threads = threads > 0 ? threads : core_count();
	a->overviews = calloc(run->collector_count + 1, sizeof(*a->overviews));
	a->bases = calloc(run->map->process_count + 1, sizeof(*a->bases));
	if (a->overviews != NULL && a->bases != NULL)
		st = analysis_prepare(a, clock);
	if (st == PATHS_OK) {
		*out = a;
		return PATHS_OK;
	}
	es_analysis_close(a);
	return st == PATHS_ENOMEM ? paths_log_fail(st, "no memory for a run") :
				    st;
}

void
es_analysis_scratch(struct es_analysis *a, const char *dir)
{
	a->scratch = dir;
}

void
es_analysis_close(struct es_analysis *a)
{
	if (a == NULL)
		return;
	while (a->kept != NULL) {
		struct es__kept *kept = a->kept;

		a->kept = kept->next;
		kept->destroy(kept);
	}
	es__matched_close(a->matched);
	es__clock_fini(&a->clocks);
	es__stage_graph_fini(&a->graph);
	for (uint32_t p = 0; a->bases != NULL && p < a->map->process_count; p++)
		es_timebase_fini(&a->bases[p]);
	free(a->bases);
	free(a->overviews);
	free(a);
}

struct es__kept *
es__analysis_kept(const struct es_analysis *a,
    void (*destroy)(struct es__kept *kept))
{
	struct es__kept *kept = a->kept;

	while (kept != NULL && kept->destroy != destroy)
		kept = kept->next;
	return kept;
}

void
es__analysis_keep(struct es_analysis *a, struct es__kept *kept,
    void (*destroy)(struct es__kept *kept))
{
	kept->next = a->kept;
	kept->destroy = destroy;
	a->kept = kept;
}

struct es_run *
es_analysis_run(const struct es_analysis *a)
{
	return a->run;
}

const struct es_timebase *
es_analysis_timebase(const struct es_analysis *a, uint32_t process)
{
	return &a->bases[process];
}
