/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/library_private.h - the MPI libraries of this process
 *
 * An MPI that an interpreter opened for itself (RTLD_LOCAL) is not among what
 * RTLD_NEXT and RTLD_DEFAULT search, so its file is asked as well.  MPI may
 * come at any time; nothing here is ever asked before it is needed.
 */

#ifndef COLLECTORS_MPI_ABI_LIBRARY_PRIVATE_H
#define COLLECTORS_MPI_ABI_LIBRARY_PRIVATE_H

#include <stdbool.h>

/* Called with each library that may be, or belong to, an MPI: the last part of
   its file's name and what dlsym takes.  False ends it. */
typedef bool mpi_library_seen(void *to, const char *name, void *handle);

void mpi_library_each(mpi_library_seen *seen, void *to);

/* A procedure as the next library has it; NULL: nobody has. */
void *mpi_library_next(const char *symbol);

/* A variable.  Programs that are not position independent have copies of
   those of their libraries, and the copies count. */
void *mpi_library_data(const char *symbol);

/* What another library has by the name of a Fortran procedure that no MPI here
   has; NULL: nothing. */
void *mpi_library_namesake(const char *symbol);

#endif
