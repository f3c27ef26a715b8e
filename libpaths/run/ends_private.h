/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/ends_private.h - writes down how the processes of a run ended
 *
 * The file RUN/ends has a line for each process that has ended, in the order of
 * their ends:
 *
 *	signal|status NUMBER self|run TICKS DOMAIN NAME
 *
 * "run" stands for a process that ended after eventspace run had sent it a
 * signal.  TICKS is the time at which the end was noticed, on the clock of
 * DOMAIN (paths_clock_domain); 0 for a process of another host.
 */

#ifndef LIBPATHS_RUN_ENDS_PRIVATE_H
#define LIBPATHS_RUN_ENDS_PRIVATE_H

#include "libpaths/run/run_private.h"

#define RUN_ENDS_FILE "ends"

struct run_end {
	const char *name; /* of the process */
	bool signalled;
	unsigned number; /* signal, or exit status */
	bool here;	 /* the process was one of this machine */
};

/* Adds a line.  Errors are ignored: the end is printed, too. */
void run_ends_add(const struct run *run, const struct run_end *end);

#endif
