/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/core_private.h - time runnable without a core
 */

#ifndef COLLECTORS_MPI_PROCESS_CORE_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_CORE_PRIVATE_H

#include <stdint.h>
#include <sys/types.h>

struct mpi_process;

/* The thread that began MPI, and its times at that moment. */
struct mpi_core {
	pid_t thread;
	uint64_t since_ns;
	uint64_t runnable_ns; /* runnable without a core */
};

void mpi_core_begin(struct mpi_core *core);

/* Logs a note when the thread was runnable without a core for over a tenth of
   the time since mpi_core_begin. */
void mpi_core_end(struct mpi_process *process);

#endif
