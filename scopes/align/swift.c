/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/swift.c - messages that are quicker than their link usually is
 *
 * A few messages of thousands may take another path through the kernel, for
 * instance because their receiver does not sleep yet.  In the windows that have
 * one of them the least travel is another one than in the rest, so the middles
 * of these windows are off by half of what it gains.
 *
 * They are found by the order of the travel times of a direction.  In all
 * common distributions, from an exponential one to a normal one, the quickest
 * message is not far from the one whose rank is the number of windows, compared
 * with how far that one is from the one with ten times its rank.  If quick
 * messages are so frequent that most windows have one, they are within that
 * rank, and count.
 */

#include "scopes/align/swift_private.h"

#include "scopes/align/window_private.h"

#include <math.h>
#include <stdlib.h>

/* The second rank, as a multiple of the first; and the messages that a
   direction must have, as a multiple of the second. */
#define RANKS 10u
#define MESSAGES 2u
/* Distance of quick messages from the first rank, as a multiple of that between
   both ranks. */
#define DISTANCE 1.5

/* The least travel times of a direction. */
struct quickest {
	double *values;
	size_t count, wanted; /* there is room for twice as many */
	double limit;	      /* greater ones are not wanted */
	size_t messages;      /* of the direction */
};

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void
quickest_sort(struct quickest *q)
{
	qsort(q->values, q->count, sizeof(*q->values), number_order);
	if (q->count < q->wanted)
		return;
	q->count = q->wanted;
	q->limit = q->values[q->count - 1];
}

static void
quickest_add(struct quickest *q, double travel)
{
	q->messages++;
	if (travel >= q->limit)
		return;
	q->values[q->count++] = travel;
	if (q->count == 2 * q->wanted)
		quickest_sort(q);
}

/* Returns the least travel that counts. */
static double
quickest_least(struct quickest *q, uint32_t windows)
{
	double first, least;

	quickest_sort(q);
	if (q->messages < MESSAGES * q->wanted)
		return -INFINITY;
	first = q->values[windows];
	least = first - DISTANCE * (q->values[q->wanted - 1] - first);
	return least > q->values[0] ? least : -INFINITY;
}

paths_status
es__align_swift(const struct es__align *align,
    const struct es__align_link *link, double least[2])
{
	size_t wanted = RANKS * (size_t)align->window_count + 1;
	const struct es__align_ends ends = es__align_ends(align, link);
	double *memory = malloc(4 * wanted * sizeof(*memory));
	struct quickest q[2] = {
		{ .values = memory, .wanted = wanted, .limit = INFINITY },
		{ .values = memory + 2 * wanted,
		    .wanted = wanted,
		    .limit = INFINITY },
	};

	if (memory == NULL)
		return PATHS_ENOMEM;
	for (size_t n = 0; n < link->count; n++) {
		const struct es__align_message *m = &link->messages[n];

		quickest_add(&q[m->back != 0],
		    es__align_ends_gap(&ends, m) - link->per_byte * m->bytes);
	}
	least[0] = quickest_least(&q[0], align->window_count);
	least[1] = quickest_least(&q[1], align->window_count);
	free(memory);
	return PATHS_OK;
}
