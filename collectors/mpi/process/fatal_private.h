/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/process/fatal_private.h - notes the signal, or the error, that
 * ends a rank
 *
 * Only signals that the program neither handled nor ignored before MPI_Init:
 * those of faults, of abort(3), and those by which launchers end a rank.  The
 * first one counts.  The handler of MPI, or of a library of MPI, is called
 * after ours.
 */

#ifndef COLLECTORS_MPI_PROCESS_FATAL_PRIVATE_H
#define COLLECTORS_MPI_PROCESS_FATAL_PRIVATE_H

#include "collectors/mpi_space.h"

#include <stdbool.h>

/* Finds, before MPI_Init, the signals that nobody handles. */
void mpi_fatal_look(void);

/* Writes the number of such a signal to control->signal when it comes. */
void mpi_fatal_watch(struct es_mpi_control *control);

/* Notes that the handler of an error of a call begins, or has returned. */
void mpi_fatal_error(bool begins);

#endif
