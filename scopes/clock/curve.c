/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/curve.c - the pieces and windows of an aligned clock
 *
 * A piece begins at each corner and at each jump.  A clock that was set forward
 * has no stamps in between; one that was set back has stamps twice, and those
 * before the jump are taken for later ones.  No bound is given there.
 */

#include "scopes/clock/curve_private.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

/* Ticks at which a piece begins, and the time from there on. */
struct curve {
	const struct es__align *align;
	const struct es__align_host *host;
	uint32_t domain;
	const struct es_timebase *local;
	double *begins; /* in ns of the own clock, relative to the origin */
	uint32_t count;
	struct es_time_piece *pieces;
	uint32_t piece_count;
	bool bent; /* the pieces differ from the aligned clock: no bounds */
};

/* The shortest time for the rate of a window, in ns. */
#define CURVE_RATE_NS 1e7

/* Adds to a number.  Damaged stamps can make any sum. */
static int64_t
curve_later(int64_t time, double ns)
{
	ns = fmin(fmax(ns, -0x1p60), 0x1p60);
	return (int64_t)((uint64_t)time + (uint64_t)llround(ns));
}

/* Puts the first n jumps into a stamp without them. */
static double
curve_raw(const struct curve *c, size_t n, double x)
{
	while (n-- > 0) {
		const struct es__align_jump *j = &c->align->jumps[n];

		if (j->host == c->domain && x + j->ahead >= j->at)
			x += j->ahead;
	}
	return x;
}

/* Returns the time of the reference, in ns of its clock, at ticks. */
static int64_t
curve_time(const struct curve *c, uint64_t ticks)
{
	double x = (double)(int64_t)((uint64_t)es_time_ns(c->local, ticks) -
	    (uint64_t)c->host->origin);
	const struct es__align_host *reference =
	    &c->align->hosts[c->align->reference];

	return curve_later(reference->origin,
	    es__align_time(c->align, c->host,
		es__align_plain(c->align, c->domain, 0, x)));
}

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Returns whether a clock is a line. */
static bool
curve_is_straight(const struct curve *c)
{
	for (uint32_t k = 0; k <= c->align->window_count; k++)
		if (c->host->corners[k] != 0)
			return false;
	for (size_t n = 0; n < c->align->jump_count; n++)
		if (c->align->jumps[n].host == c->domain)
			return false;
	return true;
}

/* Lists the stamps at which pieces begin. */
static void
curve_divide(struct curve *c)
{
	const struct es__align *align = c->align;
	double before;

	for (uint32_t k = 0; k <= align->window_count; k++) {
		double time = align->begin + k * align->length;

		c->begins[c->count++] = curve_raw(c, align->jump_count,
		    (time - c->host->offset) / (1 + c->host->slope));
	}
	for (size_t n = 0; n < align->jump_count; n++) {
		const struct es__align_jump *j = &align->jumps[n];

		if (j->host != c->domain)
			continue;
		/* Set back: a stamp before the jump, so that the time in front
		   of it is not stretched. */
		before = j->ahead > 0 ? j->ahead :
					1 + (double)c->local->mult * 0x1p-47;
		c->begins[c->count++] = curve_raw(c, n, j->at);
		c->begins[c->count++] = curve_raw(c, n, j->at - before);
	}
	qsort(c->begins, c->count, sizeof(*c->begins), number_order);
}

/* Adds a piece at ticks, unless it would go back in time. */
static void
curve_add(struct curve *c, double x)
{
	struct es_time_piece *last, piece = { .mult = (int64_t)1 << 48 };
	wide length, mult, reached;

	piece.from = es_time_ticks(c->local, curve_later(c->host->origin, x));
	piece.ns = curve_time(c, piece.from);
	if (c->piece_count > 0) {
		last = &c->pieces[c->piece_count - 1];
		if (piece.from <= last->from)
			return;
		if (piece.ns < last->ns) {
			c->bent = true;
			return;
		}
		/* Rounded up, so that the time of its last stamp is not
		   early. */
		length = (wide)(piece.from - last->from);
		mult =
		    ((((wide)piece.ns - last->ns) << 48) + length - 1) / length;
		mult = mult < INT64_MAX ? mult : INT64_MAX;
		last->mult = mult > 0 ? (int64_t)mult : 1;
		/* More than 2^48 ticks round up to more than a ns. */
		reached = last->ns + ((length * last->mult) >> 48);
		piece.ns = piece.ns < reached ? (int64_t)reached : piece.ns;
	}
	c->pieces[c->piece_count++] = piece;
}

