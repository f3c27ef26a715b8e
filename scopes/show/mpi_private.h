/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/mpi_private.h - sentences about an MPI run
 */

#ifndef SCOPES_SHOW_MPI_PRIVATE_H
#define SCOPES_SHOW_MPI_PRIVATE_H

#include "scopes/show/show.h"

/* Finds out if the run is one of MPI processes. */
paths_status es__show_mpi_is(const struct es_show *show, bool *is)
    PATHS_CHECKED;

/* Writes the numbers of ranks, hosts and calls. */
paths_status es__show_mpi_sizes(const struct es_show *show) PATHS_CHECKED;

/* Writes that the time before calls that hang is too short to tell more, if it
   is; hung: out. */
paths_status es__show_mpi_hung(const struct es_show *show, bool *hung)
    PATHS_CHECKED;

/* Writes where the ranks wait, and for whom. */
paths_status es__show_mpi_waiting(const struct es_show *show) PATHS_CHECKED;

#endif
