/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/cpu_sample.c - samples how long a thread that calls
 * MPI had no core
 *
 * The number of the next call tells whether a call lies between two samples.
 */

#include "collectors/mpi/process/cpu_sample_private.h"

#include "collectors/mpi/process/process_private.h"

static void
cpu_sample(struct mpi_thread *t, uint64_t now, enum es_cpu_side side)
{
	es__cpu_sample(&t->cpu,
	    &(struct es__cpu_place){ .record = t->process->record,
		.owner = t->number,
		.side = side,
		.now = now,
		.mark = t->seq });
}

uint64_t
mpi_cpu_sample_enter(struct mpi_thread *t, uint64_t now)
{
	/* The kernel may give the core away when a system call of the sample
	   ends.  That time is not part of the call either. */
	for (int n = 0; n < ES__CPU_TRIES && now > t->cpu.due; n++) {
		cpu_sample(t, now, ES_CPU_OUTSIDE);
		now = paths_clock_ticks();
	}
	return now;
}

void
mpi_cpu_sample_leave(struct mpi_thread *t, uint64_t now)
{
	cpu_sample(t, now, ES_CPU_INSIDE);
}
