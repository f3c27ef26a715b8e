/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/ends_private.h - writes down how the processes of a run ended
 *
 * The lines of the file RUN/ends are described in net/gone_private.h.
 */

#ifndef LIBPATHS_RUN_ENDS_PRIVATE_H
#define LIBPATHS_RUN_ENDS_PRIVATE_H

#include "libpaths/run/run_private.h"

struct run_end {
	const char *name; /* of the process */
	const char *how;  /* "signal", "status" or "lost" */
	unsigned number;  /* signal, or exit status */
	bool here;	  /* the process was one of this machine */
};

/* Adds a line, and sends the end to the agents whose programs run, because a
   program may wait for this process.  Errors are ignored: the end is printed,
   too. */
void run_ends_add(const struct run *run, const struct run_end *end);

#endif
