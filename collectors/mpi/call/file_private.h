/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/file_private.h - hooks of calls on files
 */

#ifndef COLLECTORS_MPI_CALL_FILE_PRIVATE_H
#define COLLECTORS_MPI_CALL_FILE_PRIVATE_H

#include "collectors/mpi/abi/args_private.h"
#include "collectors/mpi/process/call_private.h"

void mpi_file_before(struct mpi_call *call, struct mpi_args *args);
void mpi_file_after(struct mpi_call *call, struct mpi_args *args, int result);

#endif
