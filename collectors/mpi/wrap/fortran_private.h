/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/fortran_private.h - sentinels of Fortran
 */

#ifndef COLLECTORS_MPI_WRAP_FORTRAN_PRIVATE_H
#define COLLECTORS_MPI_WRAP_FORTRAN_PRIVATE_H

#include "collectors/mpi/wrap/next_private.h"

/* Number of symbols that MPIs use for MPI_IN_PLACE. */
#define MPI_FORTRAN_IN_PLACES 5u

/* Addresses of the variables that are sentinels in Fortran. */
struct mpi_fortran {
	const void *in_place[MPI_FORTRAN_IN_PLACES]; /* NULL: none */
	/* Addresses of variables of C that hold the address of the sentinel;
	   never NULL. */
	const void *const *in_place_at;
	const void *const *status_ignore, *const *statuses_ignore;
	const void *const *f08_status_ignore, *const *f08_statuses_ignore;
};

extern struct mpi_fortran mpi_fortran; /* set before any Fortran call */

/* Looks up the sentinels of this MPI, once.  Any thread may call it again. */
void mpi_fortran_find(void);

/* Return whether an argument is MPI_IN_PLACE, MPI_STATUS_IGNORE or
   MPI_STATUSES_IGNORE. */
bool mpi_f_in_place(mpi_word a, enum mpi_form form);
bool mpi_f_status_ignored(mpi_word a, enum mpi_form form);
bool mpi_f_statuses_ignored(mpi_word a, enum mpi_form form);

#endif
