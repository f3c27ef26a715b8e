/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline.h - the timeline as a figure, for pictures
 *
 * Rows of strips with their names, an axis of time, and on it what was marked
 * and selected; above it, of a part of time, the whole with a window in it.
 */

#ifndef VIEWER_CHART_TIMELINE_H
#define VIEWER_CHART_TIMELINE_H

#include "viewer/event/links.h"
#include "viewer/figure/figure.h"
#include "viewer/model/model.h"

struct esv_timeline_mark {
	double from_ns, to_ns; /* the same: a moment */
	const char *label;     /* NULL */
};

struct esv_timeline_options {
	double t0_ns, t1_ns;  /* part of time; t1_ns 0: all of it */
	const uint32_t *rows; /* of model->rows; NULL: esv_timeline_rows */
	uint32_t row_count;
	double resolution; /* strips are cut into so many pixels a unit; 0: 1 */
	const struct esv_links *highlight; /* intervals; NULL */
	const struct esv_links *arrows;	   /* NULL */
	const struct esv_timeline_mark *marks;
	size_t mark_count;
	const struct esv_timeline_mark *selection; /* NULL */
};

/*
 * esv_timeline_rows - the rows that are shown when nobody says which
 *
 * All, but where these would be too many to tell apart only hosts and
 * processes, or only hosts.
 *
 * rows		room for model->row_count
 *
 * Returns	how many were written
 */
uint32_t esv_timeline_rows(const struct esv_model *model, uint32_t *rows);

/*
 * esv_timeline_height - the height at which rows can be told apart
 */
double esv_timeline_height(uint32_t row_count);

/*
 * esv_timeline_draw - draw it
 *
 * figure	inited by the caller, with the size that is wanted
 *
 * Returns	PATHS_OK; PATHS_EINVAL: the part of time is empty; what
 *		esv_strips_fill answers; PATHS_ENOMEM
 * Threads	that of the model
 */
paths_status esv_timeline_draw(struct esv_model *model,
    const struct esv_timeline_options *options, struct esv_figure *figure)
    PATHS_CHECKED;

#endif
