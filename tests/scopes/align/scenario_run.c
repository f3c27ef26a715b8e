/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenario_run.c - a scenario as a run directory, which
 * is aligned and compared with the truth
 *
 * Each host has a process and a thread, and each pair of first and last host a
 * path: collectors above and below each proxy.
 */

#include "tests/scopes/align/scenario_run.h"

#include "scopes/analysis.h"

#include "libpaths/op.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of the first collector of each route, and of its next operation. */
struct places {
	uint32_t first[1024];
	uint32_t seq[1024];
};

static uint64_t
read_clock(const void *context, uint64_t ns)
{
	return (uint64_t)scenario_read(context, (double)ns / 1e3);
}

static struct fake_clock
clock_of(const struct scenario *s, uint32_t host)
{
	return (struct fake_clock){ .read = read_clock,
		.context = &s->clocks[host] };
}

static bool
route_passes(const struct scenario_route *r)
{
	return r->gateway != r->from;
}

/* Writes a host with its process, and the thread and the element that routes
   use. */
static void
map_host(const struct scenario *s, uint32_t h, FILE *to)
{
	bool begins = false, ends = false;

	for (uint32_t n = 0; n < s->route_count; n++) {
		begins |= s->routes[n].from == h;
		ends |= s->routes[n].to == h;
	}
	fprintf(to, "host h%u\nprocess p%u -host h%u -listen tcp:0\n", h, h, h);
	if (begins)
		fprintf(to, "thread t%u -process p%u\n", h, h);
	if (ends)
		fprintf(to, "element e%u -process p%u -type f64 -keep 16\n", h,
		    h);
}

/* Returns the map of a scenario; the caller frees it. */
static char *
map_text(const struct scenario *s)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	fputs("pathmap 1\nplugin libcollectors.so.0\n", to);
	for (uint32_t h = 0; h < s->hosts; h++)
		map_host(s, h, to);
	for (uint32_t n = 0; n < s->route_count; n++) {
		const struct scenario_route *r = &s->routes[n];

		fprintf(to, "path t%u e%u {{collector} ", r->from, r->to);
		if (route_passes(r))
			fprintf(to, "{proxy p%u} {collector} {collector} ",
			    r->gateway);
		fprintf(to, "{proxy p%u} {collector} {element e%u}}\n", r->to,
		    r->to);
	}
	EXPECT_EQ(0, fclose(to));
	return text;
}

/* Returns the largest number of operations of a route. */
static uint64_t
places_make(const struct scenario *s, struct places *places)
{
	uint32_t count = 0;
	uint64_t most = 0;

	memset(places, 0, sizeof(*places));
	for (uint32_t n = 0; n < s->route_count; n++) {
		places->first[n] = count;
		count += route_passes(&s->routes[n]) ? 4 : 2;
	}
	for (uint64_t n = 0; n < s->count; n++)
		if (s->hops[n].position == 0)
			places->seq[s->hops[n].route]++;
	for (uint32_t n = 0; n < s->route_count; n++) {
		most = places->seq[n] > most ? places->seq[n] : most;
		places->seq[n] = 0;
	}
	return most;
}

static uint64_t
true_ns(double us)
{
	return (uint64_t)llround(us * 1e3);
}

/* Records a hop, above and below its proxy. */
static void
run_add(struct fake_run *run, const struct scenario_hop *hop, uint32_t above,
    uint32_t seq)
{
	struct es_tuple_path tuple = { .start = true_ns(hop->t1),
		.stop = true_ns(hop->t4),
		.seq = seq,
		.op = hop->both ? PATHS_EXCHANGE : PATHS_WRITE,
		.bytes = hop->bytes };

	fake_run_add(run, above, &tuple);
	tuple.start = true_ns(hop->t2);
	tuple.stop = true_ns(hop->t3);
	fake_run_add(run, above + 1, &tuple);
}

