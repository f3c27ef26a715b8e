/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/middle.c - offsets between the bounds of windows
 *
 * The upper bound of a window is the offset of its clocks, plus the least
 * travel of the link, plus a delay that even the quickest message of the window
 * has; the lower bound is so in the other direction.  Ways there and back are
 * assumed to take the same least time.  The distance of the bounds tells the
 * sum of both delays, not how it is divided.  With delays that are exponential
 * and have the same mean in both directions, each division is equally likely,
 * and the best estimate is the middle of the bounds.  With different means the
 * better bound counts more: given the sum of the delays, the one there has an
 * exponential distribution that ends at the sum.
 *
 * The better direction is the one whose bounds follow each other more evenly
 * from window to window.  This does not depend on how clocks are aligned, so an
 * error of the alignment does not confirm itself in the next round.
 */

#include "scopes/align/middle_private.h"

#include "libpaths/base/array.h"

#include <math.h>
#include <stdlib.h>

/* Least error of a middle, and least delay. */
#define ERROR_NS 50.0
#define DELAY_NS 10.0
/* Asymmetry of a path, as a share of the delay: standard deviation. */
#define ASYMMETRY 0.1
/* Windows in a row that are held out together: the floor of the delays changes
   with the load, and so do the middles of neighbours. */
#define TOGETHER 2u
/* Standard deviation of a logarithm of noise found from one window. */
#define NOISE_ERROR 2.5
/* Least distance of bounds, from the least one and the first tenth and quarter
   of them: distances of exponential delays are as here. */
#define BELOW_LEAST 0.5
#define BELOW_TENTH 3.0
/* Delays that are so many times longer than those of the median window are not
   exponential: in the window, a direction has only messages of another kind,
   such as large ones whose time of a byte is not known. */
#define OTHER 25.0
/* Standard deviation of an equal distribution, as a share of its width. */
#define EQUAL 0.288675
/* An error of the least distance, as a share of that to the first tenth. */
#define LEAST_ERROR 0.5

/* The bounds of a link. */
struct bounds {
	const struct es__align *align;
	const struct es__align_link *link;
	const struct es__align_window *windows;
	double least;	/* distance of upper and lower ones without delays */
	double error;	/* of a middle, because the least is not known better */
	double weight;	/* 1 / mean delay there - 1 / mean delay back */
	double median;	/* of the sums of both delays */
	double *memory; /* a number for each window */
};

/* A share of the distance of bounds, and its standard deviation. */
struct share {
	double mean, error;
};

