/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/clock.c - clocks of the hosts, and a check of their accuracy
 *
 * clock_check aligns the clocks by each method in turn and checks every
 * operation between two clocks.  t1 to t4 are its stamps on the aligned clocks.
 * The operation meets the clock condition when it arrives after it was sent (t1
 * <= t2) and returns after it was answered (t3 <= t4).  At most one of the two
 * can fail; the miss is the time by which it fails.  A message of MPI meets the
 * condition when it is received after it was sent.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock Accuracy", table 1
 */

#include "scopes/clock/edge_private.h"
#include "scopes/path/histogram_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <string.h>

ES__SQL(clock_reading);
ES__SQL(clock_check_reading);

static const struct es_column clock_columns[] = {
	{ "host", ES_INTEGER, .about = "id of the host", .refers = "host" },
	{ "start_ns", ES_INTEGER, .about = "time from which the row holds",
	    .unit = ES_UNIT_NS },
	{ "offset_ns", ES_INTEGER,
	    .about =
		"offset of the clock from the reference clock, at start_ns",
	    .unit = ES_UNIT_NS },
	{ "rate_ppb", ES_INTEGER, .about = "rate at which the offset grows",
	    .unit = ES_UNIT_PPB },
	{ "bound_ns", ES_INTEGER,
	    .about = "error bound of the offset; NULL: not known",
	    .unit = ES_UNIT_NS },
	{ "reference", ES_INTEGER, .about = "host whose clock is the reference",
	    .refers = "host" },
};

static const struct es_column check_columns[] = {
	{ "method", ES_TEXT,
	    .about = "method by which the clocks were aligned" },
	{ "pair_from", ES_INTEGER,
	    .about = "host where the operations or messages began",
	    .refers = "host" },
	{ "pair_to", ES_INTEGER, .about = "host that they reached",
	    .refers = "host" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations, or messages of MPI, checked" },
	{ "correct", ES_INTEGER,
	    .about = "number of those that meet the clock condition" },
	{ "miss_mean_ns", ES_REAL,
	    .about = "mean miss of the others; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "miss_median_ns", ES_INTEGER,
	    .about = "median miss; NULL: none; exact to 0.4 %",
	    .unit = ES_UNIT_NS },
	{ "miss_stdev_ns", ES_REAL,
	    .about = "standard deviation of the misses; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "moved", ES_INTEGER,
	    .about = "number of operations or messages of which the controlled "
		     "logical clock moved a stamp; NULL: another method is "
		     "that of the run" },
	{ "correct_moved", ES_INTEGER,
	    .about = "number of those that meet the clock condition then" },
};

enum { CLOCK, CHECK };

static const struct es_table tables[] = {
	[CLOCK] = { .name = "clock",
	    .about = "clocks of the hosts, relative to the reference clock",
	    ES_COLUMNS(clock_columns),
	    .reading = es__sql_clock_reading,
	    .reading_about =
		"host whose clock differs most from the reference" },
	[CHECK] = { .name = "clock_check",
	    .about = "operations checked against the clocks, by method",
	    ES_COLUMNS(check_columns),
	    .reading = es__sql_clock_check_reading,
	    .reading_about = "share of correct operations, by method" },
};

static uint32_t
domain_host(const struct es_analysis *a, uint32_t domain)
{
	return a->map->processes[a->clocks.domains[domain].process].host;
}

/* Returns whether an earlier process of the same host has the same clock. */
static bool
process_repeats(const struct es_analysis *a, uint32_t process)
{
	for (uint32_t p = 0; p < process; p++) {
		if (a->map->processes[p].host ==
			a->map->processes[process].host &&
		    a->clocks.domain_of[p] == a->clocks.domain_of[process])
			return true;
	}
	return false;
}

/* Writes the windows of the clock of a process that overlap the run. */
static paths_status
clock_windows(struct es_analysis *a, struct es_sink *sink, uint32_t process)
{
	const struct es__clock_solution *s =
	    &a->clocks.result.solutions[a->clocks.domain_of[process]];
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < s->window_count; n++) {
		const struct es__clock_window *w = &s->windows[n];
		int64_t start = w->begin_ns - a->start_ns;
		int64_t shown = start > 0 && n > 0 ? start : 0;
		int64_t end = n + 1 < s->window_count ?
		    w[1].begin_ns - a->start_ns :
		    INT64_MAX;

		if (end <= 0 || (start > a->span_ns && n > 0))
			continue;
		st = sink->row(sink, &tables[CLOCK],
		    (struct es_value[]){
			ES_INT(a->map->processes[process].host), ES_INT(shown),
			ES_INT(w->offset_ns +
			    llround((double)(shown - start) * 1e-9 *
				(double)w->rate_ppb)),
			ES_INT(w->rate_ppb),
			w->bound_ns < 0 ? ES_NIL : ES_INT(w->bound_ns),
			ES_INT(domain_host(a, a->clocks.reference)) });
	}
	return st;
}

