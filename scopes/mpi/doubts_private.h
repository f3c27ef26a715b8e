/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/doubts_private.h - gives error bounds for differences of times of
 * two ranks
 */

#ifndef SCOPES_MPI_DOUBTS_PRIVATE_H
#define SCOPES_MPI_DOUBTS_PRIVATE_H

#include "scopes/clock/doubt_private.h"

/* The clocks of ranks. */
struct es__mpi_doubts {
	const struct es_analysis *a;
	/* Clock of each rank; NULL: all ranks have the same clock. */
	uint32_t *domains;
};

/* a: NULL: all ranks have one clock.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__mpi_doubts_init(struct es__mpi_doubts *doubts,
    const struct es_analysis *a, uint32_t ranks) PATHS_CHECKED;
void es__mpi_doubts_fini(struct es__mpi_doubts *doubts);

/* Returns the number of the clock of a rank. */
static inline uint32_t
es__mpi_doubts_clock(const struct es__mpi_doubts *doubts, uint32_t rank)
{
	return doubts->domains == NULL ? 0 : doubts->domains[rank];
}

/* Returns the error bound of the difference of two times of two ranks. */
static inline int64_t
es__mpi_doubt_between(const struct es__mpi_doubts *doubts, uint32_t one,
    uint32_t other, int64_t one_ns, int64_t other_ns)
{
	return es__clock_doubt_between(doubts->a,
	    es__mpi_doubts_clock(doubts, one),
	    es__mpi_doubts_clock(doubts, other), one_ns, other_ns);
}

#endif
