/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/clean_private.h - removes the temporary files of a run
 */

#ifndef LIBPATHS_RUN_CLEAN_PRIVATE_H
#define LIBPATHS_RUN_CLEAN_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Removes the secret, the sockets, the id and unfinished event
   spaces.  All processes of the run have ended. */
void run_clean(const struct run *run);

#endif
