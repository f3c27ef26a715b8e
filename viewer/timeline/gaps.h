/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/gaps.h - times in which threads were runnable without a core
 */

#ifndef VIEWER_TIMELINE_GAPS_H
#define VIEWER_TIMELINE_GAPS_H

#include "viewer/model/model.h"
#include "viewer/timeline/pixels.h"

/* The gaps of one thread, from the table cpu_gap. */
struct esv__gap {
	int64_t start_ns, stop_ns;
};

struct esv__gaps {
	struct esv__gap *list; /* by start; they do not overlap */
	size_t count, room;
	bool read;
};

/* The gaps of all threads; they are read when they are first drawn. */
struct esv_gaps;

void esv__gaps_close(struct esv_gaps *gaps);

/*
 * esv__gaps_draw - add the gaps of a row to pixels
 *
 * The part of a pixel of a row of several threads is the mean over them.
 *
 * lost		zoom->width + 1 numbers, all 0
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 */
paths_status esv__gaps_draw(struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, double *lost) PATHS_CHECKED;

/*
 * esv_gaps_at - find the gap of a thread at a time
 *
 * row	of a thread
 * gap	out
 *
 * Returns	PATHS_OK; PATHS_ENOENT: it has none then; as esv__gaps_draw
 */
paths_status esv_gaps_at(struct esv_model *model, uint32_t row, double ns,
    struct esv__gap *gap) PATHS_CHECKED;

#endif
