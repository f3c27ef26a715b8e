/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/line.c - a line between the bounds of an offset
 *
 * The margin of a slope is half the distance between the lower bounds and the
 * upper bounds along that slope.  It is a concave function of the slope, so
 * golden section finds its maximum.
 *
 * Source	Moon, Skelly, Towsley: Estimation and Removal of Clock Skew from
 *		Network Delay Measurements, INFOCOM 1999
 */

#include "scopes/align/line_private.h"

#include "scopes/align/hull_private.h"

#include <math.h>

#define GOLDEN 0.6180339887498949
#define LIMIT_STEPS 50u

/* Returns the extreme bound of a direction along a slope, at the centre. */
static double
hull_extreme(const struct es__align_link *link, unsigned back, double per_byte,
    double slope)
{
	const struct es__align_hull *hull = &link->hulls[back];
	double best = 0;

	for (size_t n = 0; n < hull->count; n++) {
		const struct es__align_point *p = &hull->points[n];
		double bound = es__align_point_offset(p, per_byte, back) -
		    slope * (p->x - link->line.centre);

		if (n == 0 || (back != 0 ? bound > best : bound < best))
			best = bound;
	}
	return best;
}

double
es__align_margin(const struct es__align_link *link, double per_byte,
    double slope, double *offset)
{
	double upper = hull_extreme(link, 0, per_byte, slope);
	double lower = hull_extreme(link, 1, per_byte, slope);

	*offset = (upper + lower) / 2;
	return (upper - lower) / 2;
}

/* Returns how good a slope is. */
static double
slope_value(const struct es__align_link *link, double per_byte, double slope,
    struct es__align_weights weights)
{
	return weights.there * hull_extreme(link, 0, per_byte, slope) -
	    weights.back * hull_extreme(link, 1, per_byte, slope);
}

struct es__align_line
es__align_line_weigh(const struct es__align_link *link, double per_byte,
    struct es__align_slopes slopes, struct es__align_weights weights)
{
	struct es__align_line line = { .centre = link->line.centre,
		.bounded = true };
	double low = slopes.middle - slopes.reach;
	double high = slopes.middle + slopes.reach;
	double left = high - GOLDEN * (high - low);
	double right = low + GOLDEN * (high - low);
	double at_left = slope_value(link, per_byte, left, weights);
	double at_right = slope_value(link, per_byte, right, weights);

	for (unsigned n = 0; n < slopes.steps; n++) {
		if (at_left > at_right) {
			high = right;
			right = left;
			at_right = at_left;
			left = high - GOLDEN * (high - low);
			at_left = slope_value(link, per_byte, left, weights);
		} else {
			low = left;
			left = right;
			at_left = at_right;
			right = low + GOLDEN * (high - low);
			at_right = slope_value(link, per_byte, right, weights);
		}
	}
	line.slope = (low + high) / 2;
	line.margin =
	    es__align_margin(link, per_byte, line.slope, &line.offset);
	return line;
}

struct es__align_line
es__align_line_find(const struct es__align_link *link, double per_byte,
    struct es__align_slopes slopes)
{
	return es__align_line_weigh(link, per_byte, slopes,
	    (struct es__align_weights){ 1, 1 });
}

/* Returns whether a line of this slope fits between the bounds of a link. */
static bool
slope_fits(const struct es__align_link *link, double slope)
{
	double offset;

	return es__align_margin(link, link->per_byte, slope, &offset) >= 0;
}

/* Returns the last slope that fits, from one that does towards another. */
static double
slope_limit(const struct es__align_link *link, double fits, double far)
{
	if (slope_fits(link, far))
		return far;
	for (unsigned n = 0; n < LIMIT_STEPS; n++) {
		double middle = (fits + far) / 2;

		if (slope_fits(link, middle))
			fits = middle;
		else
			far = middle;
	}
	return fits;
}

struct es__align_range
es__align_range(const struct es__align_link *link)
{
	return (struct es__align_range){ slope_limit(link, link->line.slope,
					     -ES__ALIGN_SLOPE),
		slope_limit(link, link->line.slope, ES__ALIGN_SLOPE) };
}

double
es__align_line_furthest(const struct es__align_link *link,
    const struct es__align_range *range, bool below)
{
	struct es__align_slopes all = { 0, ES__ALIGN_SLOPE, LIMIT_STEPS };
	struct es__align_weights weights = { below ? 0 : 1, below ? 1 : 0 };
	/* The bound is a concave function of the slope. */
	double best =
	    es__align_line_weigh(link, link->per_byte, all, weights).slope;

	best = fmin(fmax(best, range->low), range->high);
	return hull_extreme(link, below, link->per_byte, best);
}
