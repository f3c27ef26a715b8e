/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/line_private.h - a line between the bounds of an offset
 */

#ifndef SCOPES_ALIGN_LINE_PRIVATE_H
#define SCOPES_ALIGN_LINE_PRIVATE_H

#include "scopes/align/align_private.h"

/* The largest difference of the rates of two clocks: a time stamp counter may
   have been calibrated wrongly by one in a hundred. */
#define ES__ALIGN_SLOPE 2e-2

/* Slopes that are searched: around `middle`, to both sides. */
struct es__align_slopes {
	double middle, reach;
	unsigned steps; /* of golden section */
};

/* Weights of the bounds of messages there and back, for a slope. */
struct es__align_weights {
	double there, back;
};

/* Returns the distance of the best line of this slope from the bounds of a link
   that has messages in both directions.  offset: out: of this line, at the
   centre. */
double es__align_margin(const struct es__align_link *link, double per_byte,
    double slope, double *offset);

/* Finds the line furthest from the bounds of a link in both directions, whose
   points have per_byte. */
struct es__align_line es__align_line_find(const struct es__align_link *link,
    double per_byte, struct es__align_slopes slopes);

/* As es__align_line_find, with weights. */
struct es__align_line es__align_line_weigh(const struct es__align_link *link,
    double per_byte, struct es__align_slopes slopes,
    struct es__align_weights weights);

/* Slopes of the lines between the bounds of a link. */
struct es__align_range {
	double low, high;
};

/* Returns the slopes that fit, around that of the line of a link. */
struct es__align_range es__align_range(const struct es__align_link *link);

/* Returns the offset, at the centre, of the line of these slopes that is
   furthest above or below. */
double es__align_line_furthest(const struct es__align_link *link,
    const struct es__align_range *range, bool below);

#endif
