/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/guard_private.h - runs the work of eventspace-run below a keeper
 */

#ifndef LIBPATHS_RUN_GUARD_PRIVATE_H
#define LIBPATHS_RUN_GUARD_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Does the work in a process of its own, and cleans the run directory.  Returns
   an exit status in each of the three processes, which all end with it. */
int run_guard(struct run *run, bool (*work)(struct run *run));

#endif
