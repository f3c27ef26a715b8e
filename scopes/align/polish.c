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

struct suspect {
	const struct es__align_link *link;
	const struct es__align_message *message;
	double gap;
};

struct suspects {
	struct suspect *all;
	size_t count, room;
};

static int
suspect_order(const void *left, const void *right)
{
	const struct suspect *a = left, *b = right;

	if (a->gap != b->gap)
		return a->gap < b->gap ? -1 : 1;
	return (a->message > b->message) - (a->message < b->message);
}

/* Collects the messages with gaps below a limit; returns the least gap. */
static double
suspects_scan(const struct es__align *align, double limit,
    struct suspects *found, bool *done)
{
	double least = INFINITY;

	*done = true;
	found->count = 0;
	for (size_t l = 0; *done && l < align->link_count; l++) {
		const struct es__align_link *link = &align->links[l];

		if (!align->hosts[link->a].connected)
			continue;
		for (size_t n = 0; n < link->count; n++) {
			struct suspect s = { link, &link->messages[n], 0 };

			s.gap = es__align_gap(align, link, s.message);
			least = s.gap < least ? s.gap : least;
			if (s.gap >= limit)
				continue;
			*done = paths__array_grow(&found->all, found->count,
			    &found->room, sizeof(s));
			if (!*done)
				break;
			found->all[found->count++] = s;
		}
	}
	return least;
}

/* Adds to the correction of a host at a stamp; returns the square of its
   weights. */
static double
host_weights(const struct es__align *align, uint32_t h, double x,
    uint32_t *corner, double *share)
{
	double time = es__align_line_time(&align->hosts[h], x);
	double where = (time - align->begin) / align->length;

	if (h == align->reference)
		return 0;
	where = fmin(fmax(where, 0), align->window_count);
	*corner = where >= align->window_count ? align->window_count - 1 :
						 (uint32_t)where;
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

/* Projects onto the worst messages; returns how many there are. */
static size_t
suspects_project(struct es__align *align, struct suspects *found)
{
	size_t count = 0;

	for (size_t n = 0; n < found->count; n++)
		found->all[n].gap = es__align_gap(align, found->all[n].link,
		    found->all[n].message);
	qsort(found->all, found->count, sizeof(*found->all), suspect_order);
	while (count < found->count && count < WORST &&
	    found->all[count].gap < GAP_NS)
		suspect_project(align, &found->all[count++]);
	return count;
}

/* Counts the messages that are received before they are sent. */
static size_t
suspects_refuted(const struct suspects *found)
{
	size_t count = 0;

	for (size_t n = 0; n < found->count; n++)
		count += found->all[n].gap < 0;
	return count;
}

paths_status
es__align_polish(struct es__align *align)
{
	struct suspects found = { 0 };
	bool done = true;
	double least = suspects_scan(align, GAP_NS, &found, &done);

	align->repaired = found.count;
	for (unsigned scan = 0; done && scan < SCANS && least < GAP_NS;
	     scan++) {
		suspects_scan(align, WATCHED_NS + fabs(least), &found, &done);
		for (unsigned n = 0; done && n < ROUNDS; n++)
			if (suspects_project(align, &found) == 0)
				break;
		if (done)
			least = suspects_scan(align, GAP_NS, &found, &done);
	}
	align->refuted = suspects_refuted(&found);
	free(found.all);
	return done ? PATHS_OK : PATHS_ENOMEM;
}
