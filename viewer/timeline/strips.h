/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/strips.h - the draw list of a timeline
 *
 * Each row of pixels is cut into strips of one grey.  The grey of a pixel is
 * the share of its time that was communication, and not 0 where there was any.
 * One long wait among many short operations is seen at any zoom: a pixel that
 * is touched by an operation over ESV_STRIPS_RARE times as long as usual is
 * never lighter than ESV_STRIPS_LONG.  What is usual is the row's own: the
 * median, over up to 1020 equal parts of the run in which there is any, of the
 * longest operation in each.
 *
 * From the pyramid while its buckets are not wider than a pixel; below from the
 * tuples, where there are no more than ESV_STRIPS_TUPLES of them in the window,
 * so that no frame takes long.  Else from the smallest buckets.
 *
 * Source	reference: viewer and store, section 2
 */

#ifndef VIEWER_TIMELINE_STRIPS_H
#define VIEWER_TIMELINE_STRIPS_H

#include "viewer/figure/theme.h"
#include "viewer/model/model.h"

#define ESV_STRIPS_RARE 4u
#define ESV_STRIPS_LONG 26u /* a grey */

#define ESV_STRIPS_TUPLES 196608u

/* A part of time on so many pixels. */
struct esv_window {
	double t0_ns; /* of the left edge */
	double span_ns;
	uint32_t width; /* pixels */
};

struct esv_strip {
	uint32_t row;	 /* which of those asked for, from 0 */
	uint32_t x0, x1; /* pixels [x0, x1) */
	uint32_t grey;	 /* 0: computation .. ESV_GREYS - 1: communication */
};

struct esv_strips {
	/* By row, then x0; greys of neighbours differ; none where it is 0. */
	struct esv_strip *strips;
	size_t count, capacity;
	bool coarse; /* tuples are needed for this zoom, and are missing */
};

/*
 * esv_strips_fill - the draw list of some rows
 *
 * window	anywhere in time; what is outside the run is empty
 * rows	indices of model->rows, in any order
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 *		PATHS_EINVAL	no such row; no pixels or over 65536, no span
 * Ownership	the caller zeroes strips first, may fill them again, and calls
 *		esv_strips_fini
 * Threads	that of the model
 */
paths_status esv_strips_fill(struct esv_model *model,
    const struct esv_window *window, const uint32_t *rows, uint32_t row_count,
    struct esv_strips *strips) PATHS_CHECKED;
void esv_strips_fini(struct esv_strips *strips);

#endif
