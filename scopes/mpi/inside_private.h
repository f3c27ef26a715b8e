/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/inside_private.h - reads which MPI calls the threads of a run are
 * in
 *
 * Each thread reports its current call in a row of its event space, in every
 * mode.
 */

#ifndef SCOPES_MPI_INSIDE_PRIVATE_H
#define SCOPES_MPI_INSIDE_PRIVATE_H

#include "scopes/analysis.h"
#include "scopes/mpi_trace.h"

/* A thread that has called MPI. */
struct es__inside_thread {
	uint32_t rank, thread; /* rank of the run, thread of the map */
	uint32_t function;     /* 0: the thread is not inside of a call */
	uint32_t comm;	       /* number in the run, or PATHS_NONE */
	/* Rank of the run; negative values as in tuples. */
	int32_t peer;
	int32_t tag;
	uint32_t site;		    /* of the run, or PATHS_NONE */
	uint32_t match;		    /* as in tuples */
	int32_t source, source_tag; /* of the receive of a Sendrecv */
	uint64_t since;		    /* start of the call, in ticks; 0: not
				       known */
	/* Number of calls that the thread has made, and of open requests in its
	   table. */
	uint64_t calls, requests;
	/* For a thread outside of calls: function of its last call, at `site`,
	   and the end of that call in ticks; 0: not known from the trace. */
	uint32_t last;
	uint64_t left;
	bool exited; /* the thread does not exist any more */
	/* Tuple of its call; its ring is PATHS_NONE if the trace does not have
	   the call. */
	struct es_mpi_at at;
};

struct es__inside {
	struct es__inside_thread *threads; /* in order of ranks */
	uint32_t count;
	uint64_t now; /* ticks of this process at the reading */
};

/*
 * es__inside_read - read the current rows of all threads of a run
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees inside->threads
 */
paths_status es__inside_read(struct es_analysis *a, struct es__inside *inside)
    PATHS_CHECKED;

/*
 * es__inside_ns - compute the time from a stamp of a rank until the reading, or
 * until the end of the rank
 *
 * ticks	0: not known
 *
 * Returns	ns; -1: not known, or the rank is live and has another clock
 *		than this process
 */
int64_t es__inside_ns(const struct es_analysis *a,
    const struct es__inside *inside, uint32_t rank, uint64_t ticks);

#endif
