/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/remote_private.h - runs the processes of a map on other hosts
 */

#ifndef LIBPATHS_RUN_REMOTE_PRIVATE_H
#define LIBPATHS_RUN_REMOTE_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Starts the processes by the launcher, waits for them and collects their
   files.  Returns true when all programs were started. */
bool run_remote(struct run *run);

#endif
