/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline_legend.h - the legend of a timeline in pictures
 */

#ifndef VIEWER_CHART_TIMELINE_LEGEND_H
#define VIEWER_CHART_TIMELINE_LEGEND_H

#include "viewer/chart/timeline.h"
#include "viewer/figure/legend.h"
#include "viewer/model/tints.h"

struct esv__timeline_legend {
	const struct esv_model *model;
	const struct esv_timeline_options *options;
	const struct esv_tint_texts *tints; /* with ESV_BY_TINT */
	bool band;			    /* a row is drawn as a band */
	bool none;			    /* nothing was recorded of a row */
};

/* Draws the legend at the top of a box, and takes it from the box. */
void esv__timeline_legend_draw(const struct esv__timeline_legend *legend,
    struct esv_figure *figure, struct esv_box *box);

#endif
