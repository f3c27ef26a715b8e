/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/snapshot_private.h - copies a live run
 */

#ifndef COLLECTORS_MPI_COMMAND_SNAPSHOT_PRIVATE_H
#define COLLECTORS_MPI_COMMAND_SNAPSHOT_PRIVATE_H

#include <stdbool.h>

/* Copies a live run to a new, empty directory.  Removes the directory if
   nothing was copied. */
bool snapshot_take(const char *run, const char *to);

#endif
