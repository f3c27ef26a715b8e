/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/talk.c - an MPI program that sends messages until rank 0 finds
 * the file `stop`
 */

#include <mpi.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int rank, size, going = 1;
	double sent[16] = { 1 }, got[16];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	while (going) {
		for (int n = 0; n < 10; n++)
			MPI_Sendrecv(sent, 16, MPI_DOUBLE, (rank + 1) % size, 7,
			    got, 16, MPI_DOUBLE, (rank + size - 1) % size, 7,
			    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 0)
			going = access("stop", F_OK) != 0;
		MPI_Bcast(&going, 1, MPI_INT, 0, MPI_COMM_WORLD);
		nanosleep(&pause, NULL);
	}
	MPI_Finalize();
	return 0;
}
