/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/clock.c - clocks of the hosts, and a check of their accuracy
 *
 * clock_check aligns the clocks by each method in turn and checks every
 * operation between two clocks.  t1 to t4 are its stamps on the aligned clocks.
 * The operation meets the clock condition when it arrives after it was sent (t1
 * <= t2) and returns after it was answered (t3 <= t4).  At most one of the two
 * can fail; the miss is the time by which it fails.
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
	{ "start_ns", ES_INTEGER,
	    .about = "time from which the row holds; always 0",
	    .unit = ES_UNIT_NS },
	{ "offset_ns", ES_INTEGER,
	    .about = "offset of the clock from the reference clock",
	    .unit = ES_UNIT_NS },
	{ "rate_ppb", ES_INTEGER,
	    .about = "rate at which the offset grows; always 0",
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
	{ "pair_from", ES_INTEGER, .about = "host where the operations began",
	    .refers = "host" },
	{ "pair_to", ES_INTEGER, .about = "host that the operations reached",
	    .refers = "host" },
	{ "operations", ES_INTEGER, .about = "number of operations checked" },
	{ "correct", ES_INTEGER,
	    .about = "number of operations that meet the clock condition" },
	{ "miss_mean_ns", ES_REAL,
	    .about = "mean miss of the other operations; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "miss_median_ns", ES_INTEGER,
	    .about = "median miss; NULL: none; exact to 0.4 %",
	    .unit = ES_UNIT_NS },
	{ "miss_stdev_ns", ES_REAL,
	    .about = "standard deviation of the misses; NULL: none",
	    .unit = ES_UNIT_NS },
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

static paths_status
clock_rows(struct es_analysis *a, struct es_sink *sink)
{
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; st == PATHS_OK && p < a->map->process_count; p++) {
		uint32_t d = a->clocks.domain_of[p];
		const struct es__clock_solution *s;

		if (d == PATHS_NONE || process_repeats(a, p))
			continue;
		s = &a->clocks.solutions[d];
		st = sink->row(sink, &tables[CLOCK],
		    (struct es_value[]){ ES_INT(a->map->processes[p].host),
			ES_INT(0), ES_INT(s->offset_ns), ES_INT(s->rate_ppb),
			s->bound_ns < 0 ? ES_NIL : ES_INT(s->bound_ns),
			ES_INT(domain_host(a, a->clocks.reference)) });
	}
	return st;
}

/* Result of the check of one edge. */
struct clock_check {
	/* Conversions from ns of each clock to the reference. */
	struct es_timebase from, to;
	uint64_t operations, correct;
	double mean, squares; /* mean, sum of squared deviations of misses */
	struct es__histogram misses;
};

/* Returns the conversion from ns of a clock to the reference.  local and global
   convert its ticks to its own ns and to the reference. */
static struct es_timebase
base_of_ns(const struct es_timebase *local, const struct es_timebase *global)
{
	return (struct es_timebase){ .origin = (uint64_t)local->ns,
		.ns = global->ns,
		.mult = local->mult == global->mult ?
		    (int64_t)1 << 48 :
		    (int64_t)ldexp((double)global->mult / (double)local->mult,
			48) };
}

static void
check_one(void *context, const struct es__clock_stamps *s)
{
	struct clock_check *c = context;
	int64_t down = es_time_ns(&c->to, (uint64_t)s->t2) -
	    es_time_ns(&c->from, (uint64_t)s->t1);
	int64_t up = es_time_ns(&c->from, (uint64_t)s->t4) -
	    es_time_ns(&c->to, (uint64_t)s->t3);
	int64_t worse = down < up ? down : up;
	double apart;

	c->operations++;
	if (worse >= 0) {
		c->correct++;
		return;
	}
	es__histogram_add(&c->misses, -worse);
	/* Welford's algorithm subtracts no large sums. */
	apart = (double)-worse - c->mean;
	c->mean += apart / (double)c->misses.count;
	c->squares += apart * ((double)-worse - c->mean);
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
		any ? ES_NUM(sqrt(variance)) : ES_NIL });
}

/* Check of all edges with the clocks aligned by one method. */
struct trial {
	struct es_analysis *a;
	struct es_sink *sink;
	const struct es__clock_method *method;
	struct es__clock_solution *solutions;
};

static paths_status
trial_work(void *context, size_t item, void *result)
{
	struct trial *t = context;
	struct clock_check *c = result;
	const struct es__clocks *clocks = &t->a->clocks;
	const struct es__clock_edge *edge = &clocks->edges[item];
	const struct es__clock_domain *from = &clocks->domains[edge->from];
	const struct es__clock_domain *to = &clocks->domains[edge->to];
	struct es_timebase global;

	memset(c, 0, sizeof(*c));
	global = es__clock_base(from, &t->solutions[edge->from]);
	c->from = base_of_ns(&from->local, &global);
	global = es__clock_base(to, &t->solutions[edge->to]);
	c->to = base_of_ns(&to->local, &global);
	return es__clock_edge_each(t->a, edge, check_one, c);
}

static paths_status
trial_done(void *context, size_t item, void *result)
{
	struct trial *t = context;
	const struct clock_check *c = result;

	if (c->operations == 0)
		return PATHS_OK;
	return check_row(c, t->a, &t->a->clocks.edges[item], t->sink,
	    t->method->name);
}

static paths_status
check_rows(struct es_analysis *a, struct es_sink *sink)
{
	struct trial t = { .a = a, .sink = sink };
	struct es__work work = { .count = a->clocks.edge_count,
		.result_bytes = sizeof(struct clock_check),
		.context = &t,
		.work = trial_work,
		.done = trial_done };
	paths_status st = PATHS_OK;

	t.solutions = calloc(a->clocks.domain_count + 1, sizeof(*t.solutions));
	if (t.solutions == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for clocks");
	for (size_t n = 0;
	     st == PATHS_OK && (t.method = es__clock_method(n)) != NULL; n++) {
		es__clock_solve(&a->clocks, t.method, t.solutions);
		st = es__work_run(&work, a->threads);
	}
	free(t.solutions);
	return st;
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
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = clock_compute,
};
