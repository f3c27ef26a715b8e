/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/legend.h - legends of colours, for series and for heat
 */

#ifndef VIEWER_FIGURE_LEGEND_H
#define VIEWER_FIGURE_LEGEND_H

#include "viewer/figure/axis.h"
#include "viewer/figure/draw.h"

struct esv_legend_entry {
	int role;
	const char *text;
	struct esv_thing thing;
};

/*
 * esv_legend_draw - draw swatches with texts, in lines along the top of a box
 *
 * A text with the role of the ground has no swatch.
 *
 * box	in: the space; out: the remainder
 */
void esv_legend_draw(struct esv_figure *figure, struct esv_box *box,
    const struct esv_legend_entry *entries, size_t count);

/*
 * esv_legend_heat - draw the scale of heat along the right side of a box
 *
 * box	in: the space; out: the remainder
 * axis	its label, unit, from and to are used
 */
void esv_legend_heat(struct esv_figure *figure, struct esv_box *box,
    const struct esv_axis *axis);

#endif
