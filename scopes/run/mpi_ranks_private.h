/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_ranks_private.h - numbers the processes of an MPI run and
 * their worlds
 */

#ifndef SCOPES_RUN_MPI_RANKS_PRIVATE_H
#define SCOPES_RUN_MPI_RANKS_PRIVATE_H

#include "scopes/run/mpi_private.h"

/*
 * es__mpi_ranks_open - fill in the ranks of a run, their worlds and threads
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	es__mpi_close frees them, also on failure
 */
paths_status es__mpi_ranks_open(struct es_mpi *mpi) PATHS_CHECKED;

/* Returns how many ranks the world of the run has. */
int32_t es__mpi_ranks_world_size(const struct es_mpi *mpi);

#endif
