/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/run/hold.c - stops eventspace run before its first process
 *
 * A module for LD_PRELOAD.  eventspace run calls pipe2 when its run directory
 * is complete and it starts a process.  The first call creates the file held in
 * the run directory, and never returns.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((visibility("default"))) int
pipe2(int fds[2], int flags)
{
	const char *run = getenv("PATHS_RUN");

	(void)fds;
	(void)flags;
	if (run != NULL && chdir(run) == 0 &&
	    open("held", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0)
		for (;;)
			pause();
	return -1;
}
