/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline_rows.h - the rows of a timeline and their height
 */

#ifndef VIEWER_CHART_TIMELINE_ROWS_H
#define VIEWER_CHART_TIMELINE_ROWS_H

#include "viewer/model/model.h"

/* The height of the legend, the axis and the overview. */
#define ESV_TIMELINE_AROUND 100.0

/*
 * esv_timeline_rows - the rows that are shown by default
 *
 * Hosts, processes of several threads, and threads; if these are too many to
 * tell apart, only hosts and processes, or only hosts.
 *
 * rows		out: an array of model->row_count
 *
 * Returns	the number of rows
 */
uint32_t esv_timeline_rows(const struct esv_model *model, uint32_t *rows);

/*
 * esv_timeline_height - the height of a figure in which rows can be told apart
 */
double esv_timeline_height(uint32_t row_count);

/*
 * esv_timeline_height_all - the height of a figure with the default rows
 */
double esv_timeline_height_all(const struct esv_model *model);

/*
 * esv_timeline_rows_kind - the kind of the deepest rows that are shown by
 * default
 *
 * rows		out: as esv_timeline_rows; NULL: they are only counted
 * count	out
 *
 * Returns	the kind; ESV_ROW_THREAD: no rows are folded
 */
enum esv_row_kind esv_timeline_rows_kind(const struct esv_model *model,
    uint32_t *rows, uint32_t *count);

/*
 * esv_timeline_rows_to - the rows from hosts down to a kind
 *
 * A process with one thread looks like its thread, which stands for it.
 *
 * rows		out: an array of model->row_count; NULL: they are only counted
 *
 * Returns	the number of rows
 */
uint32_t esv_timeline_rows_to(const struct esv_model *model,
    enum esv_row_kind kind, uint32_t *rows);

/*
 * esv_timeline_row_depth - the depth of a row
 *
 * Returns	the depth; the thread of a process with one thread takes its
 *		place
 */
uint32_t esv_timeline_row_depth(const struct esv_model *model,
    const struct esv_row *row);

#endif
