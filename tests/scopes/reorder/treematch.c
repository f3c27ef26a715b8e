/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/reorder/treematch.c - prints the ranks that
 * MPI_Dist_graph_create gives
 *
 * The argument is a file with lines "rank,rank,weight".  Prints, for each rank,
 * "RANK CORE": the process that was started as number CORE got the number RANK.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads the edges that begin at a rank.  Returns their number. */
static int
edges_read(const char *file, int me, int *to, int *weight, int most)
{
	FILE *from = fopen(file, "re");
	int count = 0, a, b, w;

	if (from == NULL) {
		perror(file);
		MPI_Abort(MPI_COMM_WORLD, 1);
		return 0;
	}
	while (count < most && fscanf(from, "%d,%d,%d", &a, &b, &w) == 3) {
		if (a != me)
			continue;
		to[count] = b;
		weight[count++] = w;
	}
	fclose(from);
	return count;
}

int
main(int argc, char **argv)
{
	int me, size, count, new_rank, *to, *weight, *all;
	MPI_Comm reordered;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	to = calloc((size_t)size, sizeof(*to));
	weight = calloc((size_t)size, sizeof(*weight));
	all = calloc((size_t)size, sizeof(*all));
	if (argc != 2 || to == NULL || weight == NULL || all == NULL)
		MPI_Abort(MPI_COMM_WORLD, 1);
	count = edges_read(argv[1], me, to, weight, size);
	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &me, &count, to, weight,
	    MPI_INFO_NULL, 1, &reordered);
	MPI_Comm_rank(reordered, &new_rank);
	MPI_Gather(&new_rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (int n = 0; me == 0 && n < size; n++)
		printf("%d %d\n", all[n], n);
	MPI_Comm_free(&reordered);
	free(to);
	free(weight);
	free(all);
	MPI_Finalize();
	return 0;
}
