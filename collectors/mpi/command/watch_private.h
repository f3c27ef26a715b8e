/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/watch_private.h - notes when and how a rank ends
 */

#ifndef COLLECTORS_MPI_COMMAND_WATCH_PRIVATE_H
#define COLLECTORS_MPI_COMMAND_WATCH_PRIVATE_H

/*
 * Starts a process that waits for the end of this one, whatever program it
 * executes, and then appends a line to the file "ends" of a run directory.
 * Without pidfd_open(2), close_range(2) or room for a process, no end is
 * noted.
 *
 * rank		of this process as its launcher gives it; -1: not known
 */
void watch_start(const char *directory, long rank);

#endif
