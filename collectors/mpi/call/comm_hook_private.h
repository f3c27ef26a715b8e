/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/comm_hook_private.h - hooks of calls that make, name and
 * free communicators
 */

#ifndef COLLECTORS_MPI_CALL_COMM_HOOK_PRIVATE_H
#define COLLECTORS_MPI_CALL_COMM_HOOK_PRIVATE_H

#include "collectors/mpi/call/requests_private.h"

void mpi_comm_before(struct mpi_call *call, struct mpi_args *args);
void mpi_comm_after(struct mpi_call *call, struct mpi_args *args, int result);

/* Ends a request of MPI_Comm_idup (MPI_REQUEST_COMM): its communicator can be
   used from now on. */
void mpi_comm_arrived(struct mpi_thread *thread, struct mpi_carried *carried);

#endif
