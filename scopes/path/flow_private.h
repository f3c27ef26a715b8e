/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/flow_private.h - counts the messages of each chain of a path map
 *
 * The counts are those of the first collector of a chain, in mode matrix.
 * Collectors further down count the same messages, so they are not read.  A
 * join begins a new chain.
 */

#ifndef SCOPES_PATH_FLOW_PRIVATE_H
#define SCOPES_PATH_FLOW_PRIVATE_H

#include "collectors/space.h"
#include "scopes/run.h"

/* Messages of a chain in one category. */
struct es__path_flow {
	uint32_t chain;
	uint32_t source; /* process in which the chain begins */
	uint32_t target; /* process at its end */
	enum paths_kind category;
	struct es_matrix counts;
};

/* Takes a flow; any status but PATHS_OK ends the call. */
typedef paths_status es__path_flow_add(void *to,
    const struct es__path_flow *flow);

/*
 * es__path_flows - pass the flows of all chains of a run to a function
 *
 * to	first argument of add
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		the first failure of add
 */
paths_status es__path_flows(const struct es_run *run, es__path_flow_add *add,
    void *to) PATHS_CHECKED;

#endif
