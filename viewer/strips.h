/* SPDX-License-Identifier: MIT */
/*
 * viewer/strips.h - the draw list of a timeline
 *
 * Each row of pixels is cut into strips of one grey.  The grey of a pixel is
 * the share of its time that was communication; where an operation that is
 * longer than a pixel touches it, it is never lighter than ES_STRIPS_LONG, so
 * that one long wait is seen at any zoom.  From the pyramid while its buckets
 * are not wider than a pixel, below from the tuples.
 *
 * Source	reference: viewer and store, section 2
 */

#ifndef VIEWER_STRIPS_H
#define VIEWER_STRIPS_H

#include "viewer/model.h"
#include "viewer/theme.h"

/* A part of time on so many pixels. */
struct es_window {
	double t0_ns; /* of the left edge */
	double span_ns;
	uint32_t width; /* pixels */
};

struct es_strip {
	uint32_t row;	 /* which of those asked for, from 0 */
	uint32_t x0, x1; /* pixels [x0, x1) */
	uint32_t grey;	 /* 0: computation .. ES_GREYS - 1: communication */
};

struct es_strips {
	/* By row, then x0; greys of neighbours differ; none where it is 0. */
	struct es_strip *strips;
	size_t count, capacity;
	bool coarse; /* tuples would be needed for this zoom, and are missing */
};

/*
 * es_strips_fill - the draw list of some rows
 *
 * rows	indices of model->rows
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 * Ownership	the caller zeroes strips first, may fill them again, and calls
 *		es_strips_fini
 * Threads	that of the model
 */
paths_status es_strips_fill(struct es_model *model,
    const struct es_window *window, const uint32_t *rows, uint32_t row_count,
    struct es_strips *strips) PATHS_CHECKED;
void es_strips_fini(struct es_strips *strips);

#endif
