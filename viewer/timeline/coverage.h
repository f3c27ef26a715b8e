/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage.h - the share of communication in each pixel
 *
 * A cache keeps chunks of the pyramid (scopes/timeline.h).  A frame reads only
 * the chunks that it is drawn from, so its cost is bounded by its pixels.
 */

#ifndef VIEWER_TIMELINE_COVERAGE_H
#define VIEWER_TIMELINE_COVERAGE_H

#include "viewer/timeline/pixels.h"
#include "viewer/timeline/strips.h"

/* The most chunks, of 8 KiB each, that are fetched at once, and that the cache
   keeps.  A group of rows fetches twice: the chunk for esv__coverage_rare_ns of
   each row, then the visible chunks. */
#define ESV__COVERAGE_GROUP 1024u
#define ESV__COVERAGE_MOST (2 * ESV__COVERAGE_GROUP)

/* Returns the zoom for a window of rows.  It has tuples if there are at most
   ESV_STRIPS_TUPLES. */
struct esv__zoom esv__coverage_zoom(const struct esv_model *model,
    const struct esv_window *window, const uint32_t *rows, uint32_t count);

/*
 * esv__coverage_need - fetch the chunks that rows will be drawn from
 *
 * count	at most esv__coverage_group
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 */
paths_status esv__coverage_need(struct esv_model *model,
    const struct esv__zoom *zoom, const uint32_t *rows, uint32_t count)
    PATHS_CHECKED;

/* Returns the number of rows that esv__coverage_need can take at once. */
uint32_t esv__coverage_group(const struct esv__zoom *zoom);

/*
 * esv__coverage_row - fill the pixels of a row, after esv__coverage_need for it
 *
 * Returns	PATHS_OK; a status of esv__coverage_tuples_draw
 */
paths_status esv__coverage_row(struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, struct esv__pixels *pixels)
    PATHS_CHECKED;

/* Returns the duration from which an operation of a row counts as rare;
   INFINITY: nothing was recorded. */
double esv__coverage_rare_ns(const struct esv_model *model, uint32_t row);

/* Reads of the database, and the memory of the cache; for tests. */
struct esv__coverage_cost {
	uint64_t queries;
	uint64_t reads; /* chunks */
	uint64_t bytes;
};
struct esv__coverage_cost esv__coverage_cost(const struct esv_model *model);

#endif
