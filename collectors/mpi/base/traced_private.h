/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/traced_private.h - the phases whose calls are traced
 *
 * A file has a phase in each line: its name, and, if not all of its instances
 * are meant, a blank and their numbers, N or N-M, from 0.  An instance begins
 * each time that the program begins the phase.
 *
 * MPI_TRACED_AUTO in place of a file takes of each phase the instances 0 to 3,
 * and then each whose number is a power of two.  All ranks choose the same ones
 * without a message, and the trace grows with the logarithm of the run.
 */

#ifndef COLLECTORS_MPI_BASE_TRACED_PRIVATE_H
#define COLLECTORS_MPI_BASE_TRACED_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>

/* A file of this name has a path, such as ./auto. */
#define MPI_TRACED_AUTO "auto"

struct mpi_traced;

/*
 * mpi_traced_open - read the phases that are traced
 *
 * file		or MPI_TRACED_AUTO; NULL: all calls are traced, and *traced is
 *		NULL
 * traced	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT, PATHS_EIO	the file cannot be read
 *		PATHS_EINVAL	it has no phase, or wrong numbers
 *		PATHS_ENOMEM
 * Ownership	the caller calls mpi_traced_close
 */
paths_status mpi_traced_open(const char *file, struct mpi_traced **traced)
    PATHS_CHECKED;
void mpi_traced_close(struct mpi_traced *traced);

/* Notes that a phase begins.  Returns whether its calls are traced.  name: "":
   the program is in no phase. */
bool mpi_traced_begin(struct mpi_traced *traced, const char *name);

#endif
