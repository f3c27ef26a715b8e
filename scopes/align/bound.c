/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/bound.c - bounds of the error of each clock in each window
 *
 * No message arrives before it is sent, so the error of a link in a window is
 * at most the larger of its two least gaps, with all of their delay.  The bound
 * of a host is the sum along the best way to the reference, over links that
 * have messages in both directions in that window, and none with a wrong stamp.
 * Without a way there is no bound.
 */

#include "scopes/align/bound_private.h"

#include "scopes/align/route_private.h"
#include "scopes/align/window_private.h"

#include <math.h>
#include <stdlib.h>

struct bounds {
	struct es__align *align;
	struct es__align_graph graph;
	struct es__align_window *windows; /* of a link */
	double *costs; /* of each window and link, windows first */
	double *lengths;
	uint32_t *via;
};

/* Returns whether the clock of a host jumps in a window. */
static bool
host_jumps(const struct es__align *align, uint32_t h, uint32_t window)
{
	double begin = align->begin + window * align->length;

	for (size_t n = 0; n < align->jump_count; n++) {
		const struct es__align_jump *j = &align->jumps[n];
		double at = es__align_line_time(&align->hosts[h],
		    es__align_plain(align, h, n, j->at));

		if (j->host == h && at + 2 * fabs(j->ahead) >= begin &&
		    at - 3 * fabs(j->ahead) <= begin + align->length)
			return true;
	}
	return false;
}

/* Removes the bound of a link in the window of a stamp. */
static void
bounds_remove(struct bounds *b, size_t l, uint32_t host, double x)
{
	const struct es__align *align = b->align;
	double at = es__align_time(align, &align->hosts[host],
	    es__align_plain(align, host, 0, x));
	double where = (at - align->begin) / align->length;

	if (where >= 0 && where < align->window_count)
		b->costs[(size_t)where * align->link_count + l] = -1;
}

static void
bounds_link(struct bounds *b, size_t l)
{
	const struct es__align *align = b->align;
	const struct es__align_link *link = &align->links[l];
	struct es__align_filter all = { false, -INFINITY, -INFINITY };

	es__align_windows_fill(align, link, &all, b->windows);
	for (uint32_t n = 0; n < align->window_count; n++) {
		const struct es__align_window *w = &b->windows[n];
		double cost = fmax(w->upper, -w->lower);
		bool good = es__align_window_bounds(w) &&
		    w->upper >= w->lower && !host_jumps(align, link->a, n) &&
		    !host_jumps(align, link->b, n);

		b->costs[n * align->link_count + l] = good ? cost : -1;
	}
	for (size_t n = 0; n < link->left_out; n++) {
		const struct es__align_message *m =
		    &link->messages[link->count + n];

		bounds_remove(b, l, link->a, m->x);
		bounds_remove(b, l, link->b, m->y);
	}
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
	b->lengths = calloc(align->host_count + 1, sizeof(*b->lengths));
	b->via = calloc(align->host_count + 1, sizeof(*b->via));
	done = es__align_graph_init(&b->graph, align) == PATHS_OK &&
	    b->windows != NULL && b->costs != NULL && b->lengths != NULL &&
	    b->via != NULL;
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
		bounds_link(&b, l);
	for (uint32_t n = 0; done && n < align->window_count; n++)
		bounds_window(&b, n);
	es__align_graph_fini(&b.graph);
	free(b.via);
	free(b.lengths);
	free(b.costs);
	free(b.windows);
	return done ? PATHS_OK : PATHS_ENOMEM;
}
