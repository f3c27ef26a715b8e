/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/many.c - a torus of many ranks, with its counts
 *
 *	many TRUTH
 *
 * A square number of ranks exchange borders with four neighbours and compute a
 * sum; small enough for 64 simulated ranks.  Writes the files TRUTH.RANK.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

#define STEPS 10

static int rank, ranks, side;

/* Returns the rank at a distance, across the borders of the torus. */
static int
at(int dx, int dy)
{
	int x = (rank % side + dx + side) % side;
	int y = (rank / side + dy + side) % side;

	return y * side + x;
}

static void
exchange(const int to[4], const int from[4])
{
	double in[4][8], out[4][8] = { { 0 } };
	MPI_Request requests[8];

	for (int k = 0; k < 4; k++)
		MPI_Irecv(in[k], k + 1, MPI_DOUBLE, from[k], k, MPI_COMM_WORLD,
		    &requests[k]);
	for (int k = 0; k < 4; k++) {
		out[k][0] = rank;
		MPI_Isend(out[k], k + 1, MPI_DOUBLE, to[k], k, MPI_COMM_WORLD,
		    &requests[4 + k]);
		truth_message(rank, to[k], "p2p", (uint64_t)(k + 1) * 8);
		truth_message(from[k], rank, "received", (uint64_t)(k + 1) * 8);
	}
	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
	for (int k = 0; k < 4; k++)
		if ((int)in[k][0] != from[k])
			abort();
}

int
main(int argc, char **argv)
{
	double number = 1, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (side = 1; side * side < ranks; side++)
		;
	for (int i = 0; i < STEPS; i++) {
		const int to[4] = { at(1, 0), at(-1, 0), at(0, 1), at(0, -1) };
		const int from[4] = { to[1], to[0], to[3], to[2] };

		exchange(to, from);
		MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
		truth_collective(rank, 1, "Allreduce", -1, 8);
	}
	MPI_Bcast(&number, 1, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD);
	truth_collective(rank, 1, "Bcast", ranks - 1, 8);
	if ((int)sum != ranks)
		abort();
	MPI_Finalize();
	if (argc > 1)
		truth_write(argv[1], rank);
	return 0;
}
