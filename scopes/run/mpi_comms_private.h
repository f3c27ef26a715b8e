/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_comms_private.h - the communicators of a run
 */

#ifndef SCOPES_RUN_MPI_COMMS_PRIVATE_H
#define SCOPES_RUN_MPI_COMMS_PRIVATE_H

#include "scopes/run/mpi_log_private.h"
#include "scopes/run/mpi_private.h"

/* Adds the communicators that exist from the start. */
paths_status es__mpi_comms_open(struct es_mpi *mpi, int32_t world_size)
    PATHS_CHECKED;
void es__mpi_comms_close(struct es_mpi *mpi);

/*
 * es__mpi_comms_take, es__mpi_comms_take_parent, es__mpi_comms_take_name - take
 * an entry of the log of a rank
 *
 * Parents and names are taken when all communicators of the rank are known and
 * sorted.
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	the entry is invalid
 *		PATHS_ENOMEM
 */
paths_status es__mpi_comms_take(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_comms_take_parent(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_comms_take_name(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;

/* Reads the ranges of members in an entry of the log, the rank's own group
   first; NULL: the entry is invalid.  The caller frees them. */
struct es_mpi_ranks *es__mpi_comms_ranges(const struct es__mpi_log *log,
    struct es_mpi_comm *head);

#endif
