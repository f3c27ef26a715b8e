/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/bend.c - moves the time of a clock by amounts that are linear
 * between some stamps
 */

#include "scopes/clock/bend_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

/* Points so close to a line are on it. */
#define NEAR_NS 0.5

static paths_status
bend_keep(struct es__bend *bend, struct es__bend_point point)
{
	if (!paths__array_grow(&bend->points, bend->count, &bend->room,
		sizeof(point)))
		return PATHS_ENOMEM;
	bend->points[bend->count++] = point;
	bend->least = -INFINITY;
	bend->most = INFINITY;
	bend->open = false;
	return PATHS_OK;
}

paths_status
es__bend_add(struct es__bend *bend, uint64_t ticks, double moved)
{
	struct es__bend_point point = { ticks, moved };
	const struct es__bend_point *from;
	double away;
	paths_status st;

	if (bend->count == 0)
		return bend_keep(bend, point);
	from = &bend->points[bend->count - 1];
	if (ticks == (bend->open ? bend->last.ticks : from->ticks))
		return PATHS_OK;
	away = (double)(ticks - from->ticks);
	if (bend->open &&
	    (moved < from->moved + bend->least * away ||
		moved > from->moved + bend->most * away)) {
		st = bend_keep(bend, bend->last);
		if (st != PATHS_OK)
			return st;
		from = &bend->points[bend->count - 1];
		away = (double)(ticks - from->ticks);
	}
	bend->least = fmax(bend->least, (moved - NEAR_NS - from->moved) / away);
	bend->most = fmin(bend->most, (moved + NEAR_NS - from->moved) / away);
	bend->last = point;
	bend->open = true;
	return PATHS_OK;
}

/* Returns by how much a stamp moves; at: the point at or before it, which only
   goes on; slope: out, of what follows. */
static double
bend_moved(const struct es__bend *bend, uint64_t ticks, size_t *at,
    double *slope)
{
	const struct es__bend_point *p = &bend->points[*at];

	while (*at + 1 < bend->count && p[1].ticks <= ticks) {
		p++;
		(*at)++;
	}
	*slope = 0;
	if (ticks < p->ticks || *at + 1 == bend->count)
		return p->moved;
	*slope = (p[1].moved - p->moved) / (double)(p[1].ticks - p->ticks);
	return p->moved + *slope * (double)(ticks - p->ticks);
}

/* The pieces of a moved conversion. */
struct merge {
	const struct es__bend *bend;
	const struct es_timebase *base;
	size_t at; /* of the points */
	struct es_time_piece *pieces;
	uint32_t count;
};

/* Adds a piece at ticks, which only go on. */
static void
merge_add(struct merge *m, uint64_t ticks)
{
	struct es_time_piece old, *piece = &m->pieces[m->count];
	double slope, moved = bend_moved(m->bend, ticks, &m->at, &slope);
	wide reached;

	if (m->count > 0 && ticks <= piece[-1].from)
		return;
	(void)es_timebase_piece(m->base, es_timebase_find(m->base, ticks),
	    &old);
	*piece = (struct es_time_piece){ ticks,
		es_time_ns(m->base, ticks) + llround(moved),
		old.mult + llround(ldexp(slope, 48)) };
	if (m->count > 0) {
		reached =
		    (((wide)(ticks - piece[-1].from) * piece[-1].mult) >> 48) +
		    piece[-1].ns;
		piece->ns = piece->ns < reached ? (int64_t)reached : piece->ns;
	}
	m->count++;
}

/* Adds a piece at the begin of each old one, and at each point. */
static void
merge_run(struct merge *m)
{
	struct es_time_piece old;
	uint32_t n = 0;
	size_t next = 0;

	while (es_timebase_piece(m->base, n, &old) || next < m->bend->count) {
		bool is_old = es_timebase_piece(m->base, n, &old) &&
		    (next == m->bend->count ||
			old.from <= m->bend->points[next].ticks);

		merge_add(m, is_old ? old.from : m->bend->points[next].ticks);
		n += is_old;
		next += !is_old;
	}
}

/* Widens the bounds of the windows that the moved times are in. */
static void
bend_bounds(const struct es__bend *bend, struct es__clock_solution *s)
{
	for (uint32_t w = 0; w < s->window_count; w++) {
		struct es__clock_window *window = &s->windows[w];
		uint64_t begin =
		    w == 0 ? 0 : es_time_ticks(&s->base, window->begin_ns);
		uint64_t end = w + 1 == s->window_count ?
		    UINT64_MAX :
		    es_time_ticks(&s->base, window[1].begin_ns);
		double most = 0;

		for (size_t n = 0; n < bend->count; n++) {
			bool before = n + 1 < bend->count &&
			    bend->points[n + 1].ticks < begin;

			if (!before &&
			    (n == 0 || bend->points[n - 1].ticks <= end))
				most = fmax(most, bend->points[n].moved);
		}
		if (window->bound_ns >= 0)
			window->bound_ns += llround(ceil(most));
	}
}

paths_status
es__bend_apply(struct es__bend *bend, struct es__clock_solution *solution,
    bool *applied)
{
	uint32_t old =
	    solution->base.curve == NULL ? 1 : solution->base.curve->count;
	struct merge m = { .bend = bend, .base = &solution->base };
	struct es_timebase bent;
	paths_status st = PATHS_OK;
	double most = 0;

	*applied = false;
	if (bend->open)
		st = bend_keep(bend, bend->last);
	for (size_t n = 0; n < bend->count; n++)
		most = fmax(most, bend->points[n].moved);
	if (st != PATHS_OK || most == 0 ||
	    bend->count + old > ES_TIME_PIECES_MAX)
		return st;
	m.pieces = calloc(bend->count + old, sizeof(*m.pieces));
	if (m.pieces == NULL)
		return PATHS_ENOMEM;
	merge_run(&m);
	st = es_timebase_init(&bent, m.pieces, m.count);
	free(m.pieces);
	if (st != PATHS_OK)
		return st == PATHS_EINVAL ? PATHS_OK : st;
	es_timebase_fini(&solution->base);
	solution->base = bent;
	bend_bounds(bend, solution);
	*applied = true;
	return PATHS_OK;
}

void
es__bend_fini(struct es__bend *bend)
{
	free(bend->points);
}
