/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/settle_private.h - removes waits of sends from a graph that
 * later turn out not to wait
 *
 * While a graph is made, the largest size that is known to be sent without
 * waiting for the receive (eager_bytes) grows.  Before a size is known, a
 * receive that happens to begin during a short send seems to end a wait of that
 * send.
 */

#ifndef SCOPES_GRAPH_SETTLE_PRIVATE_H
#define SCOPES_GRAPH_SETTLE_PRIVATE_H

#include "scopes/graph/graph_private.h"

/* Writes the begin of the log of a finished graph again without such waits, if
   there are any.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__graph_settle(struct es__graph *graph) PATHS_CHECKED;

#endif
