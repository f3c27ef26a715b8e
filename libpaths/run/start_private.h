/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/start_private.h - starts child processes
 */

#ifndef LIBPATHS_RUN_START_PRIVATE_H
#define LIBPATHS_RUN_START_PRIVATE_H

#include "libpaths/launch/spawn_private.h"
#include "libpaths/run/labels_private.h"

/* Starts all processes on this machine.  After a failure, run->jobs has those
   that were started. */
bool run_start(struct run *run, const struct run_labels *labels);

/* Sets the environment that all processes share. */
bool run_start_environment(const struct run *run);

/* Makes room for the children of a run. */
bool run_start_jobs(struct run *run);

/* Starts a child. */
bool run_start_job(struct run *run, const char *name,
    const struct launch_spawn *spawn);

#endif
