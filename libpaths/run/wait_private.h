/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/wait_private.h - waits for the processes of a run, and ends them
 */

#ifndef LIBPATHS_RUN_WAIT_PRIVATE_H
#define LIBPATHS_RUN_WAIT_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Blocks the signals that end the run; is called before run_start. */
void run_wait_block(void);

/* Waits for all jobs; `end` terminates them at once. */
void run_wait(struct run *run, bool end);

#endif
