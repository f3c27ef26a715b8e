/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_private.h - makes the program activity graph of an MPI trace
 *
 * The threads of the graph are the rings of the trace.  An operation is a call
 * that has returned.  It waits for
 *
 *	the begin of a send	whose message it receives
 *	the begin of a receive	whose send it ends, unless the send is known to
 *				have ended before
 *	members of a collective	by the rules of es__mpi_dependence
 *
 * A call that has not returned is only entered.
 */

#ifndef SCOPES_GRAPH_MPI_PRIVATE_H
#define SCOPES_GRAPH_MPI_PRIVATE_H

#include "scopes/graph/graph_private.h"
#include "scopes/mpi_trace.h"

struct es__graph_mpi {
	const struct es_mpi_trace_input *input;
	/* The time when MPI_Init of each rank returned, which is later
	   than its tuple tells; NULL: as tuples tell. */
	const int64_t *initialized_ns;
	const char *dir;  /* for the log, as for es__graph_create */
	unsigned threads; /* to match messages with, at least 1 */
	uint64_t quota;	  /* tuples of a window; UINT64_MAX: all */
};

/*
 * es__graph_mpi - make the graph of a trace
 *
 * graph	out
 *
 * Returns	PATHS_OK; a status of es_mpi_trace_open or es__graph_create
 * Ownership	the caller calls es__graph_close
 */
paths_status es__graph_mpi(const struct es__graph_mpi *of,
    struct es__graph **graph) PATHS_CHECKED;

#endif
