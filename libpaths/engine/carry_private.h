/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/carry_private.h - waits for the operations of a thread and
 * runs their remaining passes
 */

#ifndef LIBPATHS_ENGINE_CARRY_PRIVATE_H
#define LIBPATHS_ENGINE_CARRY_PRIVATE_H

#include "libpaths/engine/path_private.h"

/* Waits until the operation of the path has ended.  After the deadline of the
   operation, ends it with PATHS_ETIMEDOUT as soon as its stage gives it back.
   Meanwhile runs the passes of the thread's other operations. */
void paths__carry_finish(struct paths_path *path);

/* Ends the operation of the path with an error.  Waits until its stage gives it
   back, or until it has ended by itself. */
void paths__carry_cancel(struct paths_path *path, paths_status st,
    const char *why);

#endif
