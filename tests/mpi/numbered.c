/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/numbered.c - collectives while recording is off in one rank
 *
 * Two ranks.  While recording is off in one of them, both call collectives by
 * the names of C and of Fortran, on two communicators in turn.  At the end,
 * with recording on in both, they call one barrier on each: the 11th collective
 * of its communicator.
 */

#include "collectors/mpi.h"

#include <mpi.h>

void mpi_barrier_(MPI_Fint *comm, MPI_Fint *error);

static void
collectives(MPI_Comm comm)
{
	int counts[] = { 1, 1 }, places[] = { 0, 1 }, out[2] = { 0 }, in[2];
	MPI_Fint handle = MPI_Comm_c2f(comm), error;
	MPI_Request request;

	MPI_Barrier(comm);
	MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT,
	    comm);
	mpi_barrier_(&handle, &error);
	MPI_Ibarrier(comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, comm);
}

int
main(int argc, char **argv)
{
	MPI_Comm other;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	for (int off = 0; off < 2; off++) {
		if (rank == off)
			(void)es_mpi_stop();
		collectives(MPI_COMM_WORLD);
		collectives(other);
		if (rank == off)
			(void)es_mpi_start();
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Barrier(other);
	MPI_Finalize();
	return 0;
}
