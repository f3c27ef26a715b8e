/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/unwind_private.h - the native frames of an MPI call
 */

#ifndef COLLECTORS_MPI_SITE_UNWIND_PRIVATE_H
#define COLLECTORS_MPI_SITE_UNWIND_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* Return addresses, innermost first, and the stack addresses where they are. */
struct mpi_unwind {
	const void **addresses; /* arrays of the caller */
	uintptr_t *places;
	uint32_t most; /* frames, at least 1 */
	uint32_t count;
	uint32_t own; /* frames of the interposer, which are not counted */
};

/* Prepares the unwinder of this process; it may be called again. */
void mpi_unwind_prepare(void);

/* Unwinds the path that begins with addresses[0], which the caller has set.  It
   has at least this address; without an unwinder, places[0] is 0. */
void mpi_unwind(struct mpi_unwind *unwind);

#endif
