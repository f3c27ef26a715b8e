/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/calm.c - lines that few messages determine
 *
 * All lines between the bounds of a link are possible.  Those that are furthest
 * from the bounds of a few messages may be absurd, so the slope is moved
 * towards zero, as far as it is not known.  It is known the better the more
 * messages there are: the least of n delays is the n-th part of their mean.
 *
 * The slope does not move as far as to the last line that is possible.  That
 * one would tell that messages take no time.
 */

#include "scopes/align/calm_private.h"

#include "scopes/align/hull_private.h"
#include "scopes/align/line_private.h"

#include <math.h>

/* Rates of clocks differ by so much, unless a counter was calibrated
   wrongly. */
#define RATE 1e-4
/* A slope with a larger error is not known at all. */
#define UNKNOWN (100 * RATE)
/* Mean of an exponential distribution, in its quantiles of 20 %. */
#define FIFTHS 4.5
/* Messages in both directions have errors. */
#define DIRECTIONS 2.0

/* Returns the time from the centre of a link to its furthest message. */
static double
link_reach(const struct es__align_link *link)
{
	double reach = 0;

	for (unsigned back = 0; back < 2; back++)
		for (size_t n = 0; n < link->hulls[back].count; n++)
			reach = fmax(reach,
			    fabs(link->hulls[back].points[n].x -
				link->line.centre));
	return reach;
}

/* Moves the slope towards zero; error: standard deviation of it. */
static void
slope_calm(struct es__align_link *link, const struct es__align_range *range,
    double error)
{
	struct es__align_line *line = &link->line;
	double slope = error > UNKNOWN ?
	    0 :
	    line->slope * RATE * RATE / (RATE * RATE + error * error);
	/* Halfway to the limit, or by half of a usual rate. */
	double low = range->low + fmin(line->slope - range->low, RATE) / 2;
	double high = range->high - fmin(range->high - line->slope, RATE) / 2;

	line->slope = fmin(fmax(slope, low), high);
	line->margin =
	    es__align_margin(link, link->per_byte, line->slope, &line->offset);
}

void
es__align_calm(struct es__align_link *link,
    const struct es__align_spread spread[2], double reach)
{
	struct es__align_line *line = &link->line;
	double own = fmax(link_reach(link), 1);
	double count = fmin(spread[0].count, spread[1].count);
	double mean = FIFTHS * fmax(spread[0].fifth, spread[1].fifth);
	double share = DIRECTIONS / fmax(count, 1);
	struct es__align_range range;
	double error;

	if (line->margin < 0)
		return;
	range = es__align_range(link);
	error = share * fmax((range.high - range.low) / 2, mean / own);
	line->error = error * reach + share * fmax(line->margin, mean);
	slope_calm(link, &range, error);
}
