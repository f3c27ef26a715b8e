/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/command/control_private.h - starts, stops and resets the
 * recording of a live run
 */

#ifndef COLLECTORS_MPI_COMMAND_CONTROL_PRIVATE_H
#define COLLECTORS_MPI_COMMAND_CONTROL_PRIVATE_H

/* Runs `eventspace mpi --control RUN ACTION [ARGUMENT]`.  Returns the exit
   status. */
int control_main(const char *run, char **action);

#endif