static paths_status
clock_rows(struct es_analysis *a, struct es_sink *sink)
{
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; st == PATHS_OK && p < a->map->process_count; p++)
		if (a->clocks.domain_of[p] != PATHS_NONE &&
		    !process_repeats(a, p))
			st = clock_windows(a, sink, p);
	return st;
}

/* Result of the check of one edge. */
struct clock_check {
	uint64_t operations, correct;
	double mean, squares; /* mean, sum of squared deviations of misses */
	struct es__histogram misses;
	bool final;	/* the method is that of the run */
	uint64_t moved; /* and of its clocks: */
	uint64_t final_correct;
};

/* The check of an edge, and the conversions of both ends without the logical
   clock and with it. */
struct check_edge {
	struct clock_check *check;
	struct es__clock_ends plain, final;
};

/* Adds an operation or a message; gap: the least time that it travelled. */
static void
check_add(struct clock_check *c, int64_t gap)
{
	double apart;

	c->operations++;
	if (gap >= 0) {
		c->correct++;
		return;
	}
	es__histogram_add(&c->misses, -gap);
	/* Welford's algorithm subtracts no large sums. */
	apart = (double)-gap - c->mean;
	c->mean += apart / (double)c->misses.count;
	c->squares += apart * ((double)-gap - c->mean);
}

static void
check_one(void *context, const struct es__clock_stamps *s)
{
	int64_t down = s->t2 - s->t1, up = s->t4 - s->t3;

	check_add(context, down < up ? down : up);
}

static void
check_trip(void *context, const struct es__clock_trip *t)
{
	check_add(context, es__clock_apart(t->received, t->sent));
}

/* Returns a stamp by the conversion of a clock; *moved: set if the logical
   clock moved it. */
static int64_t
check_stamp(const struct es_timebase *plain, const struct es_timebase *final,
    int64_t ticks, bool *moved)
{
	int64_t ns = es_time_ns(final, (uint64_t)ticks);

	*moved |= ns != es_time_ns(plain, (uint64_t)ticks);
	return ns;
}

static void
final_add(struct clock_check *c, int64_t gap, bool moved)
{
	c->moved += moved;
	c->final_correct += gap >= 0;
}

/* Checks an operation, whose stamps are ticks, by the clocks of the run. */
static void
final_one(void *context, const struct es__clock_stamps *s)
{
	const struct check_edge *e = context;
	const struct es__clock_ends *p = &e->plain, *f = &e->final;
	bool moved = false;
	int64_t t1 = check_stamp(p->from, f->from, s->t1, &moved);
	int64_t t2 = check_stamp(p->to, f->to, s->t2, &moved);
	int64_t t3 = check_stamp(p->to, f->to, s->t3, &moved);
	int64_t t4 = check_stamp(p->from, f->from, s->t4, &moved);
	int64_t down, up;

	down = es__clock_apart(t2, t1);
	up = es__clock_apart(t4, t3);
	final_add(e->check, down < up ? down : up, moved);
}

static void
final_trip(void *context, const struct es__clock_trip *t)
{
	const struct check_edge *e = context;
	const struct es__clock_ends *p = &e->plain, *f = &e->final;
	bool moved = false;
	int64_t sent = check_stamp(p->from, f->from, t->sent, &moved);
	int64_t received = check_stamp(p->to, f->to, t->received, &moved);

	final_add(e->check, es__clock_apart(received, sent), moved);
}

