/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/life_private.h - hooks of MPI_Init, MPI_Init_thread,
 * MPI_Finalize, MPI_Abort, MPI_Pcontrol and MPI_Session_finalize
 *
 * They are called also when nothing is recorded.
 */

#ifndef COLLECTORS_MPI_CALL_LIFE_PRIVATE_H
#define COLLECTORS_MPI_CALL_LIFE_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/process/call_private.h"

void mpi_init_before(struct mpi_call *call, struct mpi_args *args);
void mpi_init_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_finalize_before(struct mpi_call *call, struct mpi_args *args);
void mpi_finalize_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_abort_before(struct mpi_call *call, struct mpi_args *args);
void mpi_abort_after(struct mpi_call *call, struct mpi_args *args, int result);
void mpi_pcontrol_before(struct mpi_call *call, struct mpi_args *args);
void mpi_pcontrol_after(struct mpi_call *call, struct mpi_args *args,
    int result);
void mpi_session_end_before(struct mpi_call *call, struct mpi_args *args);
void mpi_session_end_after(struct mpi_call *call, struct mpi_args *args,
    int result);

#endif
