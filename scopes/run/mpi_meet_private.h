/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_meet_private.h - connects the worlds of a run that met
 */

#ifndef SCOPES_RUN_MPI_MEET_PRIVATE_H
#define SCOPES_RUN_MPI_MEET_PRIVATE_H

#include "scopes/run/mpi_private.h"

/*
 * es__mpi_meet - identify the processes that a world met outside of itself
 *
 * Also finds which communicators of several worlds are one.  Called after all
 * logs were read.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_meet(struct es_mpi *mpi) PATHS_CHECKED;

#endif
