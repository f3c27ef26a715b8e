/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_sites_private.h - the modules and call sites of a run
 */

#ifndef SCOPES_RUN_MPI_SITES_PRIVATE_H
#define SCOPES_RUN_MPI_SITES_PRIVATE_H

#include "scopes/run/mpi_log_private.h"
#include "scopes/run/mpi_private.h"

/* Adds site 0, which stands for no site. */
paths_status es__mpi_sites_open(struct es_mpi *mpi) PATHS_CHECKED;
void es__mpi_sites_close(struct es_mpi *mpi);

/*
 * es__mpi_sites_take_module, es__mpi_sites_take_source, es__mpi_sites_take -
 * take an entry of the log of a rank
 *
 * Sites are taken when all modules and sources of the rank are known and
 * sorted.
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	the entry is invalid
 *		PATHS_ENOMEM
 */
paths_status es__mpi_sites_take_module(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_sites_take_source(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_sites_take(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;

#endif
