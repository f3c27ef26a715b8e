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

/* Runs what can run of the operation of the path without waiting. */
void paths__carry_try(struct paths_path *path);

/* Returns the index of the first path whose started operation has ended; count
   if there is none. */
uint32_t paths__carry_ended(struct paths_path *const *paths, uint32_t count);

/* Waits until a started operation of one of the paths has ended, as
   paths__carry_finish does for one.  One at least must be started. */
void paths__carry_any(struct paths_path *const *paths, uint32_t count);

/* Ends the operation of the path with an error.  Waits until its stage gives it
   back, or until it has ended by itself. */
void paths__carry_cancel(struct paths_path *path, paths_status st,
    const char *why);

#endif
