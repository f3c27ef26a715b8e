/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/runnable_private.h - time of a thread without a core
 */

#ifndef COLLECTORS_MPI_BASE_RUNNABLE_PRIVATE_H
#define COLLECTORS_MPI_BASE_RUNNABLE_PRIVATE_H

#include <stdint.h>

/* Returns the run-queue delay of this thread so far, in ns; 0 when the kernel
   does not count it. */
uint64_t mpi_runnable_ns(void);

#endif
