/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/cpu_sample_private.h - samples how long a thread that
 * calls MPI had no core
 */

#ifndef COLLECTORS_MPI_PROCESS_CPU_SAMPLE_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_CPU_SAMPLE_PRIVATE_H

#include "collectors/mpi/object/thread_state_private.h"

/* Samples at the begin of a call, when that is due.  Returns the time
   afterwards, in ticks: the sample is not part of the call. */
uint64_t mpi_cpu_sample_enter(struct mpi_thread *thread, uint64_t now)
    __attribute__((cold));

/* Samples at the end of a call, when that is due. */
void mpi_cpu_sample_leave(struct mpi_thread *thread, uint64_t now)
    __attribute__((cold));

#endif
