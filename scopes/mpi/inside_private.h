/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/inside_private.h - where the threads of a run are, and what for
 *
 * A thread that calls MPI says so in its row, in any mode.  Who waits for whom
 * follows from these words, and where there is a trace from that: whether the
 * message that a receive waits for is under way already.  What is not known is
 * taken to go on.
 *
 * Of processes that live, a wait is believed when nothing moved between two
 * looks.  Of a process that was killed there is only one look, so there only
 * what the trace proves is believed.
 */

#ifndef SCOPES_MPI_INSIDE_PRIVATE_H
#define SCOPES_MPI_INSIDE_PRIVATE_H

#include "scopes/mpi.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/wait_for_unreachable_private.h"

/* A thread that has called MPI. */
struct es__mpi_inside {
	uint32_t rank, thread; /* of the run, of the map */
	uint32_t function;     /* 0: it is not inside a call */
	uint32_t comm;	       /* of the run; NONE */
	int32_t peer;	       /* rank of the run; negative: as in tuples */
	int32_t tag;
	uint32_t site;		    /* of the run; NONE */
	uint32_t match;		    /* as in tuples */
	int32_t source, source_tag; /* what a Sendrecv receives */
	uint64_t since;		    /* ticks; 0: not known */
	uint64_t calls, requests;
	bool exited;	     /* the thread is not there any more */
	struct es_mpi_at at; /* of its call; ring NONE: not in the trace */
};

struct es__mpi_look {
	struct es__mpi_inside *threads; /* in order of ranks */
	uint32_t count;
};

/*
 * es__mpi_look - where all threads of a run are just now
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees look->threads
 */
paths_status es__mpi_look(struct es_analysis *a, struct es__mpi_look *look)
    PATHS_CHECKED;

/*
 * es__mpi_needs - what each thread waits for
 *
 * certain	believe only what the trace proves
 * knot		out: to be solved
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_needs_fini, also on failure
 */
paths_status es__mpi_needs(struct es_analysis *a,
    const struct es__mpi_look *look, bool certain, struct es__knot *knot)
    PATHS_CHECKED;
void es__mpi_needs_fini(struct es__knot *knot);

/*
 * es__mpi_deadlock - diagnose which ranks wait for each other
 *
 * look	the first one; of processes that live it takes another
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_deadlock(struct es_analysis *a,
    const struct es__mpi_look *look) PATHS_CHECKED;

#endif
