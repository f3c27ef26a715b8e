/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/fortran.c - the sentinels of Fortran
 *
 * In Fortran MPI_IN_PLACE and MPI_STATUS_IGNORE are variables, and MPI
 * recognises them by their addresses: those of the variables themselves, or
 * those that a variable of C holds once MPI is initialised.
 */

#include "collectors/mpi/wrap/fortran_private.h"

#include "collectors/mpi/abi/library_private.h"

#include <pthread.h>
#include <string.h>

/* For sentinels that this MPI does not have. */
static const void *const fortran_none;

struct mpi_fortran mpi_fortran = {
	.in_place_at = &fortran_none,
	.status_ignore = &fortran_none,
	.statuses_ignore = &fortran_none,
	.f08_status_ignore = &fortran_none,
	.f08_statuses_ignore = &fortran_none,
};

static const void *const *
fortran_variable(const char *symbol)
{
	const void *const *found = mpi_library_data(symbol);

	return found == NULL ? &fortran_none : found;
}

static void
fortran_find_once(void)
{
	static const char *const in_places[MPI_FORTRAN_IN_PLACES] = {
		"mpi_fortran_in_place_",
		"mpi_fortran_in_place",
		"mpi_fortran_in_place__",
		"MPI_FORTRAN_IN_PLACE",
		"MPIR_F08_MPI_IN_PLACE",
	};

	for (unsigned i = 0; i < MPI_FORTRAN_IN_PLACES; i++)
		mpi_fortran.in_place[i] = mpi_library_data(in_places[i]);
	mpi_fortran.in_place_at = fortran_variable("MPIR_F_MPI_IN_PLACE");
	mpi_fortran.status_ignore = fortran_variable("MPI_F_STATUS_IGNORE");
	mpi_fortran.statuses_ignore = fortran_variable("MPI_F_STATUSES_IGNORE");
	mpi_fortran.f08_status_ignore =
	    fortran_variable("MPI_F08_STATUS_IGNORE");
	mpi_fortran.f08_statuses_ignore =
	    fortran_variable("MPI_F08_STATUSES_IGNORE");
}

void
mpi_fortran_find(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fortran_find_once);
}

bool
mpi_f_in_place(mpi_word a, enum mpi_form form)
{
	const void *address = (const void *)a;

	/* A descriptor begins with the address of what it describes. */
	if (form == MPI_FORM_F08TS || form == MPI_FORM_F08TS_LARGE)
		memcpy(&address, (const void *)a, sizeof(address));
	if (address == NULL)
		return false;
	for (unsigned i = 0; i < MPI_FORTRAN_IN_PLACES; i++)
		if (address == mpi_fortran.in_place[i])
			return true;
	return address == *mpi_fortran.in_place_at;
}

bool
mpi_f_status_ignored(mpi_word a, enum mpi_form form)
{
	const void *address = (const void *)a;

	return address == *mpi_fortran.status_ignore ||
	    (mpi_form_f08(form) && address == *mpi_fortran.f08_status_ignore);
}

bool
mpi_f_statuses_ignored(mpi_word a, enum mpi_form form)
{
	const void *address = (const void *)a;

	return address == *mpi_fortran.statuses_ignore ||
	    (mpi_form_f08(form) && address == *mpi_fortran.f08_statuses_ignore);
}
