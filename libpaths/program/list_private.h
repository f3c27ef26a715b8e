/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/list_private.h - the programs that this process has open
 */

#ifndef LIBPATHS_PROGRAM_LIST_PRIVATE_H
#define LIBPATHS_PROGRAM_LIST_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Adds a program that is about to be opened.  Returns PATHS_EBUSY when the list
   has the same process of the same run. */
paths_status paths__list_add(struct paths_program *program) PATHS_CHECKED;

/* Marks a program as complete: a fork may read its threads and paths. */
void paths__list_complete(struct paths_program *program);

/* Removes a program.  Returns false when the list does not have it. */
bool paths__list_remove(struct paths_program *program);

/* Returns true for a program that is open and complete.  Does not read from
   it. */
bool paths__list_has(const struct paths_program *program);

typedef void paths__list_end_fn(struct paths_program *program);

/* Makes the end of the calling thread call *end for each program. */
void paths__list_watch_thread(paths__list_end_fn *const *end);

#endif
