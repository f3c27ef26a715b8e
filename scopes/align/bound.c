/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/bound.c - bounds of the error of each clock in each window
 *
 * No message arrives before it is sent, so the error of a link at the times of
 * the two quickest messages of a window is at most their gap, with all of their
 * delay.  At other times it may be larger, if the rate of an aligned clock is
 * wrong.  True clocks have nearly one rate over two windows, so the bounds at
 * the begin and the end of a window are between those of neighbours (edge.c).
 *
 * The bound of a host is the sum along the best way to the reference, over
 * links that have messages in both directions in that window, and none with a
 * wrong stamp.  Without a way there is no bound.
 */

#include "scopes/align/bound_private.h"

#include "scopes/align/edge_private.h"
#include "scopes/align/route_private.h"
#include "scopes/align/window_private.h"

#include <math.h>
#include <stdlib.h>

struct bounds {
	struct es__align *align;
	struct es__align_graph graph;
	struct es__align_window *windows; /* of a link */
	double *costs;	/* of each window and link, windows first */
	double *errors; /* of each window of a link; < 0: not bounded */
	double *lengths;
	uint32_t *via;
};

/* Removes the bound of a link in the window of a stamp. */
static void
bounds_remove(struct bounds *b, size_t l, uint32_t host, double x)
{
	const struct es__align *align = b->align;
	double at = es__align_time(align, &align->hosts[host],
	    es__align_plain(align, host, 0, x));
	double where = es__align_where(align, at);

	if (where >= 0 && where < align->window_count)
		b->costs[(size_t)where * align->link_count + l] = -1;
}

static paths_status
bounds_link(struct bounds *b, size_t l)
{
	const struct es__align *align = b->align;
	const struct es__align_link *link = &align->links[l];
	struct es__align_filter all = { false, -INFINITY, -INFINITY };
	paths_status st;

	es__align_windows_fill(align, link, &all, b->windows);
	for (uint32_t n = 0; n < align->window_count; n++) {
		const struct es__align_window *w = &b->windows[n];
		bool good = es__align_window_bounds(w) &&
		    w->upper >= w->lower &&
		    !es__align_window_jumps(align, link, n);

		b->errors[n] = good ? fmax(w->upper, -w->lower) : -1;
	}
	st = es__align_edges(align, link, b->windows, b->errors);
	for (uint32_t n = 0; n < align->window_count; n++)
		b->costs[n * align->link_count + l] = b->errors[n];
	for (size_t n = 0; n < link->left_out; n++) {
		const struct es__align_message *m =
		    &link->messages[link->count + n];

		bounds_remove(b, l, link->a, m->x);
		bounds_remove(b, l, link->b, m->y);
	}
	return st;
}

static void
bounds_window(struct bounds *b, uint32_t n)
{
	struct es__align *align = b->align;

	es__align_ways(&b->graph, b->costs + n * align->link_count,
	    align->reference, b->lengths, b->via);
	for (uint32_t h = 0; h < align->host_count; h++)
		align->hosts[h].bounds[n] = b->lengths[h];
}

static bool
bounds_open(struct bounds *b, struct es__align *align)
{
	bool done;

	*b = (struct bounds){ .align = align };
	b->windows = calloc(align->window_count + 1, sizeof(*b->windows));
	b->costs = calloc((size_t)align->window_count * align->link_count + 1,
	    sizeof(*b->costs));
	b->errors = calloc(align->window_count + 1, sizeof(*b->errors));
	b->lengths = calloc(align->host_count + 1, sizeof(*b->lengths));
	b->via = calloc(align->host_count + 1, sizeof(*b->via));
	done = es__align_graph_init(&b->graph, align) == PATHS_OK &&
	    b->windows != NULL && b->costs != NULL && b->errors != NULL &&
	    b->lengths != NULL && b->via != NULL;
	for (uint32_t h = 0; h < align->host_count; h++) {
		struct es__align_host *host = &align->hosts[h];

		free(host->bounds);
		host->bounds =
		    calloc(align->window_count + 1, sizeof(*host->bounds));
		done = done && host->bounds != NULL;
	}
	return done;
}

paths_status
es__align_bounds(struct es__align *align)
{
	struct bounds b;
	bool done = bounds_open(&b, align);

	for (size_t l = 0; done && l < align->link_count; l++)
		done = bounds_link(&b, l) == PATHS_OK;
	for (uint32_t n = 0; done && n < align->window_count; n++)
		bounds_window(&b, n);
	es__align_graph_fini(&b.graph);
	free(b.via);
	free(b.lengths);
	free(b.costs);
	free(b.errors);
	free(b.windows);
	return done ? PATHS_OK : PATHS_ENOMEM;
}
