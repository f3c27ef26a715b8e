/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/deadlock_private.h - finds deadlocks and reports them
 *
 * A wait of a live process counts only if nothing changes between two readings
 * of its rows.  The rows of a killed process never change, so its waits count
 * only if the trace proves them.
 */

#ifndef SCOPES_MPI_DEADLOCK_PRIVATE_H
#define SCOPES_MPI_DEADLOCK_PRIVATE_H

#include "scopes/mpi/inside_private.h"

/*
 * es__deadlock_diagnose - report which ranks wait for each other
 *
 * inside	the first reading of the rows; the second is made here
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__deadlock_diagnose(struct es_analysis *a,
    const struct es__inside *inside) PATHS_CHECKED;

#endif
