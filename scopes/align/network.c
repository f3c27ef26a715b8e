/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/network.c - corrections of all clocks, computed together
 *
 * In each window the middle of the bounds of a link estimates the difference of
 * its two clocks.  All links take part, so on a mesh the errors of single links
 * average out.  With the corrections the windows are computed anew, several
 * times, because the extreme messages are others once the clocks run evenly.
 *
 * Source	Geng, Liu, Yin, Naik, Prabhakar, Rosenblum, Vahdat: Exploiting
 *		a Natural Network Effect for Scalable, Fine-grained Clock
 *		Synchronization, NSDI 2018
 */

#include "scopes/align/network_private.h"

#include "scopes/align/middle_private.h"
#include "scopes/align/polish_private.h"
#include "scopes/align/smooth_private.h"
#include "scopes/align/swift_private.h"
#include "scopes/align/window_private.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 4u
/* The first round whose clocks run evenly enough to find quick messages. */
#define SWIFT_ROUND 2u
/* Windows are halved so many times, while messages contradict them. */
#define FINER 5u
/* Windows that are not halved. */
#define SHORT_NS 2e7
/* Least delay. */
#define DELAY_NS 10.0

/* Computes the middles of a link. */
static paths_status
network_add(struct es__align_network *network, uint32_t l,
    struct es__align_window *windows)
{
	const struct es__align *align = network->align;
	const struct es__align_link *link = &align->links[l];
	double least[2] = { -INFINITY, -INFINITY };

	if (network->round >= SWIFT_ROUND) {
		paths_status st = es__align_swift(align, link, least);

		if (st != PATHS_OK)
			return st;
	}
	es__align_windows_fill(align, link,
	    &(struct es__align_filter){ true, least[0], least[1] }, windows);
	return es__align_middles(network, l, windows);
}

/* Computes the middles of all links. */
static paths_status
network_collect(struct es__align_network *network)
{
	const struct es__align *align = network->align;
	struct es__align_window *windows =
	    calloc(align->window_count + 1, sizeof(*windows));
	paths_status st = windows == NULL ? PATHS_ENOMEM : PATHS_OK;

	for (uint32_t l = 0; st == PATHS_OK && l < align->link_count; l++) {
		const struct es__align_link *link = &align->links[l];

		network->bias_variance[l] = DELAY_NS * DELAY_NS;
		if (align->hosts[link->a].connected && link->line.bounded)
			st = network_add(network, l, windows);
	}
	free(windows);
	return st;
}

/* Moves the corrections of hosts into the solution, or back. */
static void
network_exchange(struct es__align_network *network, bool back)
{
	for (uint32_t h = 0; h < network->align->host_count; h++) {
		double *from =
		    network->solution + es__align_network_host(network, h);
		double *to = network->align->hosts[h].corners;

		for (uint32_t k = 0; k < network->corners; k++) {
			if (back)
				to[k] = from[k];
			else
				from[k] = to[k];
		}
	}
}

static paths_status
network_round(struct es__align *align, unsigned round)
{
	struct es__align_network n = { .align = align,
		.round = round,
		.corners = align->window_count + 1 };
	paths_status st = PATHS_ENOMEM;

	n.unknowns = (size_t)align->host_count * n.corners + align->link_count;
	n.solution = calloc(n.unknowns + 1, sizeof(*n.solution));
	n.bias_variance =
	    calloc(align->link_count + 1, sizeof(*n.bias_variance));
	if (n.solution != NULL && n.bias_variance != NULL)
		st = network_collect(&n);
	if (st == PATHS_OK) {
		network_exchange(&n, false);
		st = es__align_smooth(&n);
	}
	if (st == PATHS_OK)
		network_exchange(&n, true);
	align->stiffness = n.stiffness;
	free(n.middles);
	free(n.bias_variance);
	free(n.solution);
	return st;
}

/* Aligns the hosts with the windows that there are. */
static paths_status
network_rounds(struct es__align *align)
{
	paths_status st = es__align_windows(align);

	for (unsigned n = 0; st == PATHS_OK && n < ROUNDS; n++)
		st = network_round(align, n);
	return st == PATHS_OK ? es__align_polish(align) : st;
}

paths_status
es__align_network(struct es__align *align)
{
	paths_status st = network_rounds(align);

	/* A clock moves more in a window than messages take. */
	while (st == PATHS_OK && align->refuted > 0 && align->finer < FINER &&
	    align->length > SHORT_NS) {
		align->finer++;
		st = network_rounds(align);
	}
	return st;
}
