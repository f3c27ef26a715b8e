/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/efficiency_window.c - how well a program uses its cores,
 * in windows of time, in its phases and in their iterations
 *
 * scopes/graph/cut_private.h defines how windows are cut out of a run.  A phase
 * is the sequence of its iterations.  An iteration begins when its last thread
 * begins it, and ends when its last thread begins the next one, or has left the
 * loop; so iterations do not overlap.
 *
 * Source	POP Standard Metrics for Parallel Performance Analysis
 */

#include "scopes/graph/cut_private.h"
#include "scopes/graph/result_private.h"
#include "scopes/phase/phases_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

ES__SQL(efficiency_window_finding);
ES__SQL(efficiency_phase_reading);

/* Windows of the measured interval. */
#define WINDOWS 50u
/* Phases whose efficiency is computed: those with the most operations. */
#define PHASES_MAX 8u

#define EFFICIENCY_COLUMNS \
	{ "operations", ES_INTEGER, \
		.about = "number of MPI calls that ended in it, or of " \
			 "operations on paths that began in it" }, \
	    { "elapsed_ns", ES_INTEGER, .about = "length", \
		    .unit = ES_UNIT_NS }, \
	    { "useful_ns_mean", ES_INTEGER, \
		    .about = "mean time of the threads outside of " \
			     "operations", \
		    .unit = ES_UNIT_NS }, \
	    { "useful_ns_max", ES_INTEGER, \
		    .about = "largest time of a thread outside of " \
			     "operations", \
		    .unit = ES_UNIT_NS }, \
	    { "ideal_ns", ES_INTEGER, \
		    .about = "length if messages and operations took no " \
			     "time", \
		    .unit = ES_UNIT_NS }, \
	    { "uncoupled_ns", ES_INTEGER, \
		    .about = "ideal_ns if sends did not wait for receives, " \
			     "or writes for room, either", \
		    .unit = ES_UNIT_NS }, \
	    { "parallel_efficiency", ES_REAL, \
		    .about = "product of load balance and communication " \
			     "efficiency; NULL: no thread computes", \
		    .unit = ES_UNIT_SHARE }, \
	    { "load_balance_efficiency", ES_REAL, \
		    .about = "useful_ns_mean / useful_ns_max", \
		    .unit = ES_UNIT_SHARE }, \
	    { "inside_efficiency", ES_REAL, \
		    .about = "load balance inside of hosts; NULL: one host", \
		    .unit = ES_UNIT_SHARE, .optional = true }, \
	    { "between_efficiency", ES_REAL, \
		    .about = "load balance between hosts; NULL: one host", \
		    .unit = ES_UNIT_SHARE, .optional = true }, \
	    { "communication_efficiency", ES_REAL, \
		    .about = "product of serialisation and transfer " \
			     "efficiency", \
		    .unit = ES_UNIT_SHARE }, \
	    { "serialisation_efficiency", ES_REAL, \
		    .about = "useful_ns_max / ideal_ns", \
		    .unit = ES_UNIT_SHARE }, \
	{ \
		"transfer_efficiency", ES_REAL, \
		    .about = "ideal_ns / elapsed_ns", .unit = ES_UNIT_SHARE \
	}
#define EFFICIENCY_COUNT 13u

static const struct es_column window_columns[] = {
	{ "start_ns", ES_INTEGER, .about = "start of the window",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "end of the window",
	    .unit = ES_UNIT_NS },
	EFFICIENCY_COLUMNS,
};

static const struct es_column phase_columns[] = {
	{ "phase", ES_INTEGER, .about = "id of the loop", .refers = "phase" },
	{ "first_site", ES_INTEGER,
	    .about = "call site of the first operation of an iteration; 0: "
		     "not recorded; NULL: not an MPI call",
	    .refers = "mpi_site" },
	{ "threads", ES_INTEGER, .about = "number of threads with the loop" },
	EFFICIENCY_COLUMNS,
};

static const struct es_column iteration_columns[] = {
	{ "phase", ES_INTEGER, .about = "id of the loop", .refers = "phase" },
	{ "iteration", ES_INTEGER,
	    .about = "number of the first iteration of the row, from 0" },
	{ "iterations", ES_INTEGER,
	    .about = "number of iterations in the row" },
	{ "start_ns", ES_INTEGER,
	    .about = "time at which the last thread begins the iteration",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "time at which the last thread ends it",
	    .unit = ES_UNIT_NS },
	EFFICIENCY_COLUMNS,
};

enum { WINDOW, PHASE, ITERATION };

