/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/cpu_wait_private.h - notes that a rank often had to
 * wait for a core
 */

#ifndef COLLECTORS_MPI_PROCESS_CPU_WAIT_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_CPU_WAIT_PRIVATE_H

#include <stdint.h>
#include <sys/types.h>

struct mpi_process;

/* The thread that called mpi_cpu_wait_begin, and the values at that moment. */
struct mpi_cpu_wait {
	pid_t thread;
	uint64_t since_ns;    /* CLOCK_MONOTONIC */
	uint64_t runnable_ns; /* run-queue delay of the thread so far */
};

void mpi_cpu_wait_begin(struct mpi_cpu_wait *wait);

/* Logs a note if the calling thread also called mpi_cpu_wait_begin, and was
   runnable without a core for over a tenth of the time since then.  The note
   goes into the MPI log of the space. */
void mpi_cpu_wait_end(struct mpi_process *process);

#endif
