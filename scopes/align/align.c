/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/align.c - aligns clocks step by step
 */

#include "scopes/align/align_private.h"

#include "scopes/align/calm_private.h"
#include "scopes/align/hull_private.h"
#include "scopes/align/line_private.h"
#include "scopes/align/route_private.h"
#include "scopes/align/size_private.h"
#include "scopes/align/spread_private.h"
#include "scopes/align/step_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

/* Least number of messages in a direction whose spread is known. */
#define SPREAD_COUNT 10.0
/* Least spread of delays that is assumed. */
#define SPREAD_NS 10.0

paths_status
es__align_init(struct es__align *align, uint32_t hosts)
{
	*align = (struct es__align){ .host_count = hosts };
	align->hosts = calloc(hosts + 1, sizeof(*align->hosts));
	return align->hosts == NULL ? PATHS_ENOMEM : PATHS_OK;
}

void
es__align_fini(struct es__align *align)
{
	for (size_t n = 0; n < align->link_count; n++) {
		es__align_hulls_fini(&align->links[n]);
		free(align->links[n].messages);
	}
	for (uint32_t h = 0; align->hosts != NULL && h < align->host_count;
	     h++) {
		free(align->hosts[h].corners);
		free(align->hosts[h].bounds);
	}
	free(align->jumps);
	free(align->links);
	free(align->hosts);
}

struct es__align_link *
es__align_link(struct es__align *align, uint32_t from, uint32_t to)
{
	uint32_t a = from < to ? from : to, b = from < to ? to : from;

	for (size_t n = 0; n < align->link_count; n++)
		if (align->links[n].a == a && align->links[n].b == b)
			return &align->links[n];
	if (!paths__array_grow(&align->links, align->link_count,
		&align->link_room, sizeof(*align->links)))
		return NULL;
	align->links[align->link_count] =
	    (struct es__align_link){ .a = a, .b = b };
	return &align->links[align->link_count++];
}

static void
host_meet(struct es__align_host *host, double stamp)
{
	if (host->first > host->last)
		host->first = host->last = stamp;
	host->first = stamp < host->first ? stamp : host->first;
	host->last = stamp > host->last ? stamp : host->last;
}

paths_status
es__align_add(struct es__align *align, struct es__align_link *link,
    const struct es__align_trip *trip)
{
	bool back = trip->from != link->a;
	int64_t x = back ? trip->received : trip->sent;
	int64_t y = back ? trip->sent : trip->received;
	struct es__align_message *m;

	if (!paths__array_grow(&link->messages, link->count, &link->room,
		sizeof(*m)))
		return PATHS_ENOMEM;
	m = &link->messages[link->count++];
	/* Wraps: a damaged file can hold any stamp. */
	m->x = (double)(int64_t)((uint64_t)x -
	    (uint64_t)align->hosts[link->a].origin);
	m->y = (double)(int64_t)((uint64_t)y -
	    (uint64_t)align->hosts[link->b].origin);
	m->bytes = trip->bytes;
	m->back = back;
	return PATHS_OK;
}

/*
 * Lets the direction count more whose delays come closer to their least one:
 * its bounds are more exact.  With weights of one over the mean delay, the line
 * is the most likely one for delays that are exponential.
 */
static void
line_weigh(struct es__align_link *link, const struct es__align_spread s[2],
    struct es__align_slopes slopes)
{
	struct es__align_line line;

	if (link->line.margin < 0 || s[0].count < SPREAD_COUNT ||
	    s[1].count < SPREAD_COUNT)
		return;
	line = es__align_line_weigh(link, link->per_byte, slopes,
	    (struct es__align_weights){ s[0].count /
		    fmax(s[0].fifth, SPREAD_NS),
		s[1].count / fmax(s[1].fifth, SPREAD_NS) });
	if (line.margin >= 0)
		link->line = line;
}

/* Puts a line at the bounds of a link with messages in one direction. */
static void
line_one_way(struct es__align_link *link)
{
	unsigned back = link->hulls[0].count == 0;
	const struct es__align_hull *hull = &link->hulls[back];

	for (size_t n = 0; n < hull->count; n++) {
		double offset = hull->points[n].offset;

		if (n == 0 ||
		    (back ? offset > link->line.offset :
			    offset < link->line.offset))
			link->line.offset = offset;
	}
}

/* Returns the time from the centre of a line to the end of the run that is
   further away. */
static double
line_reach(const struct es__align *align, const struct es__align_link *link)
{
	const struct es__align_host *host = &align->hosts[link->a];

	return fmax(host->last - link->line.centre,
	    link->line.centre - host->first);
}

static paths_status
link_fit(const struct es__align *align, struct es__align_link *link)
{
	struct es__align_slopes all = { 0, ES__ALIGN_SLOPE, 120 };
	struct es__align_spread spread[2];
	paths_status st = es__align_hulls(link);

	if (st != PATHS_OK || link->count == 0)
		return st;
	link->line =
	    (struct es__align_line){ .centre = link->messages[0].x / 2 +
			link->messages[link->count - 1].x / 2 };
	if (link->hulls[0].count == 0 || link->hulls[1].count == 0) {
		line_one_way(link);
		return es__align_variance(link);
	}
	link->line = es__align_line_find(link, 0, all);
	es__align_size_find(link);
	if (link->per_byte > 0)
		link->line = es__align_line_find(link, link->per_byte, all);
	st = es__align_spread_find(link, spread);
	if (st != PATHS_OK)
		return st;
	line_weigh(link, spread, all);
	es__align_calm(link, spread, line_reach(align, link));
	return es__align_variance(link);
}

static void
align_meet(struct es__align *align)
{
	for (uint32_t h = 0; h < align->host_count; h++) {
		align->hosts[h].first = 1;
		align->hosts[h].last = 0;
	}
	for (size_t n = 0; n < align->link_count; n++) {
		const struct es__align_link *link = &align->links[n];

		for (size_t m = 0; m < link->count; m++) {
			host_meet(&align->hosts[link->a], link->messages[m].x);
			host_meet(&align->hosts[link->b], link->messages[m].y);
		}
	}
}

paths_status
es__align_lines(struct es__align *align)
{
	paths_status st = es__align_steps(align);

	align_meet(align);
	for (size_t n = 0; st == PATHS_OK && n < align->link_count; n++)
		st = link_fit(align, &align->links[n]);
	return st == PATHS_OK ? es__align_route(align) : st;
}
