/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/coarse.c - a link in coarse windows of time
 */

#include "scopes/align/coarse_private.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW_MESSAGES 16u
/* Rates change by less between two windows, and jumps are larger. */
#define RATE 5e-6
#define JUMP_NS 1000.0
/* A jump is so much larger than the usual change between windows. */
#define UNUSUAL 8.0

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void
coarse_fill(struct es__align_coarse *s)
{
	for (unsigned n = 0; n < s->count; n++)
		s->windows[n] =
		    (struct es__align_coarse_window){ INFINITY, -INFINITY };
	for (size_t n = 0; n < s->link->count; n++) {
		const struct es__align_message *m = &s->link->messages[n];
		double ahead = es__align_coarse_ahead(s, m);
		struct es__align_coarse_window *w =
		    &s->windows[es__align_coarse_window(s, m)];

		if (m->back != 0 && ahead > w->lower)
			w->lower = ahead;
		if (m->back == 0 && ahead < w->upper)
			w->upper = ahead;
	}
}

/* Adds the median slope between windows to the slope of a link. */
static void
coarse_slope(struct es__align_coarse *s)
{
	double slopes[ES__ALIGN_COARSE];
	unsigned count = 0, last = 0;

	for (unsigned n = 0; n < s->count; n++) {
		const struct es__align_coarse_window *w = &s->windows[n];
		const struct es__align_coarse_window *v = &s->windows[last];

		if (!es__align_coarse_bounds(w))
			continue;
		if (n > last && es__align_coarse_bounds(v))
			slopes[count++] =
			    (w->upper + w->lower - v->upper - v->lower) / 2 /
			    (s->length * (n - last));
		last = n;
	}
	if (count == 0)
		return;
	qsort(slopes, count, sizeof(*slopes), number_order);
	s->slope += slopes[count / 2];
}

/* Finds by how much the middles of windows usually change. */
static void
coarse_typical(struct es__align_coarse *s)
{
	double changes[ES__ALIGN_COARSE];
	unsigned count = 0;

	for (unsigned n = 1; n < s->count; n++) {
		const struct es__align_coarse_window *w = &s->windows[n];
		const struct es__align_coarse_window *v = &s->windows[n - 1];

		if (es__align_coarse_bounds(w) && es__align_coarse_bounds(v))
			changes[count++] =
			    fabs(w->upper + w->lower - v->upper - v->lower) / 2;
	}
	qsort(changes, count, sizeof(*changes), number_order);
	s->typical = count > 0 ? changes[count / 2] : 0;
}

bool
es__align_coarse_open(struct es__align_coarse *s, struct es__align_link *link)
{
	double first = INFINITY, last = -INFINITY;

	*s = (struct es__align_coarse){ .link = link };
	if (link->count < 2 * (size_t)WINDOW_MESSAGES)
		return false;
	for (size_t n = 0; n < link->count; n++) {
		double x = link->messages[n].x;

		first = x < first ? x : first;
		last = x > last ? x : last;
	}
	s->count = link->count / WINDOW_MESSAGES > ES__ALIGN_COARSE ?
	    ES__ALIGN_COARSE :
	    (unsigned)(link->count / WINDOW_MESSAGES);
	s->begin = first;
	s->length = (last - first) / s->count;
	if (s->length <= 0)
		return false;
	s->per_ns = s->count / (last - first);
	coarse_fill(s);
	coarse_slope(s);
	coarse_fill(s);
	coarse_slope(s);
	coarse_fill(s);
	coarse_typical(s);
	return true;
}

double
es__align_coarse_slack(const struct es__align_coarse *s, unsigned apart)
{
	return JUMP_NS + RATE * s->length * apart + UNUSUAL * s->typical;
}
