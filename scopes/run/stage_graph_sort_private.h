/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/stage_graph_sort_private.h - the lists of a stage graph
 */

#ifndef SCOPES_RUN_STAGE_GRAPH_SORT_PRIVATE_H
#define SCOPES_RUN_STAGE_GRAPH_SORT_PRIVATE_H

#include "scopes/run/stage_graph_private.h"

/*
 * es__stage_graph_sort - fill in the lists of trees, elements and threads, and
 * the slots in them
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__stage_graph_sort(struct es__stage_graph *graph,
    const struct es_run *run) PATHS_CHECKED;

#endif
