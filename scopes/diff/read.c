/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/read.c - reads the times of a run for a comparison
 *
 * Entries of both runs that have the same thread, kind and place are one.
 */

#include "scopes/diff/read_private.h"

#include "scopes/rows.h"
#include "scopes/store/sql_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ES__SQL(diff_elapsed);
ES__SQL(diff_mpi);
ES__SQL(diff_activity);
ES__SQL(diff_profile);
ES__SQL(diff_profile_elapsed);
ES__SQL(diff_bins);
ES__SQL(diff_waiting);
ES__SQL(diff_blame);
ES__SQL(diff_span);
ES__SQL(diff_source);

/* The measured interval of a thread. */
struct span {
	bool has;
	double from_ns, to_ns;
};

/* Number of iterations that no run has. */
#define BINS_END 0x1p62

/* The reading of a run. */
struct reading {
	struct es_diff *diff;
	unsigned run;
	struct span *spans; /* by number of the name of a thread */
	size_t span_count, span_room;
};

/* Takes a row of a query. */
typedef paths_status take_row(struct reading *r, const struct es_rows *rows);

static paths_status
read_rows(struct reading *r, struct es_store *store, const char *sql,
    take_row *take)
{
	struct es_rows *rows;
	paths_status st = es_rows_try(store, sql, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	while (st == PATHS_OK && (st = es_rows_next(rows)) == PATHS_OK)
		st = take(r, rows);
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Returns a number of a row; 0 for NULL. */
static double
row_number(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	if (value.kind == ES_REAL)
		return value.as.real;
	return value.kind == ES_INTEGER ? (double)value.as.integer : 0;
}

static bool
row_null(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_NULL;
}

/* Finds the number of a text. */
static paths_status
row_text(struct es_diff *d, const struct es_rows *rows, unsigned column,
    uint32_t *number)
{
	struct es_value value;
	const char *text = "?";

	es_rows_get(rows, column, &value);
	if (value.kind == ES_TEXT)
		text = value.as.text;
	return es__intern_put(&d->texts, text, strlen(text), number);
}

paths_status
es__diff_add(struct es_diff *d, unsigned run, const struct es__diff_entry *e)
{
	uint32_t before = d->keys.count, index;
	paths_status st =
	    es__intern_put(&d->keys, &e->key, sizeof(e->key), &index);

	if (st != PATHS_OK)
		return st;
	if (!paths__array_reserve(&d->entries, (size_t)d->keys.count,
		&d->entry_room, sizeof(*d->entries)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	if (index == before) {
		d->entries[index] = *e;
		memset(d->entries[index].ns, 0, sizeof(e->ns));
		memset(d->entries[index].path_ns, 0, sizeof(e->path_ns));
	}
	d->entries[index].ns[run] += e->ns[run];
	d->entries[index].path_ns[run] += e->path_ns[run];
	return PATHS_OK;
}

static paths_status
take_elapsed(struct reading *r, const struct es_rows *rows)
{
	r->diff->sides[r->run].elapsed_ns = row_number(rows, 0);
	return PATHS_OK;
}

static paths_status
take_mpi(struct reading *r, const struct es_rows *rows)
{
	r->diff->sides[r->run].mpi = row_number(rows, 0) != 0;
	r->diff->sides[r->run].calls = row_number(rows, 1) != 0;
	return PATHS_OK;
}

/* Takes an activity: its own time, and its waiting. */
static paths_status
take_activity(struct reading *r, const struct es_rows *rows)
{
	struct es_diff *d = r->diff;
	struct es__diff_entry e = { .key.kind = (uint32_t)row_number(rows, 1),
		.begin = UINT32_MAX,
		.end = UINT32_MAX };
	double wait_ns = row_number(rows, 6);
	paths_status st = row_text(d, rows, 0, &e.key.who);

	if (st == PATHS_OK)
		st = row_text(d, rows, 2, &e.key.where);
	if (st == PATHS_OK)
		st = row_text(d, rows, 3, &e.function);
	if (st == PATHS_OK)
		st = row_text(d, rows, 4, &e.site);
	if (st == PATHS_OK && !row_null(rows, 8))
		st = row_text(d, rows, 8, &e.begin);
	if (st == PATHS_OK && !row_null(rows, 9))
		st = row_text(d, rows, 9, &e.end);
	e.ns[r->run] = row_number(rows, 5);
	e.path_ns[r->run] = row_number(rows, 7);
	if (st == PATHS_OK)
		st = es__diff_add(d, r->run, &e);
	if (st != PATHS_OK || wait_ns == 0)
		return st;
	e.key.kind = ES_DIFF_WAITING;
	e.ns[r->run] = wait_ns;
	e.path_ns[r->run] = 0;
	return es__diff_add(d, r->run, &e);
}

/* Takes the waiting of all threads. */
static paths_status
take_waiting(struct reading *r, const struct es_rows *rows)
{
	r->diff->sides[r->run].waiting_ns = row_number(rows, 0);
	return PATHS_OK;
}

/* Takes the time that a thread waited for another one in one of the runs. */
static paths_status
take_blame(struct reading *r, const struct es_rows *rows)
{
	struct es_diff *d = r->diff;
	struct es__diff_blame b = { .ns = { 0 } };
	paths_status st = row_text(d, rows, 0, &b.waiter);

	if (st == PATHS_OK)
		st = row_text(d, rows, 1, &b.culprit);
	if (st != PATHS_OK)
		return st;
	b.ns[r->run] = row_number(rows, 2);
	if (!paths__array_grow(&d->blames, d->blame_count, &d->blame_room,
		sizeof(*d->blames)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	d->blames[d->blame_count++] = b;
	return PATHS_OK;
}

static paths_status
take_source(struct reading *r, const struct es_rows *rows)
{
	return row_text(r->diff, rows, 0, &r->diff->sides[r->run].source);
}

/* Takes the measured interval of a thread. */
static paths_status
take_span(struct reading *r, const struct es_rows *rows)
{
	uint32_t who;
	paths_status st = row_text(r->diff, rows, 0, &who);

	if (st != PATHS_OK)
		return st;
	if (!paths__array_reserve(&r->spans, (size_t)who + 1, &r->span_room,
		sizeof(*r->spans)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	for (; r->span_count <= who; r->span_count++)
		r->spans[r->span_count].has = false;
	r->spans[who] =
	    (struct span){ true, row_number(rows, 1), row_number(rows, 2) };
	return PATHS_OK;
}

/* Returns the length of the measured part of a time of a thread.  All of a
   thread without an interval is measured. */
static double
span_part(const struct reading *r, uint32_t who, double from_ns, double to_ns)
{
	if (who < r->span_count && r->spans[who].has) {
		from_ns = fmax(from_ns, r->spans[who].from_ns);
		to_ns = fmin(to_ns, r->spans[who].to_ns);
	}
	return fmax(to_ns - from_ns, 0);
}

/* Takes iterations of a loop in a thread.  The views cut operations and waiting
   to the measured interval. */
static paths_status
take_bin(struct reading *r, const struct es_rows *rows)
{
	struct es_diff *d = r->diff;
	struct es__diff_bin b = { .run = r->run,
		.first = (uint64_t)row_number(rows, 3),
		.count = (uint64_t)row_number(rows, 4),
		.steps = row_number(rows, 1) != 0,
		.waits = !row_null(rows, 8) };
	double operations = row_number(rows, 7), waiting = row_number(rows, 8);
	paths_status st = PATHS_OK;

	/* A damaged file may have any numbers. */
	if (row_number(rows, 3) < 0 || row_number(rows, 4) < 1 ||
	    row_number(rows, 3) + row_number(rows, 4) > BINS_END)
		return st;
	st = row_text(d, rows, 0, &b.loop);

	if (st == PATHS_OK)
		st = row_text(d, rows, 2, &b.who);
	if (st != PATHS_OK)
		return st;
	if (b.steps && b.first + b.count > d->sides[r->run].steps)
		d->sides[r->run].steps = b.first + b.count;
	b.kinds[ES_DIFF_COMPUTING] =
	    span_part(r, b.who, row_number(rows, 5), row_number(rows, 6)) -
	    operations;
	b.kinds[ES_DIFF_OPERATIONS] = operations - waiting;
	b.kinds[ES_DIFF_WAITING] = waiting;
	if (!paths__array_grow(&d->bins, d->bin_count, &d->bin_room,
		sizeof(*d->bins)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	d->bins[d->bin_count++] = b;
	return PATHS_OK;
}

/* The time of a thread that is in no activity. */
struct rest {
	double ns;
	bool has; /* the run has the thread */
};

/* Adds, for each thread, the time that no activity has.  Without a trace that
   is the time between calls. */
static paths_status
read_rest(struct reading *r)
{
	struct es_diff *d = r->diff;
	struct es__diff_side *side = &d->sides[r->run];
	const char *where =
	    side->traced ? "after the last operation" : ES__DIFF_BETWEEN;
	struct rest *rests = calloc((size_t)d->texts.count + 1, sizeof(*rests));
	uint32_t count = d->texts.count;
	struct es__diff_entry e = { .key.kind = side->traced ?
		    ES_DIFF_OUTSIDE :
		    ES_DIFF_COMPUTING,
		.begin = UINT32_MAX,
		.end = UINT32_MAX };
	paths_status st = PATHS_OK;

	if (rests == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	for (uint32_t n = 0; n < d->keys.count; n++) {
		rests[d->entries[n].key.who].ns += d->entries[n].ns[r->run];
		rests[d->entries[n].key.who].has |=
		    d->entries[n].ns[r->run] != 0;
	}
	st = es__intern_put(&d->texts, where, strlen(where), &e.key.where);
	if (st == PATHS_OK)
		st = es__intern_put(&d->texts,
		    side->traced ? "outside" : "computing",
		    side->traced ? 7 : 9, &e.function);
	e.site = e.function;
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		e.key.who = n;
		e.ns[r->run] = side->elapsed_ns - rests[n].ns;
		side->threads += rests[n].has;
		if (rests[n].has)
			st = es__diff_add(d, r->run, &e);
	}
	free(rests);
	return st;
}

paths_status
es__diff_read(struct es_diff *d, struct es_store *store, unsigned run)
{
	struct reading r = { .diff = d, .run = run };
	struct es__diff_side *side = &d->sides[run];
	paths_status st =
	    read_rows(&r, store, es__sql_diff_elapsed, take_elapsed);

	side->traced = side->elapsed_ns > 0;
	if (st == PATHS_OK)
		st = read_rows(&r, store, es__sql_diff_mpi, take_mpi);
	if (st == PATHS_OK && side->traced)
		st = read_rows(&r, store, es__sql_diff_activity, take_activity);
	if (st == PATHS_OK && !side->traced)
		st = read_rows(&r, store, es__sql_diff_profile_elapsed,
		    take_elapsed);
	if (st == PATHS_OK && !side->traced && side->elapsed_ns > 0)
		st = read_rows(&r, store, es__sql_diff_profile, take_activity);
	if (st == PATHS_OK)
		st = read_rows(&r, store, es__sql_diff_source, take_source);
	if (st == PATHS_OK && side->traced)
		st = read_rows(&r, store, es__sql_diff_span, take_span);
	if (st == PATHS_OK && side->traced)
		st = read_rows(&r, store, es__sql_diff_bins, take_bin);
	side->waiting_ns = -1;
	if (st == PATHS_OK && side->traced)
		st = read_rows(&r, store, es__sql_diff_waiting, take_waiting);
	if (st == PATHS_OK && side->traced)
		st = read_rows(&r, store, es__sql_diff_blame, take_blame);
	free(r.spans);
	if (st == PATHS_OK)
		st = read_rest(&r);
	if (st == PATHS_OK && side->threads == 0)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: has no MPI calls or operations to compare",
		    side->name);
	return st;
}
