/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/core_private.h - whether a rank had a core while it
 * ran
 */

#ifndef COLLECTORS_MPI_PROCESS_CORE_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_CORE_PRIVATE_H

#include <stdint.h>
#include <sys/types.h>

struct mpi_process;

/* What a thread had spent when its process was opened. */
struct mpi_core {
	pid_t thread;
	uint64_t since_ns;
	uint64_t stood_ns; /* ready to run, and without a core */
};

void mpi_core_begin(struct mpi_core *core);

/* Where the process stood still for much of the time since, note it. */
void mpi_core_end(struct mpi_process *process);

#endif
