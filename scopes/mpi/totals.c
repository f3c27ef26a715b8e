/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/totals.c - adds up counts and times by two numbers
 */

#include "scopes/mpi/totals_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static bool
totals_used(const void *item)
{
	return ((const struct es__totals_row *)item)->instances != 0;
}

static uint64_t
totals_hash(const void *item)
{
	const struct es__totals_row *row = item;

	return ((uint64_t)row->a << 32 | row->b) *
	    UINT64_C(0x9e3779b97f4a7c15) >>
	    32;
}

static bool
totals_equal(const void *left, const void *right)
{
	const struct es__totals_row *x = left, *y = right;

	return x->a == y->a && x->b == y->b;
}

static const struct paths__hash_kind totals_kind = {
	.bytes = sizeof(struct es__totals_row),
	.used = totals_used,
	.hash = totals_hash,
	.equal = totals_equal,
};

paths_status
es__totals_add(struct es__totals *t, uint32_t a, uint32_t b,
    struct es__doubted wait, int64_t lost_ns)
{
	const struct es__totals_row key = { .a = a, .b = b };
	struct es__totals_row *row =
	    paths__hash_put(&t->table, &totals_kind, &key);

	if (row == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	row->instances++;
	row->ns += wait.ns;
	row->undecided += wait.undecided;
	row->bound_ns += wait.bound_ns;
	row->lost_ns += lost_ns;
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
	t->rows = t->table.slots;
	for (size_t n = 0; n < t->table.room; n++)
		if (t->rows[n].instances != 0)
			t->rows[t->count++] = t->rows[n];
	if (t->count > 0)
		qsort(t->rows, t->count, sizeof(*t->rows), totals_order);
}

void
es__totals_pack(const struct es__totals *t, struct es__pack *pack)
{
	es__pack_put_array(pack, t->rows, t->count, sizeof(*t->rows));
}

void
es__totals_unpack(struct es__totals *t, struct es__pack *pack)
{
	*t = (struct es__totals){ .count = 0 };
	t->rows = es__pack_get_array(pack, &t->count, sizeof(*t->rows));
	t->table.slots = t->rows;
}

void
es__totals_fini(struct es__totals *t)
{
	free(t->table.slots);
}
