/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/callpath_private.h - the call paths that a thread has met
 */

#ifndef COLLECTORS_MPI_SITE_CALLPATH_PRIVATE_H
#define COLLECTORS_MPI_SITE_CALLPATH_PRIVATE_H

#include "libpaths/status.h"

#include <stdint.h>

struct mpi_callpaths;
struct mpi_site_table;

/* Creates the paths of the calling thread, which `table` numbers.  *callpaths
   is NULL when sites are return addresses without a path. */
paths_status mpi_callpaths_open(struct mpi_site_table *table,
    struct mpi_callpaths **callpaths) PATHS_CHECKED;
void mpi_callpaths_close(struct mpi_callpaths *callpaths);

/* Gives the paths of a thread that ended to the calling thread, which has
   another stack.  NULL is allowed. */
void mpi_callpaths_move(struct mpi_callpaths *callpaths);

/* Returns the number of the call path whose innermost frame is `address`; 0:
   there is no memory. */
uint32_t mpi_callpath_find(struct mpi_callpaths *callpaths,
    const void *address);

#endif
