/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/binding_private.h - logs the processors on which a
 * thread may run
 */

#ifndef COLLECTORS_MPI_PROCESS_BINDING_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_BINDING_PRIVATE_H

#include "collectors/mpi/base/log_private.h"

/* Logs the binding of the calling thread, as the kernel has it now.  Logs
   nothing if the kernel does not tell it. */
void mpi_binding_log(struct mpi_log *log, uint32_t thread);

#endif