/* Continues the last piece at the rate of the clock. */
static void
curve_end(struct curve *c)
{
	struct es_time_piece *last = &c->pieces[c->piece_count - 1];

	last->mult = c->local->mult;
	if (c->piece_count > 1)
		last->mult = last[-1].mult;
}

/* Makes the conversion of a clock without corrections. */
static void
curve_straight(const struct curve *c, struct es_timebase *base)
{
	*base = *c->local;
	base->ns = curve_time(c, c->local->origin);
	base->mult =
	    curve_later(base->mult, (double)c->local->mult * c->host->slope);
}

/* Returns the clock minus the reference clock, at a time of the reference. */
static int64_t
curve_offset(const struct curve *c, const struct es_timebase *base,
    int64_t time_ns)
{
	return (int64_t)((uint64_t)es_time_ns(c->local,
			     es_time_ticks(base, time_ns)) -
	    (uint64_t)time_ns);
}

/* Makes the windows; before the first message and behind the last one there is
   no bound. */
static paths_status
curve_windows(const struct curve *c, struct es__clock_solution *solution)
{
	const struct es__align *align = c->align;
	uint32_t count = align->window_count + 2;
	int64_t origin = align->hosts[align->reference].origin;
	bool reference = c->domain == align->reference && curve_is_straight(c);
	/* Over less, the rounding to ticks would look like a rate. */
	double over = fmax(align->length, CURVE_RATE_NS);

	solution->windows = calloc(count, sizeof(*solution->windows));
	if (solution->windows == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < count; n++) {
		struct es__clock_window *w =
		    &solution->windows[solution->window_count];
		double begin = align->begin + (n - 1.0) * align->length;
		double bound =
		    n > 0 && n < count - 1 ? c->host->bounds[n - 1] : -1;
		int64_t end = curve_later(origin, begin + over);

		w->begin_ns = curve_later(origin, begin);
		w->offset_ns = curve_offset(c, &solution->base, w->begin_ns);
		w->rate_ppb = curve_later(0,
		    ((double)curve_offset(c, &solution->base, end) -
			(double)w->offset_ns) /
			over * 1e9);
		w->bound_ns = reference	 ? 0 :
		    bound < 0 || c->bent ? -1 :
					   curve_later(0, bound);
		if (reference && n > 0)
			continue;
		solution->window_count++;
	}
	if (reference)
		solution->windows[0] = (struct es__clock_window){
			.begin_ns = curve_later(origin, align->begin)
		};
	return PATHS_OK;
}

paths_status
es__clock_curve(const struct es__clocks *clocks, const struct es__align *align,
    uint32_t domain, struct es__clock_solution *solution)
{
	struct curve c = { .align = align,
		.host = &align->hosts[domain],
		.domain = domain,
		.local = &clocks->domains[domain].local };
	size_t room = align->window_count + 2 * align->jump_count + 1;
	paths_status st = PATHS_ENOMEM;

	if (curve_is_straight(&c)) {
		curve_straight(&c, &solution->base);
		return curve_windows(&c, solution);
	}
	c.begins = calloc(room, sizeof(*c.begins));
	c.pieces = calloc(room, sizeof(*c.pieces));
	if (c.begins != NULL && c.pieces != NULL) {
		curve_divide(&c);
		for (uint32_t n = 0; n < c.count; n++)
			curve_add(&c, c.begins[n]);
		curve_end(&c);
		st = es_timebase_init(&solution->base, c.pieces, c.piece_count);
		/* Damaged stamps can make any curve. */
		if (st == PATHS_EINVAL) {
			c.bent = true;
			st = es_timebase_init(&solution->base, c.pieces, 1);
		}
	}
	if (st == PATHS_OK)
		st = curve_windows(&c, solution);
	free(c.pieces);
	free(c.begins);
	return st;
}

paths_status
es__clock_curve_jumps(const struct es__align *align,
    struct es__clock_result *result)
{
	int64_t origin = align->hosts[align->reference].origin;

	result->jumps = calloc(align->jump_count + 1, sizeof(*result->jumps));
	if (result->jumps == NULL)
		return PATHS_ENOMEM;
	for (size_t n = 0; n < align->jump_count; n++) {
		const struct es__align_jump *j = &align->jumps[n];
		const struct es__align_host *host = &align->hosts[j->host];

		if (!host->connected)
			continue;
		result->jumps[result->jump_count++] =
		    (struct es__clock_jump){ .domain = j->host,
			    .at_ns = curve_later(origin,
				es__align_time(align, host,
				    es__align_plain(align, j->host, n, j->at))),
			    .ahead_ns = llround(j->ahead) };
	}
	return PATHS_OK;
}
