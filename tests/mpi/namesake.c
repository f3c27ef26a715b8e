/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/namesake.c - a library with a function that has the name of a
 * Fortran procedure, as Rmpi has
 *
 *	namesake LIBRARY	opens it; exits with 0 if its own one was called
 *
 * The library is this file with -DLIBRARY.
 */

#ifdef LIBRARY

long mpi_comm_rank(long a, long b);
long call_own(void);

long
mpi_comm_rank(long a, long b)
{
	return 40 * a + b;
}

long
call_own(void)
{
	return mpi_comm_rank(1, 2);
}

#else

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	void *library;
	long (*call)(void);

	MPI_Init(&argc, &argv);
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (library == NULL ||
	    !(call = (long (*)(void))dlsym(library, "call_own")))
		return 3;
	printf("%ld\n", call());
	MPI_Finalize();
	return 0;
}

#endif
