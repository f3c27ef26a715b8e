/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/rows.c - adds the times of a comparison up to tables
 */

#include "scopes/diff/diff_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A table in the making. */
struct table {
	struct es_diff *diff;
	struct es__intern names; /* its numbers are indices of the rows */
	struct es_diff_row *rows;
	size_t room;
};

static const char *const by_names[] = {
	[ES_DIFF_BY_THREAD] = "thread",
	[ES_DIFF_BY_ACTIVITY] = "activity",
	[ES_DIFF_BY_FUNCTION] = "function",
	[ES_DIFF_BY_SITE] = "site",
	[ES_DIFF_BY_PHASE] = "phase",
	[ES_DIFF_BY_STEP] = "step",
};

int
es_diff_by_name(const char *name)
{
	for (size_t n = 0; n < sizeof(by_names) / sizeof(by_names[0]); n++)
		if (strcmp(by_names[n], name) == 0)
			return (int)n;
	return -1;
}

const char *
es_diff_by_word(enum es_diff_by by)
{
	return by_names[by];
}

/* Finds a row, which is made if it is new. */
static paths_status
table_row(struct table *t, const char *name, struct es_diff_row **row)
{
	uint32_t before = t->names.count, index;
	paths_status st = es__intern_put(&t->names, name, strlen(name), &index);

	if (st != PATHS_OK)
		return st;
	if (!paths__array_reserve(&t->rows, (size_t)t->names.count, &t->room,
		sizeof(*t->rows)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	if (index == before)
		t->rows[index] = (struct es_diff_row){
			.name = es__intern_text(&t->diff->texts, name)
		};
	*row = &t->rows[index];
	return (*row)->name == NULL ? PATHS_ENOMEM : PATHS_OK;
}

static void
row_add(struct es_diff_row *row, unsigned kind, unsigned run, double ns)
{
	row->kinds[kind][run] += ns;
	row->ns[run] += ns;
}

/* Returns the name of the row that an entry is in. */
static const char *
entry_name(const struct es_diff *d, const struct es__diff_entry *e,
    enum es_diff_by by)
{
	switch (by) {
	case ES_DIFF_BY_THREAD:
		return es__diff_name(d, e->key.who);
	case ES_DIFF_BY_FUNCTION:
		return es__diff_name(d, e->function);
	case ES_DIFF_BY_SITE:
		return es__diff_name(d, e->site);
	default:
		return es__diff_name(d, e->key.where);
	}
}

static paths_status
table_entries(struct table *t, enum es_diff_by by)
{
	struct es_diff *d = t->diff;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < d->keys.count; n++) {
		const struct es__diff_entry *e = &d->entries[n];
		struct es_diff_row *row;

		st = table_row(t, entry_name(d, e, by), &row);
		for (unsigned run = 0; st == PATHS_OK && run < 2; run++)
			row_add(row, e->key.kind, run, e->ns[run]);
	}
	return st;
}

/* Returns the iterations that a row of steps has, so that each bin of both runs
   is in one row. */
static uint64_t
steps_width(const struct es_diff *d)
{
	uint64_t width = 1;

	/* A bin begins at a multiple of its width, a power of two. */
	for (size_t n = 0; n < d->bin_count; n++)
		while (width < d->bins[n].count)
			width *= 2;
	return width;
}

/* Writes the name of the row of a step that a bin is in. */
static void
step_name(const struct es__diff_bin *b, uint64_t width, char name[64])
{
	uint64_t first = b->first / width * width;

	if (width == 1)
		snprintf(name, 64, "%llu", (unsigned long long)first);
	else
		snprintf(name, 64, "%llu to %llu", (unsigned long long)first,
		    (unsigned long long)(first + width - 1));
}

/* Adds waiting to the time in operations. */
static void
row_fold(struct es_diff_row *row)
{
	for (unsigned run = 0; run < 2; run++) {
		row->kinds[ES_DIFF_OPERATIONS][run] +=
		    row->kinds[ES_DIFF_WAITING][run];
		row->kinds[ES_DIFF_WAITING][run] = 0;
	}
}

/* Adds the time of all threads that is in no loop.  fold: the waiting of a loop
   is not known. */
static paths_status
table_outside(struct table *t, bool fold)
{
	struct es_diff_row rest = t->diff->loops_total, *row;
	paths_status st;

	for (uint32_t n = 0; n < t->names.count; n++) {
		for (unsigned k = 0; k < ES_DIFF_KINDS; k++)
			for (unsigned run = 0; run < 2; run++) {
				rest.kinds[k][run] -= t->rows[n].kinds[k][run];
				rest.ns[run] -= t->rows[n].kinds[k][run];
			}
		if (fold)
			row_fold(&t->rows[n]);
	}
	if (fold)
		row_fold(&rest);
	st = table_row(t, "outside of loops", &row);
	if (st != PATHS_OK)
		return st;
	rest.name = row->name;
	*row = rest;
	return PATHS_OK;
}

static paths_status
table_bin(struct table *t, const struct es__diff_bin *b, const char *name)
{
	struct es_diff_row *row;
	paths_status st = table_row(t, name, &row);

	for (unsigned k = 0; st == PATHS_OK && k < ES_DIFF_OUTSIDE; k++)
		row_add(row, k, b->run, b->kinds[k]);
	return st;
}

static paths_status
table_bins(struct table *t, enum es_diff_by by)
{
	struct es_diff *d = t->diff;
	uint64_t width = steps_width(d);
	bool fold = false;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < d->bin_count; n++) {
		const struct es__diff_bin *b = &d->bins[n];
		char name[64];

		if (by == ES_DIFF_BY_STEP && !b->steps)
			continue;
		fold |= !b->waits;
		step_name(b, width, name);
		st = table_bin(t, b,
		    by == ES_DIFF_BY_STEP ? name : es__diff_name(d, b->loop));
	}
	return st == PATHS_OK ? table_outside(t, fold) : st;
}

static int
row_compare(const void *left, const void *right)
{
	const struct es_diff_row *a = left, *b = right;
	double one = fabs(a->ns[1] - a->ns[0]);
	double other = fabs(b->ns[1] - b->ns[0]);

	if (one != other)
		return one < other ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* The names of steps begin with numbers, that of the rest does not. */
static int
row_compare_steps(const void *left, const void *right)
{
	const struct es_diff_row *a = left, *b = right;

	return strverscmp(a->name, b->name);
}

paths_status
es_diff_rows(struct es_diff *d, enum es_diff_by by, size_t *count,
    struct es_diff_row **rows)
{
	struct table t = { .diff = d };
	bool bins = by == ES_DIFF_BY_PHASE || by == ES_DIFF_BY_STEP;
	paths_status st = bins ? table_bins(&t, by) : table_entries(&t, by);

	if (st == PATHS_OK)
		qsort(t.rows, t.names.count, sizeof(*t.rows),
		    by == ES_DIFF_BY_STEP ? row_compare_steps : row_compare);
	*count = t.names.count;
	es__intern_fini(&t.names);
	if (st == PATHS_OK)
		*rows = t.rows;
	else
		free(t.rows);
	return st;
}
