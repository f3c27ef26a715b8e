/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/start_private.h - starts the processes of a map
 */

#ifndef LIBPATHS_RUN_START_PRIVATE_H
#define LIBPATHS_RUN_START_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Starts all processes.  After a failure, run->jobs has those that were
   started. */
bool run_start(struct run *run);

#endif
