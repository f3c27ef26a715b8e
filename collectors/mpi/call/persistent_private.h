/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/persistent_private.h - hooks of persistent and
 * partitioned requests
 */

#ifndef COLLECTORS_MPI_CALL_PERSISTENT_PRIVATE_H
#define COLLECTORS_MPI_CALL_PERSISTENT_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/process/call_private.h"

void mpi_send_init_before(struct mpi_call *call, struct mpi_args *args);
void mpi_send_init_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_recv_init_before(struct mpi_call *call, struct mpi_args *args);
void mpi_recv_init_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_start_before(struct mpi_call *call, struct mpi_args *args);
void mpi_start_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_ready_before(struct mpi_call *call, struct mpi_args *args);
void mpi_ready_after(struct mpi_call *call, struct mpi_args *args, int result);

#endif
