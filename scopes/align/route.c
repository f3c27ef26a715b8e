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

#include "libpaths/base/heap.h"

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
	link->variance = delay * delay + spread * spread +
	    link->line.error * link->line.error;
	return PATHS_OK;
}

paths_status
es__align_graph_init(struct es__align_graph *graph,
    const struct es__align *align)
{
	uint32_t hosts = align->host_count;

	*graph = (struct es__align_graph){ .align = align };
	graph->first = calloc((size_t)hosts + 2, sizeof(*graph->first));
	graph->links = calloc(2 * align->link_count + 1, sizeof(uint32_t));
	graph->done = calloc((size_t)hosts + 1, sizeof(*graph->done));
	graph->reached =
	    calloc(2 * align->link_count + 2, sizeof(*graph->reached));
	if (graph->first == NULL || graph->links == NULL ||
	    graph->done == NULL || graph->reached == NULL)
		return PATHS_ENOMEM;
	for (size_t n = 0; n < align->link_count; n++) {
		graph->first[align->links[n].a + 2]++;
		graph->first[align->links[n].b + 2]++;
	}
	for (uint32_t h = 1; h < hosts; h++)
		graph->first[h + 1] += graph->first[h];
	/* first[h + 1] is the next place of host h, and in the end the first
	   one of host h + 1. */
	for (size_t n = 0; n < align->link_count; n++) {
		const struct es__align_link *l = &align->links[n];

		graph->links[graph->first[l->a + 1]++] = (uint32_t)n;
		graph->links[graph->first[l->b + 1]++] = (uint32_t)n;
	}
	return PATHS_OK;
}

void
es__align_graph_fini(struct es__align_graph *graph)
{
	free(graph->first);
	free(graph->links);
	free(graph->reached);
	free(graph->done);
}

static bool
reached_before(const void *context, const void *left, const void *right)
{
	const struct es__align_reached *a = left, *b = right;

	(void)context;
	return a->length != b->length ? a->length < b->length :
					a->host < b->host;
}

static const struct paths__heap_kind reached_kind = {
	sizeof(struct es__align_reached), reached_before
};

/* A search for the shortest ways. */
struct ways {
	const struct es__align_graph *graph;
	const double *cost;
	double *lengths;
	uint32_t *via;
	struct paths__heap heap; /* graph->reached */
};

/* Shortens ways by the links of a host. */
static void
ways_follow(struct ways *w, uint32_t at)
{
	const struct es__align_graph *graph = w->graph;

	for (size_t n = graph->first[at]; n < graph->first[at + 1]; n++) {
		uint32_t link = graph->links[n];
		const struct es__align_link *l = &graph->align->links[link];
		uint32_t to = l->a == at ? l->b : l->a;
		double length = w->lengths[at] + w->cost[link];

		if (w->cost[link] < 0 || graph->done[to] ||
		    (w->lengths[to] >= 0 && w->lengths[to] <= length))
			continue;
		w->lengths[to] = length;
		w->via[to] = link;
		graph->reached[w->heap.count++] =
		    (struct es__align_reached){ length, to };
		paths__heap_rise(&w->heap, &reached_kind, w->heap.count - 1);
	}
}

void
es__align_ways(const struct es__align_graph *graph, const double *cost,
    uint32_t from, double *lengths, uint32_t *via)
{
	struct es__align_reached spare;
	struct ways w = { graph, cost, lengths, via,
		{ .items = graph->reached, .spare = &spare } };

	for (uint32_t h = 0; h < graph->align->host_count; h++) {
		lengths[h] = h == from ? 0 : -1;
		via[h] = ES__ALIGN_NONE;
		graph->done[h] = false;
	}
	graph->reached[w.heap.count++] = (struct es__align_reached){ 0, from };
	while (w.heap.count > 0) {
		uint32_t at = graph->reached[0].host;

		graph->reached[0] = graph->reached[--w.heap.count];
		if (w.heap.count > 0)
			paths__heap_sink(&w.heap, &reached_kind, 0);
		if (graph->done[at])
			continue;
		graph->done[at] = true;
		ways_follow(&w, at);
	}
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

/* Chooses the reference, and finds the ways to it. */
static void
route_choose(struct es__align *align, const struct es__align_graph *graph,
    const double *cost, double *lengths, uint32_t *via)
{
	uint32_t most = 0;
	double least = 0;

	for (uint32_t h = 0; h < align->host_count; h++) {
		es__align_ways(graph, cost, h, lengths, via);
		if (route_is_better(align, lengths, &most, &least))
			align->reference = h;
	}
	es__align_ways(graph, cost, align->reference, lengths, via);
}

paths_status
es__align_route(struct es__align *align)
{
	uint32_t hosts = align->host_count;
	double *lengths = calloc((size_t)hosts + 1, sizeof(*lengths));
	uint32_t *via = calloc((size_t)hosts + 1, sizeof(*via));
	double *cost = calloc(align->link_count + 1, sizeof(*cost));
	struct es__align_graph graph;
	paths_status st = es__align_graph_init(&graph, align);

	if (lengths == NULL || via == NULL || cost == NULL)
		st = PATHS_ENOMEM;
	for (size_t n = 0; st == PATHS_OK && n < align->link_count; n++)
		cost[n] =
		    align->links[n].count > 0 ? align->links[n].variance : -1;
	if (st == PATHS_OK && hosts > 0) {
		route_choose(align, &graph, cost, lengths, via);
		route_follow(align, lengths, via);
	}
	es__align_graph_fini(&graph);
	free(cost);
	free(via);
	free(lengths);
	return st;
}
