/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/polish.c - repairs single messages
 *
 * A message that must not be received before it is sent is a half-space in the
 * corrections of the four corners around it.  Projecting the corrections onto
 * the half-spaces of the worst messages, again and again, ends in a point of
 * all of them, if there is one.  Most messages are far from that, so a scan of
 * all first selects those with a small gap.
 *
 * Source	Kaczmarz: Angenaeherte Aufloesung von Systemen linearer
 *		Gleichungen, 1937
 */

#include "scopes/align/polish_private.h"

#include "scopes/align/network_private.h"

#include "scopes/align/window_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

#define SCANS 8u
#define ROUNDS 300u
#define WORST 3000u
/* Least gap, so that rounding to ticks and ns does not make it negative. */
#define GAP_NS 4.0
/* Messages with gaps up to this much above the worst one are watched. */
#define WATCHED_NS 2000.0
/* Messages that are watched, at most. */
#define SUSPECTS 200000u
/* Rounds without progress before it ends. */
#define IDLE 20u
/* One wrong message of so many is too many. */
#define HOPELESS 20u

struct suspect {
	const struct es__align_link *link;
	const struct es__align_message *message;
	double gap;
};

struct suspects {
	struct suspect *all;
	size_t count, room;
	/* Results of the last scan of all messages. */
	size_t messages, refuted;
	double least; /* gap */
};

static int
suspect_order(const void *left, const void *right)
{
	const struct suspect *a = left, *b = right;

	if (a->gap != b->gap)
		return a->gap < b->gap ? -1 : 1;
	/* The messages of a link are in one array, those of two links are
	   not. */
	if (a->link != b->link)
		return a->link < b->link ? -1 : 1;
	return (a->message > b->message) - (a->message < b->message);
}

/* Collects messages of a link with gaps below a limit. */
static bool
suspects_scan_link(const struct es__align *align,
    const struct es__align_link *link, double limit, struct suspects *found)
{
	const struct es__align_ends ends = es__align_ends(align, link);

	for (size_t n = 0; n < link->count; n++) {
		struct suspect s = { link, &link->messages[n], 0 };

		s.gap = es__align_ends_gap(&ends, s.message);
		found->least = s.gap < found->least ? s.gap : found->least;
		found->refuted += s.gap < 0;
		if (s.gap >= limit || found->count == SUSPECTS)
			continue;
		if (!paths__array_grow(&found->all, found->count, &found->room,
			sizeof(s)))
			return false;
		found->all[found->count++] = s;
	}
	found->messages += link->count;
	return true;
}

/* Collects the messages with gaps below a limit. */
static bool
suspects_scan(const struct es__align *align, double limit,
    struct suspects *found)
{
	found->count = found->messages = found->refuted = 0;
	found->least = INFINITY;
	for (size_t l = 0; l < align->link_count; l++) {
		const struct es__align_link *link = &align->links[l];

		if (align->hosts[link->a].connected &&
		    !suspects_scan_link(align, link, limit, found))
			return false;
	}
	return true;
}

/* Finds the corrections that a stamp of a host depends on; returns the sum of
   the squares of their weights. */
static double
host_weights(const struct es__align *align, uint32_t h, double x,
    uint32_t *corner, double *share)
{
	double time = es__align_line_time(&align->hosts[h], x);
	double where =
	    fmin(fmax(es__align_where(align, time), 0), align->window_count);

	if (h == align->reference)
		return 0;
	*corner = es__align_window_at(align, where);
	*share = where - *corner;
	return *share * *share + (1 - *share) * (1 - *share);
}

static void
host_move(struct es__align *align, uint32_t h, uint32_t corner, double share,
    double by)
{
	double *corners = align->hosts[h].corners + corner;

	if (h == align->reference)
		return;
	corners[0] += by * (1 - share);
	corners[1] += by * share;
}

/* Projects the corrections onto the half-space of a message. */
static void
suspect_project(struct es__align *align, const struct suspect *s)
{
	const struct es__align_link *link = s->link;
	uint32_t corner_a = 0, corner_b = 0;
	double share_a = 0, share_b = 0, weights, step;
	double gap = es__align_gap(align, link, s->message);

	if (gap >= GAP_NS)
		return;
	weights =
	    host_weights(align, link->a, s->message->x, &corner_a, &share_a) +
	    host_weights(align, link->b, s->message->y, &corner_b, &share_b);
	if (weights <= 0)
		return;
	step = (1.02 * (GAP_NS - gap) + 1) / weights;
	/* Corrections are subtracted, and the receiver's time must grow. */
	step = s->message->back != 0 ? -step : step;
	host_move(align, link->a, corner_a, share_a, step);
	host_move(align, link->b, corner_b, share_b, -step);
}

/* Projects onto the worst messages; returns the least gap before. */
static double
suspects_project(struct es__align *align, struct suspects *found)
{
	size_t count = 0;

	/* Stamps that are wrong move to the front. */
	for (size_t n = 0; n < found->count; n++) {
		struct suspect s = found->all[n];

		s.gap = es__align_gap(align, s.link, s.message);
		found->all[n] = found->all[count];
		if (s.gap < GAP_NS)
			found->all[count++] = s;
		else
			found->all[n] = s;
	}
	qsort(found->all, count, sizeof(*found->all), suspect_order);
	for (size_t n = 0; n < count && n < WORST; n++)
		suspect_project(align, &found->all[n]);
	return count > 0 ? found->all[0].gap : GAP_NS;
}

/* Projects until all suspects are right, or it does not become better. */
static void
suspects_repair(struct es__align *align, struct suspects *found)
{
	double best = -INFINITY;
	unsigned idle = 0;

	for (unsigned n = 0; n < ROUNDS && idle < IDLE; n++) {
		double least = suspects_project(align, found);

		if (least >= GAP_NS)
			return;
		idle = least > best ? 0 : idle + 1;
		best = least > best ? least : best;
	}
}

paths_status
es__align_polish(struct es__align *align)
{
	struct suspects found = { 0 };
	bool done = suspects_scan(align, GAP_NS, &found);

	align->repaired = found.refuted;
	for (unsigned scan = 0; done && scan < SCANS && found.least < GAP_NS;
	     scan++) {
		/* Projections cannot mend a clock that is wrong as a whole. */
		if (found.refuted > found.messages / HOPELESS)
			break;
		done = suspects_scan(align, WATCHED_NS + fabs(found.least),
		    &found);
		if (done) {
			suspects_repair(align, &found);
			done = suspects_scan(align, GAP_NS, &found);
		}
	}
	align->refuted = found.refuted;
	free(found.all);
	return done ? PATHS_OK : PATHS_ENOMEM;
}
