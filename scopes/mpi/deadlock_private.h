/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/deadlock_private.h - diagnoses deadlocks
 *
 * Of processes that live, a wait is believed when nothing moved between two
 * readings of their rows.  Rows of a process that was killed can be read once
 * only, so there only waits that the trace proves are believed.
 */

#ifndef SCOPES_MPI_DEADLOCK_PRIVATE_H
#define SCOPES_MPI_DEADLOCK_PRIVATE_H

#include "scopes/mpi/inside_private.h"

/*
 * es__deadlock_diagnose - diagnose which ranks wait for each other
 *
 * inside	the first reading; of processes that live it takes another
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__deadlock_diagnose(struct es_analysis *a,
    const struct es__inside *inside) PATHS_CHECKED;

#endif
