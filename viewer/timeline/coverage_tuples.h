/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage_tuples.h - communication in pixels, from tuples
 */

#ifndef VIEWER_TIMELINE_COVERAGE_TUPLES_H
#define VIEWER_TIMELINE_COVERAGE_TUPLES_H

#include "viewer/model/model.h"
#include "viewer/timeline/pixels.h"

/* Returns true if a row can be drawn from tuples. */
bool esv__coverage_tuples_readable(const struct esv_model *model, uint32_t row);

/* Estimates the tuples to read for a row that is readable, in a window. */
uint64_t esv__coverage_tuples_count(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row);

/* Adds the tuples of a row to pixels that are 0. */
void esv__coverage_tuples_draw(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, struct esv__pixels *pixels);

#endif