static const struct es_table tables[] = {
	[WINDOW] = { .name = "efficiency_window",
	    .about = "parallel efficiency in 50 windows of equal length",
	    ES_COLUMNS(window_columns),
	    .order = "start_ns" },
	[PHASE] = { .name = "efficiency_phase",
	    .about = "parallel efficiency in the loops of the program",
	    ES_COLUMNS(phase_columns),
	    .order = "phase",
	    .reading = es__sql_efficiency_phase_reading,
	    .reading_about = "parallel efficiency in the loop with the steps" },
	[ITERATION] = { .name = "efficiency_iteration",
	    .about = "parallel efficiency in the iterations of each loop",
	    ES_COLUMNS(iteration_columns),
	    .order = "phase, iteration" },
};

/* A phase and its iterations. */
struct loop {
	uint32_t phase;
	bool *members; /* of each thread of the graph */
	uint32_t member_count;
	struct es__graph_window *windows; /* of the iterations */
	uint32_t *bins;			  /* of each window */
	uint64_t *iterations;
	uint32_t window_count;
};

struct efficiency {
	const struct es_analysis *a;
	const struct es__graph_result *r;
	const struct es__phases *phases;
	struct es_sink *sink;
	struct es__graph_window windows[WINDOWS];
	struct loop loops[PHASES_MAX];
	uint32_t loop_count;
	/* The windows, then two for each loop: its iterations, and all of
	   it. */
	struct es__graph_lane lanes[1 + 2 * PHASES_MAX];
	uint32_t lane_count;
	uint32_t host_count;
	uint32_t *host_members; /* work: members on each host */
};

/* ---- windows */

static void
windows_make(struct efficiency *e)
{
	const struct es__graph *g = e->r->graph;
	int64_t length = g->to_ns - g->from_ns, from = 0;
	uint32_t count = 0;

	for (uint32_t n = 1; n <= WINDOWS; n++) {
		int64_t to =
		    length / WINDOWS * n + length % WINDOWS * n / WINDOWS;

		if (to > from)
			e->windows[count++] =
			    (struct es__graph_window){ g->from_ns + from,
				    g->from_ns + to };
		from = to;
	}
	if (count > 0)
		e->lanes[e->lane_count++] =
		    (struct es__graph_lane){ .windows = e->windows,
			    .window_count = count };
}

/* Returns the part of a thread of the graph in a phase; NULL: none. */
static const struct es__phase_part *
loop_part(const struct efficiency *e, uint32_t phase, uint32_t thread)
{
	return es__phases_part(e->phases, e->r->threads[thread], phase);
}

/* Finds the time of a bin: from when its last thread begins it to when the last
   one ends it.  Returns its iterations, 0 if it is empty. */
static uint64_t
loop_bin(const struct efficiency *e, uint32_t phase, size_t bin,
    struct es__graph_window *window)
{
	uint64_t iterations = 0;

	*window = (struct es__graph_window){ INT64_MIN, INT64_MIN };
	for (uint32_t t = 0; t < e->r->graph->thread_count; t++) {
		const struct es__phase_part *part = loop_part(e, phase, t);
		const struct es_timebase *base;
		int64_t start, stop;

		if (part == NULL || bin >= part->bin_count ||
		    part->bins[bin].iterations == 0)
			continue;
		base = &e->a->bases[e->a->map->threads[part->thread].process];
		start = es_time_ns(base, part->bins[bin].start);
		stop = es_time_ns(base, part->bins[bin].stop);
		if (start > window->from_ns)
			window->from_ns = start;
		if (stop > window->to_ns)
			window->to_ns = stop;
		if (part->bins[bin].iterations > iterations)
			iterations = part->bins[bin].iterations;
	}
	return iterations;
}

/* Adds the window of a bin, as far as it is measured. */
static void
loop_add(const struct efficiency *e, struct loop *loop, size_t bin)
{
	struct es__graph_window w;
	uint64_t iterations = loop_bin(e, loop->phase, bin, &w);
	int64_t from_ns = loop->window_count == 0 ?
	    e->r->graph->from_ns :
	    loop->windows[loop->window_count - 1].to_ns;

	if (w.from_ns < from_ns)
		w.from_ns = from_ns;
	if (w.to_ns > e->r->graph->to_ns)
		w.to_ns = e->r->graph->to_ns;
	if (iterations == 0 || w.to_ns <= w.from_ns)
		return;
	loop->windows[loop->window_count] = w;
	loop->bins[loop->window_count] = (uint32_t)bin;
	loop->iterations[loop->window_count++] = iterations;
}

