/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/thread_private.h - the threads of a process and their paths
 */

#ifndef LIBPATHS_PROGRAM_THREAD_PRIVATE_H
#define LIBPATHS_PROGRAM_THREAD_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Sets up the threads of the map. */
paths_status paths__thread_create_all(struct paths_program *program);

/* Builds the paths of the threads of this process, whose stages are open. */
paths_status paths__thread_build_paths(struct paths_program *program);

/* Ends all paths: cancels their operations and calls `lost` of their stages. */
void paths__thread_end_all(struct paths_program *program);

/* Returns true, after a warning, when a thread waits in an operation. */
bool paths__thread_is_inside(const struct paths_program *program);

void paths__thread_destroy_all(struct paths_program *program);

#endif
