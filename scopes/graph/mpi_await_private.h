/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_await_private.h - finds what a call of an MPI trace waits
 * for
 */

#ifndef SCOPES_GRAPH_MPI_AWAIT_PRIVATE_H
#define SCOPES_GRAPH_MPI_AWAIT_PRIVATE_H

#include "scopes/graph/mpi_work_private.h"

/* Adds what a tuple of a call waits for to the awaits of the call.  PATHS_OK;
   PATHS_ENOMEM; PATHS_EIO. */
paths_status es__graph_await_tuple(struct es__graph_mpi_work *work,
    struct es_mpi_at at) PATHS_CHECKED;

/* Adds the calls of other threads that a call waited for, by its first tuple,
   and that post nothing.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__graph_await_calls(struct es__graph_mpi_work *work,
    struct es_mpi_at call) PATHS_CHECKED;

#endif