/* Adds a phase. */
static paths_status
loop_make(struct efficiency *e, uint32_t phase)
{
	struct loop *loop = &e->loops[e->loop_count++];
	uint32_t threads = e->r->graph->thread_count;
	size_t bins = 0;

	loop->phase = phase;
	loop->members = calloc((size_t)threads + 1, sizeof(*loop->members));
	if (loop->members == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a view");
	for (uint32_t t = 0; t < threads; t++) {
		const struct es__phase_part *part = loop_part(e, phase, t);

		if (part == NULL)
			continue;
		loop->members[t] = true;
		loop->member_count++;
		bins = part->bin_count > bins ? part->bin_count : bins;
	}
	loop->windows = calloc(bins + 1, sizeof(*loop->windows));
	loop->bins = calloc(bins + 1, sizeof(*loop->bins));
	loop->iterations = calloc(bins + 1, sizeof(*loop->iterations));
	if (loop->windows == NULL || loop->bins == NULL ||
	    loop->iterations == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a view");
	for (size_t n = 0; n < bins; n++)
		loop_add(e, loop, n);
	for (unsigned whole = 0; whole < 2 && loop->window_count > 0; whole++)
		e->lanes[e->lane_count++] =
		    (struct es__graph_lane){ .windows = loop->windows,
			    .window_count = loop->window_count,
			    .whole = whole == 1,
			    .members = loop->members };
	return PATHS_OK;
}

/* Adds the phases with the most operations, and that of the steps. */
static paths_status
loops_make(struct efficiency *e)
{
	const struct es__phases *all = e->phases;
	uint32_t order[PHASES_MAX], count = 0;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < all->phase_count; n++) {
		uint32_t at = count < PHASES_MAX ? count++ : PHASES_MAX - 1;

		if (at == PHASES_MAX - 1 && n >= PHASES_MAX &&
		    all->phases[order[at]].events >= all->phases[n].events)
			continue;
		for (; at > 0 &&
		     all->phases[order[at - 1]].events < all->phases[n].events;
		     at--)
			order[at] = order[at - 1];
		order[at] = n;
	}
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = loop_make(e, order[n]);
	return st;
}

/* ---- rows */

/* Finds the mean useful time of the threads of that host where it is
   largest. */
static double
hosts_most(const struct efficiency *e, const struct es__graph_lane *lane,
    size_t cut, uint32_t *hosts)
{
	double most = 0;

	*hosts = 0;
	for (uint32_t h = 0; h < e->host_count; h++)
		e->host_members[h] = 0;
	for (uint32_t t = 0; t < e->r->graph->thread_count; t++)
		if (lane->members == NULL || lane->members[t])
			e->host_members[e->r->hosts[t]]++;
	for (uint32_t h = 0; h < e->host_count; h++) {
		double mean;

		if (e->host_members[h] == 0)
			continue;
		mean = (double)lane->host_ns[cut * e->host_count + h] /
		    e->host_members[h];
		most = mean > most ? mean : most;
		(*hosts)++;
	}
	return most;
}

/* Sets the values of the columns of an efficiency. */
static void
efficiency_values(const struct efficiency *e, const struct es__graph_lane *lane,
    size_t n, uint32_t members, struct es_value *values)
{
	const struct es__graph_cut *c = &lane->cuts[n];
	double mean = (double)c->useful_ns / members;
	uint32_t hosts;
	double most = hosts_most(e, lane, n, &hosts);
	bool any = c->useful_ns_max > 0, several = any && hosts > 1;
	struct es_value all[EFFICIENCY_COUNT] = { ES_INT(c->operations),
		ES_INT(c->elapsed_ns), ES_INT((int64_t)mean),
		ES_INT(c->useful_ns_max), ES_INT(c->ideal_ns),
		ES_INT(c->uncoupled_ns),
		any ? ES_NUM(mean / (double)c->elapsed_ns) : ES_NIL,
		any ? ES_NUM(mean / (double)c->useful_ns_max) : ES_NIL,
		several ? ES_NUM(most / (double)c->useful_ns_max) : ES_NIL,
		several ? ES_NUM(mean / most) : ES_NIL,
		any ? es__share(c->useful_ns_max, c->elapsed_ns) : ES_NIL,
		any ? es__share(c->useful_ns_max, c->ideal_ns) : ES_NIL,
		any ? es__share(c->ideal_ns, c->elapsed_ns) : ES_NIL };

	for (size_t k = 0; k < EFFICIENCY_COUNT; k++)
		values[k] = all[k];
}

static paths_status
window_rows(const struct efficiency *e, const struct es__graph_lane *lane)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < lane->window_count; n++) {
		struct es_value values[2 + EFFICIENCY_COUNT] = {
			ES_INT(lane->windows[n].from_ns),
			ES_INT(lane->windows[n].to_ns)
		};

		efficiency_values(e, lane, n, e->r->graph->thread_count,
		    values + 2);
		st = e->sink->row(e->sink, &tables[WINDOW], values);
	}
	return st;
}

