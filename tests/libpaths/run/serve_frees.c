/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/run/serve_frees.c - sends SIGTERM whenever memory is freed
 *
 * A module for LD_PRELOAD.  free overwrites memory with invalid pointers and,
 * while SIGTERM has a handler, sends the signal.
 */

#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The free of the C library. */
extern void __libc_free(void *memory);

static bool
has_handler(void)
{
	struct sigaction action;

	return sigaction(SIGTERM, NULL, &action) == 0 &&
	    action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

__attribute__((visibility("default"))) void
free(void *memory)
{
	if (memory == NULL)
		return;
	memset(memory, 0xff, malloc_usable_size(memory));
	__libc_free(memory);
	if (has_handler())
		kill(getpid(), SIGTERM);
}
