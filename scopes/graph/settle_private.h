/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/settle_private.h - takes back waits of sends that do not wait
 *
 * While a graph is made, the size up to which messages are sent without their
 * receive grows.  Before it does, a receive that happens to begin while a short
 * send is under way seems to end a wait of it.
 */

#ifndef SCOPES_GRAPH_SETTLE_PRIVATE_H
#define SCOPES_GRAPH_SETTLE_PRIVATE_H

#include "scopes/graph/graph_private.h"

/* Changes the log of a finished graph, if there are such waits.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__graph_settle(struct es__graph *graph) PATHS_CHECKED;

#endif