static int
number_order(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Returns by how much the line of host b is ahead, from how much the corrected
   clock is. */
static double
line_ahead(const struct bounds *b, double ahead, double at)
{
	const struct es__align *align = b->align;

	return ahead +
	    es__align_correction(align, &align->hosts[b->link->b], at) -
	    es__align_correction(align, &align->hosts[b->link->a], at);
}

/* Returns the median distance of the bounds of a direction from the line
   between their neighbours. */
static double
bounds_noise(const struct bounds *b, bool back)
{
	double at[3] = { 0 }, ahead[3] = { 0 };
	size_t seen = 0, count = 0;

	for (uint32_t n = 0; n < b->align->window_count; n++) {
		const struct es__align_window *w = &b->windows[n];
		double share;

		if (!es__align_window_bounds(w))
			continue;
		at[0] = at[1];
		at[1] = at[2];
		at[2] = back ? w->lower_at : w->upper_at;
		ahead[0] = ahead[1];
		ahead[1] = ahead[2];
		ahead[2] = line_ahead(b, back ? w->lower : w->upper, at[2]);
		if (++seen < 3 || at[2] <= at[0])
			continue;
		share = (at[1] - at[0]) / (at[2] - at[0]);
		b->memory[count++] =
		    fabs(ahead[1] - ahead[0] * (1 - share) - ahead[2] * share);
	}
	qsort(b->memory, count, sizeof(*b->memory), number_order);
	return count > 0 ? b->memory[count / 2] : 0;
}

/* Sets the weight of bounds, from the mean of both delays. */
static void
bounds_weigh(struct bounds *b, size_t count, double mean)
{
	double there = fmax(bounds_noise(b, false), 1);
	double back = fmax(bounds_noise(b, true), 1);
	double ratio = log(there / back);
	double error = NOISE_ERROR * NOISE_ERROR / (double)count;

	/* Noise is not known exactly, and equal noise is most likely. */
	ratio *= fmax(1 - error / fmax(ratio * ratio, error), 0);
	there = 2 * mean / (1 + exp(-ratio));
	back = 2 * mean / (1 + exp(ratio));
	b->weight = mean > 0 ? 1 / there - 1 / back : 0;
}

/* Finds the distances and the noise of bounds; returns the number of windows
   that have both. */
static size_t
bounds_measure(struct bounds *b)
{
	double tenth, middle;
	size_t count = 0;

	for (uint32_t n = 0; n < b->align->window_count; n++) {
		const struct es__align_window *w = &b->windows[n];

		if (es__align_window_bounds(w))
			b->memory[count++] = w->upper - w->lower;
	}
	if (count == 0)
		return 0;
	qsort(b->memory, count, sizeof(*b->memory), number_order);
	tenth = b->memory[count / 10];
	middle = b->memory[count / 2];
	/* A single window that is too narrow does not decide. */
	b->least = fmax(b->memory[0] - BELOW_LEAST * (tenth - b->memory[0]),
	    tenth - BELOW_TENTH * (b->memory[count / 4] - tenth));
	b->error = LEAST_ERROR * EQUAL * (tenth - b->least);
	b->median = middle - b->least;
	bounds_weigh(b, count, b->median / 2);
	return count;
}

/* Returns the share of the delays of a window that is there, not back. */
static struct share
bounds_share(const struct bounds *b, double delays)
{
	double x = b->weight * delays, sharp = fabs(x);
	struct share s = { 0.5, EQUAL };

	if (delays > OTHER * b->median)
		return s;
	if (sharp > 500)
		s = (struct share){ 1 / sharp, 1 / sharp };
	else if (sharp > 1e-3)
		s = (struct share){ 1 / sharp - 1 / expm1(sharp),
			sqrt(fmax(1 / (x * x) -
				exp(sharp) / pow(expm1(sharp), 2),
			    0)) };
	if (x < 0)
		s.mean = 1 - s.mean;
	return s;
}

static struct es__align_middle
bounds_middle(const struct bounds *b, const struct es__align_window *w)
{
	const struct es__align *align = b->align;
	double delays = w->upper - w->lower - b->least;
	struct share s = bounds_share(b, fmax(delays, 0));
	double at = w->upper_at * (1 - s.mean) + w->lower_at * s.mean;
	double where =
	    fmin(fmax(es__align_where(align, at), 0), align->window_count);
	struct es__align_middle m = { 0 };

	m.corner = es__align_window_at(align, where);
	m.share = where - m.corner;
	m.ahead = line_ahead(b, w->upper - b->least / 2 - delays * s.mean, at);
	m.variance = ERROR_NS * ERROR_NS + b->error * b->error +
	    pow(delays * s.error, 2);
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

paths_status
es__align_middles(struct es__align_network *network, uint32_t link,
    const struct es__align_window *windows)
{
	const struct es__align *align = network->align;
	struct bounds b = { .align = align,
		.link = &align->links[link],
		.windows = windows };
	size_t count;

	b.memory = calloc((size_t)align->window_count + 1, sizeof(*b.memory));
	if (b.memory == NULL)
		return PATHS_ENOMEM;
	count = bounds_measure(&b);
	free(b.memory);
	if (!paths__array_reserve(&network->middles,
		network->middle_count + count, &network->middle_room,
		sizeof(*network->middles)))
		return PATHS_ENOMEM;
	network->bias_variance[link] =
	    pow(fmax(b.least / 2, DELAY_NS) * ASYMMETRY, 2);
	for (uint32_t n = 0; n < align->window_count; n++) {
		struct es__align_middle *m;

		if (!es__align_window_bounds(&windows[n]))
			continue;
		m = &network->middles[network->middle_count++];
		*m = bounds_middle(&b, &windows[n]);
		m->link = link;
		m->part =
		    scramble(link * 7919u + n / TOGETHER) % ES__ALIGN_PARTS;
	}
	return PATHS_OK;
}
