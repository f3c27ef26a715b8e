/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/network.c - corrections of all clocks, computed together
 *
 * In each window the middle of the bounds of a link estimates the difference of
 * its two clocks.  All links take part, so on a mesh the errors of single links
 * average out.  With the corrections the windows are computed anew, twice,
 * because the extreme messages are others once the clocks run evenly.
 *
 * Source	Geng, Liu, Yin, Naik, Prabhakar, Rosenblum, Vahdat: Exploiting
 *		a Natural Network Effect for Scalable, Fine-grained Clock
 *		Synchronization, NSDI 2018
 */

#include "scopes/align/network_private.h"

#include "scopes/align/polish_private.h"
#include "scopes/align/smooth_private.h"
#include "scopes/align/window_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 3u
/* Windows are halved so many times, while messages contradict them. */
#define FINER 5u
/* Windows that are not halved. */
#define SHORT_NS 2e7
/* Least error of a middle, and least delay. */
#define ERROR_NS 50.0
#define DELAY_NS 10.0
/* Delay of a middle above the least one of its link, for each ns of error. */
#define SPREAD 1.7
/* Asymmetry of a path, as a share of the delay: standard deviation. */
#define ASYMMETRY 0.1
/* Windows in a row that are held out together: the floor of the delays changes
   with the load, and so do the middles of neighbours. */
#define TOGETHER 2u

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Returns the tenth part of half the widths of windows; 0: there are none. */
static double
windows_delay(const struct es__align_window *windows, uint32_t count,
    double *widths)
{
	size_t found = 0;

	for (uint32_t n = 0; n < count; n++)
		if (es__align_window_bounds(&windows[n]))
			widths[found++] =
			    (windows[n].upper - windows[n].lower) / 2;
	qsort(widths, found, sizeof(*widths), number_order);
	return found == 0 ? 0 : fmax(widths[found / 10], DELAY_NS);
}

/* Returns the middle of a window. */
static struct es__align_middle
middle_of(const struct es__align *align, uint32_t link,
    const struct es__align_window *w, double delay)
{
	const struct es__align_link *l = &align->links[link];
	double at = (w->upper_at + w->lower_at) / 2;
	double where = (at - align->begin) / align->length;
	double wider = ((w->upper - w->lower) / 2 - delay) / SPREAD;
	struct es__align_middle m = { .link = link };

	where = fmin(fmax(where, 0), align->window_count);
	m.corner = where >= align->window_count ? align->window_count - 1 :
						  (uint32_t)where;
	m.share = where - m.corner;
	m.ahead = (w->upper + w->lower) / 2 +
	    es__align_correction(align, &align->hosts[l->b], at) -
	    es__align_correction(align, &align->hosts[l->a], at);
	m.variance = ERROR_NS * ERROR_NS + wider * wider;
	return m;
}

/* Spreads numbers, so that the middles held out have no pattern. */
static uint32_t
scramble(uint32_t n)
{
	n = (n ^ n >> 16) * 0x45d9f3bu;
	n = (n ^ n >> 16) * 0x45d9f3bu;
	return n ^ n >> 16;
}

static bool
network_add(struct es__align_network *network, uint32_t link,
    const struct es__align_window *windows, size_t *room)
{
	const struct es__align *align = network->align;
	double *widths = calloc(align->window_count + 1, sizeof(*widths));
	bool done = widths != NULL;
	double delay;

	if (!done)
		return false;
	delay = windows_delay(windows, align->window_count, widths);
	free(widths);
	network->bias_variance[link] =
	    pow(fmax(delay, DELAY_NS) * ASYMMETRY, 2);
	for (uint32_t n = 0; done && n < align->window_count; n++) {
		if (!es__align_window_bounds(&windows[n]))
			continue;
		done = paths__array_grow(&network->middles,
		    network->middle_count, room, sizeof(*network->middles));
		if (!done)
			break;
		network->middles[network->middle_count] =
		    middle_of(align, link, &windows[n], delay);
		network->middles[network->middle_count++].part =
		    scramble(link * 7919u + n / TOGETHER) % ES__ALIGN_PARTS;
	}
	return done;
}

/* Computes the middles of all links. */
static bool
network_collect(struct es__align_network *network)
{
	const struct es__align *align = network->align;
	struct es__align_window *windows =
	    calloc(align->window_count + 1, sizeof(*windows));
	bool done = windows != NULL;
	size_t room = 0;

	for (uint32_t l = 0; done && l < align->link_count; l++) {
		const struct es__align_link *link = &align->links[l];

		network->bias_variance[l] = DELAY_NS * DELAY_NS;
		if (!align->hosts[link->a].connected || !link->line.bounded)
			continue;
		es__align_windows_fill(align, link, true, windows);
		done = network_add(network, l, windows, &room);
	}
	free(windows);
	return done;
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
network_round(struct es__align *align)
{
	struct es__align_network n = { .align = align,
		.corners = align->window_count + 1 };
	paths_status st = PATHS_ENOMEM;

	n.unknowns = (size_t)align->host_count * n.corners + align->link_count;
	n.solution = calloc(n.unknowns + 1, sizeof(*n.solution));
	n.bias_variance =
	    calloc(align->link_count + 1, sizeof(*n.bias_variance));
	if (n.solution != NULL && n.bias_variance != NULL &&
	    network_collect(&n)) {
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
		st = network_round(align);
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
