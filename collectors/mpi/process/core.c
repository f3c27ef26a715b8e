/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/core.c - whether a rank had a core while it ran
 *
 * Where there are more ranks than cores, or others on the machine, calls last
 * long and nobody is late.  The kernel counts how long a thread could run and
 * had to stand still; that of the thread which ends MPI is looked at, since it
 * began.  A kernel that does not count says 0.
 */

#include "collectors/mpi/process/core_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi/process/record_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long this thread stood still; 0: not known. */
static uint64_t
core_stood_ns(void)
{
	char text[128];
	uint64_t ns = 0;
	ssize_t n = 0;
	int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	/* Time on a core, time without, turns. */
	return sscanf(text, "%*u %" SCNu64, &ns) == 1 ? ns : 0;
}

static uint64_t
core_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
mpi_core_begin(struct mpi_core *core)
{
	core->thread = gettid();
	core->since_ns = core_now_ns();
	core->stood_ns = core_stood_ns();
}

void
mpi_core_end(struct mpi_process *process)
{
	const struct mpi_core *core = &process->core;
	/* Few, so that ranks say the same. */
	static const unsigned percents[] = { 75, 50, 25, 10 };
	uint64_t stood_ns = core_stood_ns() - core->stood_ns;
	uint64_t ns = core_now_ns() - core->since_ns;
	char text[160];
	size_t n = 0;

	while (n < 4 && stood_ns <= ns / 100 * percents[n])
		n++;
	if (n == 4 || core->thread != gettid())
		return;
	snprintf(text, sizeof(text),
	    "it stood still for want of a core for over %u %% of its time;"
	    " calls lasted longer, and estimates take that for waiting",
	    percents[n]);
	mpi_log(process, ES_MPI_ENTRY_NOTE,
	    &(const struct iovec){ text, strlen(text) + 1 }, 1);
}
