/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/arrival_rows_private.h - columns and rows of the views
 * arrival and departure
 */

#ifndef SCOPES_VIEWS_PATH_ARRIVAL_ROWS_PRIVATE_H
#define SCOPES_VIEWS_PATH_ARRIVAL_ROWS_PRIVATE_H

#include "scopes/views/view_private.h"

/*
 * es__arrival_rows - write the rows of two tables, for all joins
 *
 * one		columns stage, input, operations, first, last, wait_ns_sum,
 *		wait_ns_max
 * pair		columns stage, before, after, operations, wait_ns_sum
 * by_stop	true: order of the stops; false: order of the starts
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the error of the sink
 */
paths_status es__arrival_rows(struct es_analysis *a, struct es_sink *sink,
    const struct es_table *one, const struct es_table *pair, bool by_stop)
    PATHS_CHECKED;

#endif
