/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/library_private.h - the MPI libraries of this process
 *
 * RTLD_NEXT and RTLD_DEFAULT do not search an MPI that an interpreter opened
 * for itself (RTLD_LOCAL), so its file is searched as well.  MPI may be loaded
 * at any time, so nothing is looked up before it is needed.
 */

#ifndef COLLECTORS_MPI_ABI_LIBRARY_PRIVATE_H
#define COLLECTORS_MPI_ABI_LIBRARY_PRIVATE_H

#include <stdbool.h>

/* Is called with each library that may belong to an MPI: the last part of its
   file name, and its handle for dlsym.  Returns false to stop. */
typedef bool mpi_library_seen(void *to, const char *name, void *handle);

void mpi_library_each(mpi_library_seen *seen, void *to);

/* Returns a procedure of the next library that has it; NULL: none has. */
void *mpi_library_next(const char *symbol);

/* Returns whether two addresses are in the same library or program. */
bool mpi_library_same(const void *one, const void *other);

/* Returns the address of a variable; NULL: no library has it.  If the program
   has a copy of the variable, because it is not position independent, that is
   the address of the copy. */
void *mpi_library_data(const char *symbol);

/* Returns a function of a library that is not of MPI, with the name of a
   Fortran procedure; NULL: there is none, or an MPI has this name. */
void *mpi_library_namesake(const char *symbol);

#endif
