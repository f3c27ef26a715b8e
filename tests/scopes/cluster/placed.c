/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/cluster/placed.c - says on which processors its ranks may run
 *
 *	placed
 *
 * Each rank prints its number, the number of its processors, and the first of
 * them, as the kernel has them.  Ranks r and r + 1 exchange 1000 bytes in phase
 * 3, ranks r and r + 2 exchange 3000 bytes in phase 4.  Phase 5 has a
 * collective of each kind.
 */

#define _GNU_SOURCE

#include <mpi.h>
#include <sched.h>
#include <stdio.h>

#define MOST 3000

static void
exchange(int peer, int count)
{
	static char out[MOST], in[MOST];

	MPI_Sendrecv(out, count, MPI_BYTE, peer, 1, in, count, MPI_BYTE, peer,
	    1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void
collect(void)
{
	static char out[MOST], in[MOST];

	MPI_Bcast(out, 1000, MPI_BYTE, 1, MPI_COMM_WORLD);
	MPI_Gather(out, 100, MPI_BYTE, in, 100, MPI_BYTE, 0, MPI_COMM_WORLD);
	MPI_Allreduce(out, in, 8, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allgather(out, 10, MPI_BYTE, in, 10, MPI_BYTE, MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
	cpu_set_t set;
	int rank, size, first = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	sched_getaffinity(0, sizeof(set), &set);
	while (!CPU_ISSET(first, &set))
		first++;
	printf("%d %d %d\n", rank, CPU_COUNT(&set), first);
	fflush(stdout);
	MPI_Pcontrol(3);
	exchange(rank ^ 1, 1000);
	MPI_Pcontrol(-1);
	if (size == 4) {
		MPI_Pcontrol(4);
		exchange(rank ^ 2, 3000);
		MPI_Pcontrol(-1);
		MPI_Pcontrol(5);
		collect();
		MPI_Pcontrol(-1);
	}
	MPI_Finalize();
	return 0;
}
