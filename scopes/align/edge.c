/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/edge.c - the error of a link at the edges of windows
 *
 * The difference of two true clocks is nearly a line over two windows.  So at
 * the edge between them it is not above the line through the upper bounds of
 * both, and not below the line through the lower bounds.  With few messages,
 * the lines are those that fit between all bounds of a window and both of its
 * neighbours, and the one furthest off counts.
 *
 * The first and the last window have a neighbour on one side only, a single one
 * has none.  There the error at the edge is that of the line furthest off which
 * fits between all bounds of the window and its neighbour.
 */

#include "scopes/align/edge_private.h"

#include "scopes/align/hull_private.h"
#include "scopes/align/line_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

#define STEPS 60u
/* Messages of a link times windows: with fewer, all messages are looked at for
   each edge, which gives narrower bounds than the quickest ones alone. */
#define FEW 1e6

struct edges {
	const struct es__align *align;
	const struct es__align_link *link;
	const struct es__align_window *windows;
	double *errors; /* at the begin and the end of windows; < 0: unknown */
};

/* Returns by how much the corrections put the clock of host b behind that of
   host a. */
static double
edge_correction(const struct edges *e, double time)
{
	const struct es__align *align = e->align;

	return es__align_correction(align, &align->hosts[e->link->b], time) -
	    es__align_correction(align, &align->hosts[e->link->a], time);
}

/* Returns a bound at a time, on the line through those of two windows. */
static double
edge_between(const struct edges *e, const struct es__align_window *two[2],
    bool upper, double time)
{
	double at[2], ahead[2], share;

	for (unsigned n = 0; n < 2; n++) {
		at[n] = upper ? two[n]->upper_at : two[n]->lower_at;
		ahead[n] = (upper ? two[n]->upper : two[n]->lower) +
		    edge_correction(e, at[n]);
	}
	share = at[1] > at[0] ? (time - at[0]) / (at[1] - at[0]) : 0;
	share = fmin(fmax(share, 0), 1);
	return ahead[0] + (ahead[1] - ahead[0]) * share -
	    edge_correction(e, time);
}

/* Collects the messages of windows as a link between the clocks that the lines
   of hosts give.  The first window begins with the first message, and the last
   one ends with the last, as in es__align_windows_fill. */
static bool
edge_collect(const struct edges *e, uint32_t from, uint32_t to,
    struct es__align_link *part)
{
	const struct es__align *align = e->align;
	const struct es__align_host *a = &align->hosts[e->link->a];
	const struct es__align_host *b = &align->hosts[e->link->b];
	double begin =
	    from == 0 ? -INFINITY : align->begin + from * align->length;
	double end = to + 1 >= align->window_count ?
	    INFINITY :
	    align->begin + (to + 1) * align->length;

	for (size_t n = 0; n < e->link->count; n++) {
		struct es__align_message m = e->link->messages[n];

		m.x = es__align_line_time(a, m.x);
		m.y = es__align_line_time(b, m.y);
		m.bytes = 0;
		if (m.x < begin || m.x > end)
			continue;
		if (!paths__array_grow(&part->messages, part->count,
			&part->room, sizeof(m)))
			return false;
		part->messages[part->count++] = m;
	}
	return true;
}

/* Finds the error at a time from all messages of some windows; it is left as it
   is if they contradict each other, or are in one direction. */
static paths_status
edge_of_messages(const struct edges *e, uint32_t from, uint32_t to, double time,
    double *error)
{
	double correction = edge_correction(e, time);
	struct es__align_link part = { .line.centre = time };
	struct es__align_slopes all = { 0, ES__ALIGN_SLOPE, STEPS };
	paths_status st = PATHS_ENOMEM;

	if (edge_collect(e, from, to, &part))
		st = es__align_hulls(&part);
	if (st == PATHS_OK)
		part.line = es__align_line_find(&part, 0, all);
	if (st == PATHS_OK && part.hulls[0].count > 0 &&
	    part.hulls[1].count > 0 && part.line.margin >= 0) {
		struct es__align_range r = es__align_range(&part);

		*error =
		    fmax(es__align_line_furthest(&part, &r, false) - correction,
			correction - es__align_line_furthest(&part, &r, true));
	}
	es__align_hulls_fini(&part);
	free(part.messages);
	return st;
}

