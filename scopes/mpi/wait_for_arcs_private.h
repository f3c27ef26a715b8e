/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_arcs_private.h - makes the wait-for graph of an MPI run
 */

#ifndef SCOPES_MPI_WAIT_FOR_ARCS_PRIVATE_H
#define SCOPES_MPI_WAIT_FOR_ARCS_PRIVATE_H

#include "scopes/mpi/inside_private.h"
#include "scopes/path/wait_for_unreachable_private.h"

/*
 * es__wait_for_arcs - make the nodes and arcs of a wait-for graph
 *
 * inside	the calls that threads are in
 * certain	make only arcs that the trace proves; make arcs for requests
 *		that may have ended only if the call lasted until the known end
 *		of its rank
 * graph	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__wait_for_arcs_fini, also on failure
 */
paths_status es__wait_for_arcs(struct es_analysis *a,
    const struct es__inside *inside, bool certain,
    struct es__wait_for_graph *graph) PATHS_CHECKED;
void es__wait_for_arcs_fini(struct es__wait_for_graph *graph);

#endif
