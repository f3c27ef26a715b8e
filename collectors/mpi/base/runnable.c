/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/runnable.c - reads how long a thread had no core
 */

#include "collectors/mpi/base/runnable_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

uint64_t
mpi_runnable_ns(void)
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
	/* The fields: ns on a core, ns runnable without one, time slices. */
	return sscanf(text, "%*u %" SCNu64, &ns) == 1 ? ns : 0;
}
