/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/tree.c - breadth-first tree of clocks
 */

#include "scopes/clock/tree_private.h"

#include "libpaths/map.h"

#include <stdlib.h>

/* Visits the neighbours of a domain that were not visited yet.  count is the
   length of clocks->order before the call; returns the length after it. */
static uint32_t
tree_visit(struct es__clocks *clocks, uint32_t domain, uint32_t *height,
    uint32_t count)
{
	for (uint32_t e = 0; e < clocks->edge_count; e++) {
		const struct es__clock_edge *edge = &clocks->edges[e];
		uint32_t next = edge->from == domain ? edge->to : edge->from;

		if ((edge->from != domain && edge->to != domain) ||
		    edge->operations == 0 || height[next] != PATHS_NONE)
			continue;
		height[next] = height[domain] + 1;
		clocks->parent[next] = domain;
		clocks->order[count++] = next;
	}
	return count;
}

/* Grows the tree from a root; returns its height. */
static uint32_t
tree_from(struct es__clocks *clocks, uint32_t root, uint32_t *height)
{
	uint32_t count = 1;

	for (uint32_t d = 0; d < clocks->domain_count; d++)
		height[d] = clocks->parent[d] = PATHS_NONE;
	height[root] = 0;
	clocks->order[0] = root;
	for (uint32_t n = 0; n < count; n++)
		count = tree_visit(clocks, clocks->order[n], height, count);
	clocks->order_count = count;
	return height[clocks->order[count - 1]];
}

paths_status
es__clock_tree_grow(struct es__clocks *clocks)
{
	uint32_t *height = calloc(clocks->domain_count + 1, sizeof(*height));
	uint32_t best = 0, reached = 0, lowest = 0;

	clocks->parent = calloc(clocks->domain_count + 1, sizeof(uint32_t));
	clocks->order = calloc(clocks->domain_count + 1, sizeof(uint32_t));
	if (height == NULL || clocks->parent == NULL || clocks->order == NULL) {
		free(height);
		return PATHS_ENOMEM;
	}
	for (uint32_t d = 0; d < clocks->domain_count; d++) {
		uint32_t high = tree_from(clocks, d, height);

		if (clocks->order_count > reached ||
		    (clocks->order_count == reached && high < lowest)) {
			best = d;
			reached = clocks->order_count;
			lowest = high;
		}
	}
	if (clocks->domain_count > 0)
		tree_from(clocks, best, height);
	free(height);
	return PATHS_OK;
}
