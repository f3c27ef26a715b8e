/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/select.h - statistics of the operations in a time interval
 */

#ifndef VIEWER_EVENT_SELECT_H
#define VIEWER_EVENT_SELECT_H

#include "viewer/model/model.h"

/* Statistics of the operations of a row that start in a selection. */
struct esv_selection_row {
	uint32_t row; /* index of model->rows */
	uint64_t count;
	double mean_ns, median_ns, stdev_ns, max_ns, sum_ns;
	double share; /* communication, as a share of the selected time */
};

/*
 * esv_event_select - compute the statistics of rows for a time interval
 *
 * statistics	in: row; out: the other members
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the time interval is empty
 *		PATHS_ENOENT	no event spaces
 *		PATHS_ENOMEM
 */
paths_status esv_event_select(struct esv_model *model, int64_t t0_ns,
    int64_t t1_ns, struct esv_selection_row *statistics, uint32_t row_count)
    PATHS_CHECKED;

#endif
