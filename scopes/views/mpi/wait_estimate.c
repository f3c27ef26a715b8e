/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/wait_estimate.c - waiting in MPI calls, estimated from the
 * profile
 *
 * scopes/mpi/wait_minimum_private.h has the methods.
 */

#include "scopes/mpi/estimates_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <math.h>

ES__SQL(wait_estimate_reading);

static const struct es_column columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that waited",
	    .refers = "mpi_rank" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "pattern", ES_TEXT, .about = "name of the wait state" },
	{ "method", ES_TEXT,
	    .about = "method: plain, quantile, ready or local_global" },
	{ "instances", ES_INTEGER,
	    .about = "number of calls, including those that did not wait" },
	{ "wait_ns", ES_INTEGER,
	    .about = "time spent waiting, as the method estimates it",
	    .unit = ES_UNIT_NS },
	{ "reliable", ES_INTEGER,
	    .about =
		"quality of the estimate; 0: poor, because the calls are waits "
		"that completed zero or several requests; 1: other calls" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "used", ES_INTEGER,
	    .about = "1: the estimate is the best source for the waiting of "
		     "these calls; 0: the trace is" },
	{ "overlap_ns", ES_INTEGER,
	    .about = "time from the first request that a call completes to the "
		     "call, summed over the calls; NULL: not recorded",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "wait_estimate",
	    .about = "waiting in MPI calls, estimated from the profile",
	    ES_COLUMNS(columns),
	    .order = "wait_ns DESC, rank, site, method",
	    .reading = es__sql_wait_estimate_reading,
	    .reading_about =
		"total waiting that method plain estimates, and its largest "
		"wait state" },
};

static bool
row_is_reliable(const struct es__wait_minimum *m)
{
	return (m->flags & ES_MPI_MANY) == 0;
}

/* Compares the keys of rows of the table. */
static int
row_order(const void *left, const void *right)
{
	const struct es__wait_minimum *const *x = left, *const *y = right;
	const struct es__wait_minimum *a = *x, *b = *y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	if (a->pattern != b->pattern)
		return a->pattern < b->pattern ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->used != b->used)
		return b->used - a->used;
	return row_is_reliable(b) - row_is_reliable(a);
}

struct sum {
	uint64_t calls;
	double wait_ns;
};

static struct sum
rows_sum(struct es__wait_minimum *const *rows, size_t count,
    enum es__wait_minimum_method method)
{
	struct sum sum = { 0 };

	for (size_t n = 0; n < count; n++) {
		/* The method leaves out calls whose data was there. */
		if (method == ES__WAIT_MINIMUM_READY &&
		    (rows[n]->flags & ES_MPI_READY) != 0)
			continue;
		sum.calls += rows[n]->calls;
		sum.wait_ns += rows[n]->wait_ns[method];
	}
	return sum;
}

/* Returns the sum of the known overlaps. */
static struct es_value
rows_overlap(struct es__wait_minimum *const *rows, size_t count)
{
	double sum = -1;

	for (size_t n = 0; n < count; n++)
		if (rows[n]->overlap_ns >= 0)
			sum = fmax(sum, 0) + rows[n]->overlap_ns;
	return sum < 0 ? ES_NIL : ES_INT(llround(sum));
}

static paths_status
rows_show(struct es_sink *sink, struct es__wait_minimum *const *rows,
    size_t count)
{
	const struct es__wait_minimum *m = rows[0];
	const struct es_mpi_function *function = es_mpi_function(m->function);
	paths_status st = PATHS_OK;

	for (int n = 0; st == PATHS_OK && n < ES__WAIT_MINIMUM_METHODS; n++) {
		enum es__wait_minimum_method method =
		    (enum es__wait_minimum_method)n;
		struct sum sum = rows_sum(rows, count, method);

		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ ES_INT(m->rank), es__id(m->site),
			ES_STR(es__wait_pattern_name(m->pattern)),
			ES_STR(es__wait_minimum_name(method)),
			ES_INT(sum.calls), ES_INT(llround(sum.wait_ns)),
			ES_INT(row_is_reliable(m)),
			es__text(function == NULL ? NULL : function->name),
			ES_INT(m->used), rows_overlap(rows, count) });
	}
	return st;
}

static paths_status
rows_show_all(struct es_sink *sink, struct es__wait_minimum **rows,
    size_t count)
{
	paths_status st = PATHS_OK;
	size_t from = 0;

	qsort(rows, count, sizeof(*rows), row_order);
	for (size_t n = 1; st == PATHS_OK && n <= count; n++) {
		if (n < count && row_order(&rows[n], &rows[from]) == 0)
			continue;
		st = rows_show(sink, rows + from, n - from);
		from = n;
	}
	return st;
}

static paths_status
wait_estimate_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__estimates *e;
	struct es__wait_minimum **rows;
	size_t count = 0;
	paths_status st = es__estimates_get(a, &e);

	if (st != PATHS_OK)
		return st;
	rows = calloc(e->count + 1, sizeof(*rows));
	if (rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for profiles");
	for (size_t n = 0; n < e->count; n++)
		if (e->rows[n].pattern != ES__WAIT_NONE)
			rows[count++] = &e->rows[n];
	st = rows_show_all(sink, rows, count);
	free(rows);
	return st;
}

const struct es_view es__view_wait_estimate = {
	.name = "wait_estimate",
	.about = "waiting in MPI calls, estimated from the profile",
	.question = "How long do MPI calls wait, if there is no trace?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = wait_estimate_compute,
	.needs = ES_NEED_MPI | ES_NEED_PROFILE,
};
