/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/traced.c - a program that names its phases
 *
 * Ten times: a phase solve with an exchange and sums, a phase write with a
 * barrier, and a call in no phase.
 */

#include "collectors/mpi.h"

#include <mpi.h>

static void
phase(const char *name)
{
	if (es_mpi_phase(name) != PATHS_OK)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

int
main(int argc, char **argv)
{
	double out = 1, in;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int n = 0; n < 10; n++) {
		phase("solve");
		for (int k = 0; k < 3; k++)
			MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM,
			    MPI_COMM_WORLD);
		MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, 0, &in, 1,
		    MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
		phase("write");
		MPI_Barrier(MPI_COMM_WORLD);
		phase("");
		MPI_Bcast(&out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