struct fake_run *
scenario_run_create(const struct scenario *s)
{
	struct places *places = malloc(sizeof(*places));
	char *text = map_text(s);
	struct fake_run *run;

	EXPECT_TRUE(places != NULL);
	run = fake_run_create(text, places_make(s, places) + 64);
	for (uint32_t h = 0; h < s->hosts; h++) {
		struct fake_clock clock = clock_of(s, h);

		fake_run_clock_of(run, h, &clock);
	}
	for (uint64_t n = 0; n < s->count; n++) {
		const struct scenario_hop *hop = &s->hops[n];
		uint32_t *seq = &places->seq[hop->route];

		/* The hop behind a gateway belongs to the one before. */
		*seq += hop->position == 0;
		run_add(run, hop, places->first[hop->route] + 2 * hop->position,
		    *seq - 1);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	free(text);
	free(places);
	return run;
}

/* A row of the table clock. */
struct window {
	int64_t start_ns, bound_ns; /* -1: no bound */
};

/* The table clock of a run: windows of each host. */
struct windows {
	struct es_sink sink;
	struct window rows[SCENARIO_HOSTS][5000];
	uint32_t counts[SCENARIO_HOSTS];
	uint32_t reference;
};

/* Keeps the rows of the table clock, and stops at the next table. */
static paths_status
windows_row(struct es_sink *sink, const struct es_table *table,
    const struct es_value *values)
{
	struct windows *w = (struct windows *)sink;
	int64_t host = values[0].as.integer;

	if (strcmp(table->name, "clock") != 0)
		return PATHS_ECLOSED;
	w->rows[host][w->counts[host]++] =
	    (struct window){ values[1].as.integer,
		    values[4].kind == ES_NULL ? -1 : values[4].as.integer };
	w->reference = (uint32_t)values[5].as.integer;
	return PATHS_OK;
}

static void
windows_read(struct windows *w, struct es_analysis *a)
{
	const struct es_view *view;

	memset(w, 0, sizeof(*w));
	w->sink.row = windows_row;
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		if (strcmp(view->name, "clock") == 0)
			EXPECT_EQ(PATHS_ECLOSED,
			    es_view_fill(view, a, &w->sink));
}

/* A run that is compared with the truth. */
struct check {
	const struct scenario *s;
	struct es_analysis *a;
	struct windows windows;
};

/* Returns the time of a host at a true time. */
static int64_t
time_of(const struct check *c, uint32_t host, double us)
{
	struct fake_clock clock = clock_of(c->s, host);

	return es_time_ns(es_analysis_timebase(c->a, host),
	    fake_clock_ticks(&clock, true_ns(us)));
}

/* Returns the bound of a host at a time; -1: there is none. */
static int64_t
time_bound(const struct check *c, uint32_t host, int64_t ns)
{
	const struct window *rows = c->windows.rows[host];
	uint32_t n = 0;

	while (n + 1 < c->windows.counts[host] && rows[n + 1].start_ns <= ns)
		n++;
	return rows[n].bound_ns;
}

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

struct sums {
	double *errors, *bounds;
	uint64_t errors_count, bounds_count, stamps, bounded, covered;
	double sum;
};

/* Adds the error of a stamp, relative to a host. */
static void
sums_add(struct sums *sums, const struct check *c, uint32_t host,
    uint32_t reference, double us)
{
	int64_t ns = time_of(c, host, us);
	int64_t bound = time_bound(c, host, ns);
	int64_t error = ns - time_of(c, c->windows.reference, us);

	if (host != reference) {
		double miss =
		    fabs((double)(ns - time_of(c, reference, us))) / 1e3;

		sums->errors[sums->errors_count++] = miss;
		sums->sum += miss;
	}
	if (host == c->windows.reference)
		return;
	sums->stamps++;
	if (bound < 0)
		return;
	sums->bounded++;
	sums->bounds[sums->bounds_count++] = (double)bound / 1e3;
	/* Times are rounded to ns. */
	sums->covered += llabs(error) <= bound + 2;
}

static void
sums_finish(struct sums *sums, struct scenario_result *r)
{
	qsort(sums->errors, sums->errors_count, sizeof(double), number_order);
	qsort(sums->bounds, sums->bounds_count, sizeof(double), number_order);
	r->median = sums->errors[sums->errors_count / 2];
	r->p99 = sums->errors[sums->errors_count * 99 / 100];
	r->most = sums->errors[sums->errors_count - 1];
	r->mean = sums->sum / (double)sums->errors_count;
	r->bound =
	    sums->bounds_count > 0 ? sums->bounds[sums->bounds_count / 2] : -1;
	r->bounded = (double)sums->bounded / (double)sums->stamps;
	r->covered = sums->bounded > 0 ?
	    (double)sums->covered / (double)sums->bounded :
	    1;
	free(sums->errors);
	free(sums->bounds);
}

static struct scenario_result
check_errors(const struct check *c, uint32_t reference)
{
	const struct scenario *s = c->s;
	struct scenario_result r = { .reference = c->windows.reference,
		.operations = s->count };
	struct sums sums = { .errors = calloc(4 * s->count + 1, 8),
		.bounds = calloc(4 * s->count + 1, 8) };

	EXPECT_TRUE(sums.errors != NULL && sums.bounds != NULL);
	if (reference == SCENARIO_REFERENCE)
		reference = r.reference;
	for (uint64_t n = 0; n < s->count; n++) {
		const struct scenario_hop *hop = &s->hops[n];

		sums_add(&sums, c, hop->from, reference, hop->t1);
		sums_add(&sums, c, hop->to, reference, hop->t2);
		sums_add(&sums, c, hop->to, reference, hop->t3);
		sums_add(&sums, c, hop->from, reference, hop->t4);
		r.correct += time_of(c, hop->from, hop->t1) <=
			time_of(c, hop->to, hop->t2) &&
		    time_of(c, hop->to, hop->t3) <=
			time_of(c, hop->from, hop->t4);
	}
	sums_finish(&sums, &r);
	return r;
}

struct scenario_result
scenario_run_check(const struct scenario *s, const char *dir,
    const char *method, uint32_t reference)
{
	struct check *c = calloc(1, sizeof(*c));
	struct scenario_result r;
	struct es_run *run;

	EXPECT_TRUE(c != NULL);
	c->s = s;
	EXPECT_OK(es_run_open(dir, &run));
	EXPECT_OK(es_analysis_open(run, 1, method, &c->a));
	windows_read(&c->windows, c->a);
	r = check_errors(c, reference);
	es_analysis_close(c->a);
	es_run_close(run);
	free(c);
	return r;
}