/* Finds the error of a window at its begin, or at its end.  neighbour: on the
   other side; the window itself if there is none */
static paths_status
edge_outer(const struct edges *e, uint32_t window, uint32_t neighbour,
    bool ends)
{
	return edge_of_messages(e, ends ? neighbour : window,
	    ends ? window : neighbour,
	    e->align->begin + e->align->length * (window + ends),
	    &e->errors[2 * window + ends]);
}

/* Finds the errors of a window and the next one that has bounds, at the edges
   between them. */
static paths_status
edge_inner(const struct edges *e, uint32_t before, uint32_t after)
{
	const struct es__align_window *two[2] = { &e->windows[before],
		&e->windows[after] };
	bool few = (double)e->link->count * e->align->window_count < FEW;
	paths_status st = PATHS_OK;

	for (unsigned n = 0; st == PATHS_OK && n < 2; n++) {
		double time = e->align->begin +
		    e->align->length * (n == 0 ? before + 1 : after);
		double *error = &e->errors[n == 0 ? 2 * before + 1 : 2 * after];

		*error = fmax(edge_between(e, two, true, time),
		    -edge_between(e, two, false, time));
		/* With the neighbour on the other side of the window. */
		if (few)
			st = edge_of_messages(e,
			    n == 0 && before > 0 ? before - 1 : before,
			    after + n, time, error);
	}
	return st;
}

/* Returns whether a clock jumps between two windows.  How far is not known so
   exactly. */
static bool
edge_jumps(const struct edges *e, uint32_t before, uint32_t after)
{
	for (uint32_t n = before + 1; n < after; n++)
		if (es__align_window_jumps(e->align, e->link, n))
			return true;
	return false;
}

/* Finds the errors at all edges of windows that have bounds. */
static paths_status
edges_find(const struct edges *e, const double *errors)
{
	uint32_t first = ES__ALIGN_NONE, second = ES__ALIGN_NONE;
	uint32_t last = ES__ALIGN_NONE, before = ES__ALIGN_NONE;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < e->align->window_count;
	     n++) {
		if (errors[n] < 0)
			continue;
		if (first == ES__ALIGN_NONE)
			first = n;
		else if (second == ES__ALIGN_NONE)
			second = n;
		if (last != ES__ALIGN_NONE && !edge_jumps(e, last, n))
			st = edge_inner(e, last, n);
		before = last;
		last = n;
	}
	if (st != PATHS_OK || first == ES__ALIGN_NONE)
		return st;
	if (second == ES__ALIGN_NONE)
		second = before = first;
	st = edge_outer(e, first, second, false);
	return st == PATHS_OK ? edge_outer(e, last, before, true) : st;
}

paths_status
es__align_edges(const struct es__align *align,
    const struct es__align_link *link, const struct es__align_window *windows,
    double *errors)
{
	struct edges e = { align, link, windows,
		calloc(2 * (size_t)align->window_count + 1, sizeof(double)) };
	paths_status st;

	if (e.errors == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < 2 * align->window_count; n++)
		e.errors[n] = -1;
	st = edges_find(&e, errors);
	for (uint32_t n = 0; st == PATHS_OK && n < align->window_count; n++) {
		double begin = e.errors[2 * n], end = e.errors[2 * n + 1];

		if (errors[n] < 0)
			continue;
		/* The error within the window is on a line between them. */
		if (begin >= 0 && end >= 0)
			errors[n] = fmax(begin, end);
		errors[n] = fmax(errors[n], fmax(begin, end));
	}
	free(e.errors);
	return st;
}
