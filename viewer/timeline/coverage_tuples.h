/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage_tuples.h - communication in pixels, from tuples
 */

#ifndef VIEWER_TIMELINE_COVERAGE_TUPLES_H
#define VIEWER_TIMELINE_COVERAGE_TUPLES_H

#include "scopes/operation.h"
#include "viewer/model/model.h"
#include "viewer/timeline/pixels.h"
#include "viewer/timeline/spans.h"

/* Returns true if a row can be drawn from tuples. */
bool esv__coverage_tuples_readable(const struct esv_model *model, uint32_t row);

/* Estimates the tuples to read for a row that is readable, in a window. */
uint64_t esv__coverage_tuples_count(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row);

/*
 * esv__coverage_tuples_draw - add the tuples of a row to pixels that are 0
 *
 * spans	the waits of each thread of the model
 *
 * Returns	PATHS_OK; a status of esv__spans_need
 */
paths_status esv__coverage_tuples_draw(struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, struct esv__spans *spans,
    struct esv__pixels *pixels) PATHS_CHECKED;

/* An operation whose name is written. */
struct esv__named {
	double from_ns, to_ns;
	enum es_operation_type type;
	uint32_t op;
};

/* Finds the operation of a thread at a time; false: there is none.  The row is
   that of a thread, and readable. */
bool esv__coverage_tuples_at(const struct esv_model *model, uint32_t row,
    double ns, struct esv__named *named);

#endif
