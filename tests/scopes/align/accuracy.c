/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/accuracy.c - compares the aligned clocks of a run with the
 * truth
 */

#include "tests/scopes/align/accuracy.h"

#include "scopes/analysis.h"

#include "libpaths/base/array.h"

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS 64u
#define WINDOWS 16384u

/* A row of the table clock. */
struct window {
	int64_t start_ns, bound_ns; /* -1: no bound */
};

/* The table clock of a run: windows of each host. */
struct windows {
	struct es_sink sink;
	struct window *rows[HOSTS];
	uint32_t counts[HOSTS];
	uint32_t reference;
};

struct numbers {
	double *all;
	size_t count, room;
};

struct accuracy {
	struct es_run *run;
	struct es_analysis *a;
	struct accuracy_clocks clocks;
	uint32_t base; /* host that errors are relative to */
	struct windows windows;
	struct numbers errors, bounds;
	uint64_t stamps, covered, operations, correct;
	double sum;
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
	EXPECT_TRUE(host < HOSTS && w->counts[host] < WINDOWS);
	if (w->rows[host] == NULL)
		w->rows[host] = calloc(WINDOWS, sizeof(**w->rows));
	EXPECT_TRUE(w->rows[host] != NULL);
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

	w->sink.row = windows_row;
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		if (strcmp(view->name, "clock") == 0)
			EXPECT_EQ(PATHS_ECLOSED,
			    es_view_fill(view, a, &w->sink));
}

struct accuracy *
accuracy_open(const char *dir, const char *method, uint32_t reference,
    const struct accuracy_clocks *clocks)
{
	struct accuracy *a = calloc(1, sizeof(*a));

	EXPECT_TRUE(a != NULL);
	a->clocks = *clocks;
	EXPECT_OK(es_run_open(dir, &a->run));
	EXPECT_OK(es_analysis_open(a->run, 1, method, &a->a));
	windows_read(&a->windows, a->a);
	a->base =
	    reference == ACCURACY_REFERENCE ? a->windows.reference : reference;
	return a;
}

/* Returns the time of a host at a moment. */
static int64_t
time_of(const struct accuracy *a, uint32_t host, double moment)
{
	return es_time_ns(es_analysis_timebase(a->a, host),
	    a->clocks.read(a->clocks.context, host, moment));
}

/* Returns the bound of a host at a time; -1: there is none. */
static int64_t
time_bound(const struct accuracy *a, uint32_t host, int64_t ns)
{
	const struct window *rows = a->windows.rows[host];
	uint32_t low = 0, high = a->windows.counts[host];

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (rows[middle].start_ns <= ns)
			low = middle;
		else
			high = middle;
	}
	return rows[low].bound_ns;
}

static void
numbers_add(struct numbers *numbers, double number)
{
	EXPECT_TRUE(paths__array_grow(&numbers->all, numbers->count,
	    &numbers->room, sizeof(number)));
	numbers->all[numbers->count++] = number;
}

/* Adds the error of a stamp. */
static void
accuracy_stamp(struct accuracy *a, uint32_t host, double moment)
{
	int64_t ns = time_of(a, host, moment);
	int64_t bound = time_bound(a, host, ns);
	int64_t error = ns - time_of(a, a->windows.reference, moment);

	if (host != a->base) {
		double miss =
		    fabs((double)(ns - time_of(a, a->base, moment))) / 1e3;

		numbers_add(&a->errors, miss);
		a->sum += miss;
	}
	if (host == a->windows.reference)
		return;
	a->stamps++;
	if (bound < 0)
		return;
	numbers_add(&a->bounds, (double)bound / 1e3);
	/* Times are rounded to ns. */
	a->covered += llabs(error) <= bound + 2;
}

void
accuracy_add(struct accuracy *a, const struct accuracy_operation *op)
{
	accuracy_stamp(a, op->from, op->t1);
	accuracy_stamp(a, op->to, op->t2);
	accuracy_stamp(a, op->to, op->t3);
	accuracy_stamp(a, op->from, op->t4);
	a->operations++;
	a->correct +=
	    time_of(a, op->from, op->t1) <= time_of(a, op->to, op->t2) &&
	    time_of(a, op->to, op->t3) <= time_of(a, op->from, op->t4);
}

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void
accuracy_sum(struct accuracy *a, struct accuracy_result *r)
{
	const double *errors = a->errors.all;
	size_t count = a->errors.count, bounds = a->bounds.count;

	EXPECT_TRUE(count > 0);
	qsort(a->errors.all, count, sizeof(double), number_order);
	if (bounds > 0)
		qsort(a->bounds.all, bounds, sizeof(double), number_order);
	*r = (struct accuracy_result){ .reference = a->windows.reference,
		.operations = a->operations,
		.correct = a->correct,
		.median = errors[count / 2],
		.mean = a->sum / (double)count,
		.p99 = errors[count * 99 / 100],
		.most = errors[count - 1],
		.bound = bounds > 0 ? a->bounds.all[bounds / 2] : -1,
		.bounded = (double)bounds / (double)a->stamps,
		.covered =
		    bounds > 0 ? (double)a->covered / (double)bounds : 1 };
}

struct accuracy_result
accuracy_close(struct accuracy *a)
{
	struct accuracy_result r;

	accuracy_sum(a, &r);
	es_analysis_close(a->a);
	es_run_close(a->run);
	for (uint32_t h = 0; h < HOSTS; h++)
		free(a->windows.rows[h]);
	free(a->errors.all);
	free(a->bounds.all);
	free(a);
	return r;
}
