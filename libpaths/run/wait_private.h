/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/wait_private.h - waits for the processes of a run, and ends them
 */

#ifndef LIBPATHS_RUN_WAIT_PRIVATE_H
#define LIBPATHS_RUN_WAIT_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Waits for all jobs; `end` terminates them at once.  guard.c has blocked the
   signals that end the run. */
void run_wait(struct run *run, bool end);

#endif
