/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/arrival_rows_private.h - the rows of the views arrival and
 * departure
 */

#ifndef SCOPES_VIEWS_PATH_ARRIVAL_ROWS_PRIVATE_H
#define SCOPES_VIEWS_PATH_ARRIVAL_ROWS_PRIVATE_H

#include "scopes/views/view_private.h"

/*
 * es__arrival_rows - give the rows of two tables, for all joins
 *
 * one		columns stage, input, operations, first, last, wait_ns_sum,
 *		wait_ns_max
 * pair		columns stage, before, after, operations, wait_ns_sum
 * by_stop	the order in which operations leave; else in which they come
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the status of the sink when it fails
 */
paths_status es__arrival_rows(struct es_analysis *a, struct es_sink *sink,
    const struct es_table *one, const struct es_table *pair, bool by_stop)
    PATHS_CHECKED;

#endif
