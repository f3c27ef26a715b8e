/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/fatal_private.h - notes the signal, or the error, that
 * ends a rank
 *
 * The signals are those of faults, of abort(3), and those by which launchers
 * end a rank, if the program neither handled nor ignored them before MPI_Init.
 * Only the first signal is noted.  Our handler then calls the handler of MPI,
 * or of a library of MPI.
 */

#ifndef COLLECTORS_MPI_PROCESS_FATAL_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_FATAL_PRIVATE_H

#include "collectors/mpi_space.h"

#include <stdbool.h>

/* Finds the signals without a handler.  Called before MPI_Init. */
void mpi_fatal_look(void);

/* Installs the handler that writes the number of such a signal to
   control->signal. */
void mpi_fatal_watch(struct es_mpi_control *control);

/* Notes that the handler of an error of a call begins, or has returned. */
void mpi_fatal_error(bool begins);

#endif
