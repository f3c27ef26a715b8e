/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/carry_private.h - carries parked operations of a thread on
 */

#ifndef LIBPATHS_ENGINE_CARRY_PRIVATE_H
#define LIBPATHS_ENGINE_CARRY_PRIVATE_H

#include "libpaths/engine/path_private.h"

/* Waits until the operation of the path has ended, at its deadline at last.
   Carries on the other operations of the thread meanwhile. */
void paths__carry_finish(struct paths_path *path);

/* Ends the operation of the path with an error, as soon as its stage gives it
   back. */
void paths__carry_cancel(struct paths_path *path, paths_status st,
    const char *why);

#endif