static paths_status
check_row(const struct clock_check *c, const struct es_analysis *a,
    const struct es__clock_edge *edge, struct es_sink *sink, const char *method)
{
	bool any = c->misses.count > 0;
	double variance = any ? c->squares / (double)c->misses.count : 0;

	return sink->row(sink, &tables[CHECK],
	    (struct es_value[]){ ES_STR(method),
		ES_INT(domain_host(a, edge->from)),
		ES_INT(domain_host(a, edge->to)), ES_INT(c->operations),
		ES_INT(c->correct), any ? ES_NUM(c->mean) : ES_NIL,
		any ? ES_INT(es__histogram_at(&c->misses, 0.5)) : ES_NIL,
		any ? ES_NUM(sqrt(variance)) : ES_NIL,
		c->final ? ES_INT(c->moved) : ES_NIL,
		c->final ? ES_INT(c->final_correct) : ES_NIL });
}

/* Check of all edges with the clocks aligned by one method. */
struct trial {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__clock_result result;
};

static paths_status
trial_work(void *context, size_t item, void *result)
{
	struct trial *t = context;
	struct clock_check *c = result;
	const struct es__clock_edge *edge = &t->a->clocks.edges[item];
	struct es__clock_ends ends = { &t->result.solutions[edge->from].base,
		&t->result.solutions[edge->to].base };

	/* The ticks as they are. */
	struct es_timebase same = { .mult = (int64_t)1 << 48 };
	struct es__clock_ends ticks = { &same, &same };
	const struct es__clock_result *final = &t->a->clocks.result;
	struct check_edge e = { c, ends,
		{ &final->solutions[edge->from].base,
		    &final->solutions[edge->to].base } };
	paths_status st;

	memset(c, 0, sizeof(*c));
	es__clock_edge_each_trip(edge, ends, check_trip, c);
	st = es__clock_edge_each(t->a, edge, ends, check_one, c);
	c->final = t->result.method == final->method;
	if (st != PATHS_OK || !c->final)
		return st;
	es__clock_edge_each_trip(edge, ticks, final_trip, &e);
	return es__clock_edge_each(t->a, edge, ticks, final_one, &e);
}

static paths_status
trial_done(void *context, size_t item, void *result)
{
	struct trial *t = context;
	const struct clock_check *c = result;

	if (c->operations == 0)
		return PATHS_OK;
	return check_row(c, t->a, &t->a->clocks.edges[item], t->sink,
	    t->result.method->name);
}

static const void *
trial_reads(const void *context, size_t item)
{
	const struct es_analysis *a = ((const struct trial *)context)->a;

	return es__clock_edge_tuples(a, &a->clocks.edges[item]);
}

static paths_status
check_rows(struct es_analysis *a, struct es_sink *sink)
{
	struct trial t = { .a = a, .sink = sink };
	struct es__work work = { .count = a->clocks.edge_count,
		.result_bytes = sizeof(struct clock_check),
		.context = &t,
		.work = trial_work,
		.done = trial_done,
		.reads = trial_reads };
	const struct es__clock_method *method;
	paths_status st = PATHS_OK;

	for (size_t n = 0;
	     st == PATHS_OK && (method = es__clock_method(n)) != NULL; n++) {
		st = es__clock_solve(a, method, &t.result);
		if (st == PATHS_OK)
			st = es__work_run(&work, a->threads);
		es__clock_result_fini(&t.result);
	}
	return st == PATHS_ENOMEM ? paths_log_fail(st, "no memory for clocks") :
				    st;
}

static paths_status
clock_compute(struct es_analysis *a, struct es_sink *sink)
{
	paths_status st = clock_rows(a, sink);

	return st == PATHS_OK ? check_rows(a, sink) : st;
}

const struct es_view es__view_clock = {
	.name = "clock",
	.about = "clocks of the hosts and their accuracy",
	.question =
	    "How much do the clocks of the hosts differ, and how exact are the "
	    "differences?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = clock_compute,
};
