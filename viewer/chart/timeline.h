/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline.h - the timeline as a figure, for pictures
 *
 * Rows of strips with their names, an axis of time, marks and the selection.  A
 * figure of a time interval has an overview of the whole run at the top.
 */

#ifndef VIEWER_CHART_TIMELINE_H
#define VIEWER_CHART_TIMELINE_H

#include "viewer/chart/timeline_rows.h"
#include "viewer/event/links.h"
#include "viewer/figure/class.h"
#include "viewer/figure/figure.h"
#include "viewer/model/model.h"

#define ESV_TIMELINE_WARNINGS 2

struct esv_timeline_mark {
	double from_ns, to_ns; /* equal: a moment */
	const char *label;     /* or NULL */
};

struct esv_timeline_options {
	double t0_ns, t1_ns;  /* time interval; t1_ns 0: the whole run */
	const uint32_t *rows; /* of model->rows; NULL: esv_timeline_rows */
	uint32_t row_count;
	enum esv_colour_by by;
	uint32_t hidden;   /* classes, see struct esv_window */
	double resolution; /* pixels a unit of the figure; 0: 1 */
	const struct esv_links *highlight; /* intervals; or NULL */
	const struct esv_links *arrows;	   /* or NULL */
	const struct esv_links *critical;  /* the critical path; or NULL */
	const struct esv_links *delays; /* of viewer/event/causes.h; or NULL */
	const struct esv_links *ends;	/* the same */
	const struct esv_timeline_mark *marks;
	size_t mark_count;
	const struct esv_timeline_mark *selection; /* or NULL */
	/* About data that is missing; each may be NULL. */
	const char *warnings[ESV_TIMELINE_WARNINGS];
};

/*
 * esv_timeline_draw - draw a timeline
 *
 * figure	initialised by the caller, with the wanted size
 *
 * Returns	PATHS_OK; PATHS_EINVAL: the time interval is empty;
 *		PATHS_ENOMEM; the errors of esv_strips_fill
 * Threads	that of the model
 */
paths_status esv_timeline_draw(struct esv_model *model,
    const struct esv_timeline_options *options, struct esv_figure *figure)
    PATHS_CHECKED;

#endif
