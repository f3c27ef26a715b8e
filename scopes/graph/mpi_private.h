/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_private.h - makes the program activity graph of an MPI trace
 *
 * The threads of the graph are the rings of the trace.  An operation is a call
 * that has returned.  An operation waits for
 *
 *	the begin of a send	whose message it receives
 *	the begin of a receive	whose send it ends, unless the send is known to
 *				have ended before
 *	members of a collective	by the rules of es__mpi_dependence
 *	single calls		mpi_calls_private.h
 *
 * A call that has not returned has only its step ENTER.
 */

#ifndef SCOPES_GRAPH_MPI_PRIVATE_H
#define SCOPES_GRAPH_MPI_PRIVATE_H

#include "scopes/graph/graph_private.h"
#include "scopes/mpi_trace.h"

struct es__graph_mpi {
	const struct es_mpi_trace_input *input;
	/* Time at which MPI_Init of each rank returned, if this is later than
	   its tuple tells; NULL: as in the tuples. */
	const int64_t *initialized_ns;
	const char *dir; /* for the log, as for es__graph_create */
	/* Number of threads that match messages, at least 1. */
	unsigned threads;
	uint64_t quota; /* number of tuples of a window; UINT64_MAX: all */
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

/* State of es__graph_mpi_begin, which makes the graph while the caller makes
   the windows of the trace. */
struct es__graph_mpi_work;

/*
 * es__graph_mpi_begin - begin to make the graph of a trace
 *
 * of		threads and quota are not used
 * trace	begun, without a window
 * work		out
 *
 * Returns	PATHS_OK; a status of es__graph_create
 * Ownership	borrows of->input, of->initialized_ns and the trace; the caller
 *		calls es__graph_mpi_end or es__graph_mpi_drop
 */
paths_status es__graph_mpi_begin(const struct es__graph_mpi *of,
    const struct es_mpi_trace *trace, struct es__graph_mpi_work **work)
    PATHS_CHECKED;

/* Adds the calls of the current window of the trace.  PATHS_OK; PATHS_EIO;
   PATHS_ENOMEM. */
paths_status es__graph_mpi_window(struct es__graph_mpi_work *work)
    PATHS_CHECKED;

/* Returns the number of the first tuple of a rank that the graph needs in the
   next window, for es__mpi_trace_keep. */
uint64_t es__graph_mpi_kept(const struct es__graph_mpi_work *work,
    uint32_t rank);

/*
 * es__graph_mpi_end - end a graph after the last window
 *
 * work		freed, also on failure
 * graph	out
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller calls es__graph_close
 */
paths_status es__graph_mpi_end(struct es__graph_mpi_work *work,
    struct es__graph **graph) PATHS_CHECKED;

/* Frees a graph that is not wanted.  work NULL: nothing happens. */
void es__graph_mpi_drop(struct es__graph_mpi_work *work);

#endif
