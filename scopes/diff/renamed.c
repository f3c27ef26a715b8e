/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/renamed.c - finds code that has another name in the other run
 *
 * A computation is named by the calls that it lies between.  Where a call was
 * added or removed, the same code lies between other calls: it seems to be new
 * in one run, and gone in the other.
 */

#include "scopes/diff/renamed_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

/* A computation of a thread that one of the runs lacks. */
struct lone {
	struct es__diff_entry *entry;
	uint32_t index; /* keeps the order of equal ones */
	unsigned run;	/* that has it */
	double left_ns; /* for which no other name was found */
};

static int
lone_compare(const void *left, const void *right)
{
	const struct lone *a = left, *b = right;

	if (a->entry->key.who != b->entry->key.who)
		return a->entry->key.who < b->entry->key.who ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Returns whether two computations begin, or end, at the same place.  Those
   before the first call have no begin. */
static bool
lone_meets(const struct lone *a, const struct lone *b)
{
	return a->entry->begin == b->entry->begin ||
	    a->entry->end == b->entry->end;
}

/* Finds other names of the computations of a thread.  anywhere: also where
   neither begin nor end is the same, as between two calls that were added. */
static void
lone_match(struct lone *all, size_t count, bool anywhere)
{
	for (size_t n = 0; n < count; n++)
		for (size_t m = n + 1; m < count; m++) {
			double ns = fmin(all[n].left_ns, all[m].left_ns);

			if (all[n].run == all[m].run ||
			    (!anywhere && !lone_meets(&all[n], &all[m])))
				continue;
			all[n].left_ns -= ns;
			all[m].left_ns -= ns;
			all[n].entry->renamed_ns += ns;
			all[m].entry->renamed_ns += ns;
		}
}

paths_status
es__diff_renamed(struct es_diff *d)
{
	struct lone *all = calloc((size_t)d->keys.count + 1, sizeof(*all));
	size_t count = 0, end;

	if (all == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a comparison");
	for (uint32_t n = 0; n < d->keys.count; n++) {
		struct es__diff_entry *e = &d->entries[n];
		unsigned run = e->ns[0] > 0 ? 0 : 1;

		if (e->key.kind == ES_DIFF_COMPUTING && e->ns[run] > 0 &&
		    e->ns[1 - run] == 0)
			all[count++] = (struct lone){ e, n, run, e->ns[run] };
	}
	qsort(all, count, sizeof(*all), lone_compare);
	for (size_t first = 0; first < count; first = end) {
		for (end = first; end < count &&
		     all[end].entry->key.who == all[first].entry->key.who;
		     end++)
			;
		lone_match(&all[first], end - first, false);
		lone_match(&all[first], end - first, true);
	}
	free(all);
	return PATHS_OK;
}