/* Returns the number of the first iteration of a bin. */
static uint64_t
loop_first(const struct efficiency *e, const struct loop *loop, uint32_t n)
{
	uint32_t shift = e->phases->phases[loop->phase].shift;
	uint64_t first = (uint64_t)loop->bins[n] << shift, least = UINT64_MAX;

	for (uint32_t t = 0; t < e->r->graph->thread_count; t++) {
		const struct es__phase_part *part =
		    loop_part(e, loop->phase, t);

		if (part != NULL && part->offset < least)
			least = part->offset;
	}
	return first < least ? least : first;
}

static paths_status
loop_rows(const struct efficiency *e, const struct loop *loop,
    const struct es__graph_lane lanes[2])
{
	const struct es__phase_key *first =
	    &e->phases->phases[loop->phase].first;
	struct es_value whole[3 + EFFICIENCY_COUNT] = { ES_INT(loop->phase),
		first->comm == PATHS_NONE ? ES_NIL : es__id(first->site),
		ES_INT(loop->member_count) };
	paths_status st = PATHS_OK;

	efficiency_values(e, &lanes[1], 0, loop->member_count, whole + 3);
	st = e->sink->row(e->sink, &tables[PHASE], whole);
	for (uint32_t n = 0; st == PATHS_OK && n < loop->window_count; n++) {
		struct es_value values[5 + EFFICIENCY_COUNT] = {
			ES_INT(loop->phase), ES_INT(loop_first(e, loop, n)),
			ES_INT(loop->iterations[n]),
			ES_INT(loop->windows[n].from_ns),
			ES_INT(loop->windows[n].to_ns)
		};

		efficiency_values(e, &lanes[0], n, loop->member_count,
		    values + 5);
		st = e->sink->row(e->sink, &tables[ITERATION], values);
	}
	return st;
}

static paths_status
efficiency_rows(const struct efficiency *e)
{
	const struct es__graph_lane *lane = e->lanes;
	paths_status st = window_rows(e, lane++);

	for (uint32_t n = 0; st == PATHS_OK && n < e->loop_count; n++) {
		if (e->loops[n].window_count == 0)
			continue;
		st = loop_rows(e, &e->loops[n], lane);
		lane += 2;
	}
	return st;
}

static void
efficiency_fini(struct efficiency *e)
{
	for (uint32_t n = 0; n < e->lane_count; n++) {
		free(e->lanes[n].cuts);
		free(e->lanes[n].host_ns);
	}
	for (uint32_t n = 0; n < e->loop_count; n++) {
		free(e->loops[n].members);
		free(e->loops[n].windows);
		free(e->loops[n].bins);
		free(e->loops[n].iterations);
	}
	free(e->host_members);
	free(e);
}

static paths_status
efficiency_cut(struct efficiency *e)
{
	struct es__graph_cutting cutting = { .graph = e->r->graph,
		.paths = e->r->paths,
		.ranks = e->r->ranks,
		.hosts = e->r->hosts,
		.host_count = e->host_count,
		.lanes = e->lanes,
		.threads = e->a->threads };
	paths_status st;

	windows_make(e);
	if (e->lane_count == 0)
		return PATHS_OK;
	st = loops_make(e);
	if (st != PATHS_OK)
		return st;
	e->host_members =
	    calloc((size_t)e->host_count + 1, sizeof(*e->host_members));
	if (e->host_members == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a view");
	cutting.lane_count = e->lane_count;
	st = es__graph_cut(&cutting);
	return st == PATHS_OK ? efficiency_rows(e) : st;
}

static paths_status
efficiency_window_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__graph_result *r;
	struct efficiency *e;
	paths_status st = es__graph_result_get(a, &r);

	if (st != PATHS_OK || r == NULL || r->graph->account.operations == 0)
		return st;
	e = calloc(1, sizeof(*e));
	if (e == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a view");
	e->a = a;
	e->r = r;
	e->sink = sink;
	e->host_count = a->map->host_count;
	st = es__phases_get(a, &e->phases);
	if (st == PATHS_OK)
		st = efficiency_cut(e);
	efficiency_fini(e);
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_efficiency_window_finding,
	    .about = "part of the run whose parallel efficiency differs from "
		     "that of the rest by at least a tenth, and clearly more "
		     "than it varies in either",
	    .weight = 24,
	    .table = "efficiency_window" },
};

const struct es_view es__view_efficiency_window = {
	.name = "efficiency_window",
	.topic = ES_TOPIC_CAUSES,
	.about = "parallel efficiency over time",
	.question = "When are the cores used well, and in which loops and "
		    "iterations?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = efficiency_window_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
