/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/tooled.c - 50 messages and 50 sums of two ranks
 */

#include <mpi.h>

int
main(int argc, char **argv)
{
	int rank, value, sum;
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_rank(comm, &rank);
	for (int n = 0; n < 50; n++) {
		value = n;
		if (rank == 0)
			MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
		else
			MPI_Recv(&value, 1, MPI_INT, 0, 0, comm,
			    MPI_STATUS_IGNORE);
		MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
	}
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
