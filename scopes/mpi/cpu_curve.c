/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/cpu_curve.c - the time that threads were without a core, as a
 * function of time
 *
 * The function is piecewise linear.  Its points are found by binary search.
 */

#include "scopes/mpi/cpu_curve_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

paths_status
es__cpu_curve_add(struct es__cpu_curve *curve, int64_t from_ns, int64_t to_ns)
{
	if (to_ns <= from_ns)
		return PATHS_OK;
	if (!paths__array_reserve(&curve->points, curve->count + 2,
		&curve->room, sizeof(*curve->points)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	curve->points[curve->count++] =
	    (struct es__cpu_point){ .ns = from_ns, .threads = 1 };
	curve->points[curve->count++] =
	    (struct es__cpu_point){ .ns = to_ns, .threads = -1 };
	return PATHS_OK;
}

static int
curve_order(const void *left, const void *right)
{
	const struct es__cpu_point *a = left, *b = right;

	return (a->ns > b->ns) - (a->ns < b->ns);
}

void
es__cpu_curve_end(struct es__cpu_curve *curve)
{
	int64_t lost_ns = 0, threads = 0;

	if (curve->count > 0)
		qsort(curve->points, curve->count, sizeof(*curve->points),
		    curve_order);
	for (size_t n = 0; n < curve->count; n++) {
		struct es__cpu_point *p = &curve->points[n];

		if (n > 0)
			lost_ns += threads * (p->ns - p[-1].ns);
		threads += p->threads;
		p->threads = threads;
		p->lost_ns = lost_ns;
	}
}

/* Returns the number of points that are not after a time. */
static size_t
curve_find(const struct es__cpu_curve *curve, int64_t ns)
{
	size_t low = 0, high = curve->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (curve->points[middle].ns <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t
es__cpu_curve_near(const struct es__cpu_curve *curve, int64_t ns, size_t *near)
{
	const struct es__cpu_point *points = curve->points;

	if ((*near > 0 && points[*near - 1].ns > ns) ||
	    (*near < curve->count && points[*near].ns <= ns))
		*near = curve_find(curve, ns);
	if (*near == 0)
		return 0;
	points += *near - 1;
	return points->lost_ns + points->threads * (ns - points->ns);
}

int64_t
es__cpu_curve_at(const struct es__cpu_curve *curve, int64_t ns)
{
	return es__cpu_curve_near(curve, ns, &(size_t){ 0 });
}

void
es__cpu_curve_fini(struct es__cpu_curve *curve)
{
	free(curve->points);
}
