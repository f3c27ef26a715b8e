/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/totals.c - adds up counts and times by two numbers
 */

#include "scopes/mpi/totals_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Returns the row of two numbers, or the free one where it belongs. */
static struct es__totals_row *
totals_row(const struct es__totals *t, uint32_t a, uint32_t b)
{
	uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
	size_t n = (size_t)(hash >> 32) & (t->room - 1);

	while (t->rows[n].instances != 0 &&
	    (t->rows[n].a != a || t->rows[n].b != b))
		n = (n + 1) & (t->room - 1);
	return &t->rows[n];
}

static paths_status
totals_grow(struct es__totals *t)
{
	struct es__totals larger = { .count = t->count,
		.room = t->room > 0 ? t->room * 2 : 32 };

	larger.rows = calloc(larger.room, sizeof(*larger.rows));
	if (larger.rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (size_t n = 0; n < t->room; n++)
		if (t->rows[n].instances != 0)
			*totals_row(&larger, t->rows[n].a, t->rows[n].b) =
			    t->rows[n];
	free(t->rows);
	*t = larger;
	return PATHS_OK;
}

paths_status
es__totals_add(struct es__totals *t, uint32_t a, uint32_t b, int64_t ns)
{
	struct es__totals_row *row;

	if (t->count * 2 >= t->room) {
		paths_status st = totals_grow(t);

		if (st != PATHS_OK)
			return st;
	}
	row = totals_row(t, a, b);
	t->count += row->instances == 0;
	row->a = a;
	row->b = b;
	row->instances++;
	row->ns += ns;
	return PATHS_OK;
}

static int
totals_order(const void *left, const void *right)
{
	const struct es__totals_row *x = left, *y = right;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

void
es__totals_sort(struct es__totals *t)
{
	size_t kept = 0;

	for (size_t n = 0; n < t->room; n++)
		if (t->rows[n].instances != 0)
			t->rows[kept++] = t->rows[n];
	if (kept > 0)
		qsort(t->rows, kept, sizeof(*t->rows), totals_order);
}

void
es__totals_fini(struct es__totals *t)
{
	free(t->rows);
}
