/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/pairs.c - collectives whose pairs Open MPI counts, too
 *
 *	pairs WAY
 *
 * WAY selects collectives by the direction of their pairs in Open MPI's
 * monitoring: "same" as ours, or "backwards".  For 4 ranks; no block is empty.
 */

#include <mpi.h>
#include <string.h>

static int in[256], out[256];

static void
same(int rank)
{
	MPI_Comm world = MPI_COMM_WORLD;
	int mine[4] = { rank + 1, rank + 1, rank + 1, rank + 1 };
	int counts[4] = { 1, 2, 3, 4 }, places[4] = { 0, 8, 16, 24 };
	MPI_Request request;

	MPI_Barrier(world);
	MPI_Bcast(in, 3, MPI_INT, 1, world);
	MPI_Scatter(out, 5, MPI_INT, in, 5, MPI_INT, 2, world);
	MPI_Allreduce(out, in, 7, MPI_INT, MPI_SUM, world);
	MPI_Allgather(out, 9, MPI_INT, in, 9, MPI_INT, world);
	MPI_Alltoall(out, 11, MPI_INT, in, 11, MPI_INT, world);
	MPI_Alltoallv(out, mine, places, MPI_INT, in, counts, places, MPI_INT,
	    world);
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, world);
	MPI_Reduce_scatter_block(out, in, 13, MPI_INT, MPI_SUM, world);
	MPI_Scan(out, in, 15, MPI_INT, MPI_SUM, world);
	MPI_Exscan(out, in, 17, MPI_INT, MPI_SUM, world);
	MPI_Iallreduce(out, in, 19, MPI_INT, MPI_SUM, world, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void
backwards(int rank)
{
	MPI_Comm world = MPI_COMM_WORLD;
	int counts[4] = { 1, 2, 3, 4 }, places[4] = { 0, 8, 16, 24 };

	MPI_Reduce(out, in, 3, MPI_INT, MPI_SUM, 1, world);
	MPI_Gather(out, 5, MPI_INT, in, 5, MPI_INT, 2, world);
	MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 3,
	    world);
}

int
main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc > 1 && strcmp(argv[1], "backwards") == 0)
		backwards(rank);
	else
		same(rank);
	MPI_Finalize();
	return 0;
}
