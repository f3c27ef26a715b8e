/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/route.c - the most certain ways to the reference
 *
 * Dijkstra's algorithm over the variances of links: the tree of shortest ways
 * has the least variance for each host, a spanning tree has not.  The reference
 * is the host with the least sum of variances to all hosts that it reaches.
 */

#include "scopes/align/route_private.h"

#include "scopes/align/spread_private.h"

#include <math.h>
#include <stdlib.h>

/* Asymmetry of a path, as a share of the delay: standard deviation. */
#define ASYMMETRY 0.1
/* Least delay that is assumed. */
#define DELAY_NS 10.0
/* Standard deviation of a link without messages in one direction. */
#define ONE_WAY_NS 1e12

paths_status
es__align_variance(struct es__align_link *link)
{
	struct es__align_spread s[2];
	paths_status st = es__align_spread_find(link, s);
	double delay, spread;

	if (st != PATHS_OK)
		return st;
	link->variance = ONE_WAY_NS * ONE_WAY_NS;
	if (!link->line.bounded || s[0].count == 0 || s[1].count == 0)
		return PATHS_OK;
	delay = fmax((s[0].least + s[1].least) / 2, DELAY_NS) * ASYMMETRY;
	spread = s[0].tenth + s[1].tenth;
	link->variance = delay * delay + spread * spread;
	return PATHS_OK;
}

void
es__align_ways(const struct es__align *align, const double *cost, uint32_t from,
    double *lengths, uint32_t *via)
{
	uint32_t hosts = align->host_count, at = from;
	bool *done = calloc(hosts + 1, sizeof(*done));

	for (uint32_t h = 0; h < hosts; h++) {
		lengths[h] = h == from && done != NULL ? 0 : -1;
		via[h] = ES__ALIGN_NONE;
	}
	while (done != NULL && at != ES__ALIGN_NONE) {
		done[at] = true;
		for (size_t n = 0; n < align->link_count; n++) {
			const struct es__align_link *l = &align->links[n];
			uint32_t to = l->a == at ? l->b : l->a;
			double length = lengths[at] + cost[n];

			if ((l->a != at && l->b != at) || cost[n] < 0 ||
			    (lengths[to] >= 0 && lengths[to] <= length))
				continue;
			lengths[to] = length;
			via[to] = (uint32_t)n;
		}
		at = ES__ALIGN_NONE;
		for (uint32_t h = 0; h < hosts; h++) {
			if (!done[h] && lengths[h] >= 0 &&
			    (at == ES__ALIGN_NONE || lengths[h] < lengths[at]))
				at = h;
		}
	}
	free(done);
}

/* Sets the line of a host from that of its parent and the link to it. */
static void
route_add(struct es__align *align, uint32_t h, const struct es__align_link *l)
{
	const struct es__align_line *line = &l->line;
	struct es__align_host *host = &align->hosts[h];
	const struct es__align_host *parent;
	/* The parent's clock is that of the host + offset + slope * it. */
	double offset = line->offset - line->slope * line->centre;
	double slope = line->slope;

	host->parent = l->a == h ? l->b : l->a;
	if (h == l->b) {
		offset = -offset / (1 + slope);
		slope = -slope / (1 + slope);
	}
	parent = &align->hosts[host->parent];
	host->offset = offset + parent->offset + parent->slope * offset;
	host->slope = slope + parent->slope + parent->slope * slope;
}

/* Sets the lines of hosts, parents first. */
static void
route_follow(struct es__align *align, const double *lengths,
    const uint32_t *via)
{
	bool more = true;

	for (uint32_t h = 0; h < align->host_count; h++) {
		align->hosts[h].connected = h == align->reference;
		align->hosts[h].parent = ES__ALIGN_NONE;
		align->hosts[h].offset = align->hosts[h].slope = 0;
	}
	while (more) {
		more = false;
		for (uint32_t h = 0; h < align->host_count; h++) {
			struct es__align_host *host = &align->hosts[h];
			const struct es__align_link *l;

			if (host->connected || via[h] == ES__ALIGN_NONE)
				continue;
			l = &align->links[via[h]];
			if (!align->hosts[l->a == h ? l->b : l->a].connected)
				continue;
			route_add(align, h, l);
			host->connected = true;
			host->variance = lengths[h];
			more = true;
		}
	}
}

/* Returns whether a host reaches more hosts than the best one so far, or the
   same number on better ways. */
static bool
route_is_better(const struct es__align *align, const double *lengths,
    uint32_t *most, double *least)
{
	uint32_t count = 0;
	double sum = 0;

	for (uint32_t h = 0; h < align->host_count; h++) {
		count += lengths[h] >= 0;
		sum += lengths[h] >= 0 ? lengths[h] : 0;
	}
	if (count < *most || (count == *most && sum >= *least))
		return false;
	*most = count;
	*least = sum;
	return true;
}

paths_status
es__align_route(struct es__align *align)
{
	uint32_t hosts = align->host_count, most = 0;
	double *lengths = calloc(hosts + 1, sizeof(*lengths));
	uint32_t *via = calloc(hosts + 1, sizeof(*via));
	double *cost = calloc(align->link_count + 1, sizeof(*cost));
	double least = 0;

	if (lengths != NULL && via != NULL && cost != NULL && hosts > 0) {
		for (size_t n = 0; n < align->link_count; n++)
			cost[n] = align->links[n].count > 0 ?
			    align->links[n].variance :
			    -1;
		for (uint32_t h = 0; h < hosts; h++) {
			es__align_ways(align, cost, h, lengths, via);
			if (route_is_better(align, lengths, &most, &least))
				align->reference = h;
		}
		es__align_ways(align, cost, align->reference, lengths, via);
		route_follow(align, lengths, via);
		most++;
	}
	free(cost);
	free(via);
	free(lengths);
	return most > 0 || hosts == 0 ? PATHS_OK : PATHS_ENOMEM;
}
