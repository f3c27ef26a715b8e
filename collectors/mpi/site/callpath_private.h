/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/callpath_private.h - call paths: where a call came from
 */

#ifndef COLLECTORS_MPI_SITE_CALLPATH_PRIVATE_H
#define COLLECTORS_MPI_SITE_CALLPATH_PRIVATE_H

#include "collectors/mpi/site/site_private.h"

/* The paths that this thread has met; NULL where only return addresses are
   asked for. */
paths_status mpi_paths_open(struct mpi_paths **paths) PATHS_CHECKED;
/* Another thread has them now.  NULL: nothing happens. */
void mpi_paths_move(struct mpi_paths *paths);
void mpi_paths_close(struct mpi_paths *paths);

#endif
