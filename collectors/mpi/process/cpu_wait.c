/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/cpu_wait.c - notes that a rank often had to wait for a
 * core
 *
 * When there are more ranks than cores, or other load on the machine, calls
 * last long although no rank is late.  The kernel counts the time that a thread
 * was runnable without a core (/proc/thread-self/schedstat, run-queue delay).
 * The count is that of the thread that begins and ends MPI, between these two
 * calls.  A kernel without this count reports 0.  In modes with stamps,
 * cpu_sample.c samples the count of each thread instead.
 */

#include "collectors/mpi/process/cpu_wait_private.h"

#include "collectors/mpi/base/runnable_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/record_private.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t
cpu_wait_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
mpi_cpu_wait_begin(struct mpi_cpu_wait *wait)
{
	wait->thread = gettid();
	wait->since_ns = cpu_wait_now_ns();
	wait->runnable_ns = mpi_runnable_ns();
}

void
mpi_cpu_wait_end(struct mpi_process *process)
{
	const struct mpi_cpu_wait *wait = &process->cpu_wait;
	/* A few steps, so that the notes of most ranks are equal. */
	static const unsigned percents[] = { 75, 50, 25, 10 };
	uint64_t runnable_ns = mpi_runnable_ns() - wait->runnable_ns;
	uint64_t ns = cpu_wait_now_ns() - wait->since_ns;
	char text[160];
	size_t n = 0;

	while (n < 4 && runnable_ns <= ns / 100 * percents[n])
		n++;
	/* Modes with stamps have samples, and views that use them. */
	if (n == 4 || wait->thread != gettid() || mpi_self->cpu.sums != NULL)
		return;
	snprintf(text, sizeof(text),
	    "runnable without a core for over %u %% of the run: more processes"
	    " than cores; do not trust waits or culprits",
	    percents[n]);
	mpi_log_append(&process->log, ES_MPI_ENTRY_NOTE,
	    &(const struct iovec){ text, strlen(text) + 1 }, 1);
}
