/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/patterns.c - programs whose ranks sleep for known times
 *
 *	wave FILE	neighbours exchange 30 times; rank 1 is late once.
 *			FILE.RANK gets the number of the longest exchange of
 *			another rank
 *	even		the same, without the delay
 *	change FILE	60 sums; from the 31st on rank 0 takes four times as
 *			long as the others.  FILE.RANK gets the number of each
 *			sum and the ns that the rank slept before it
 *	late		30 sums, for which rank 2 comes late
 */

#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define COUNT 100
#define TIMES 30
#define DELAY_MS 200

static int rank, size;

static void
take(long ms)
{
	struct timespec time = { 0, ms * 1000000 };

	nanosleep(&time, NULL);
}

static void
exchange(void)
{
	static double halo[4][COUNT];
	MPI_Request requests[4];
	int count = 0;

	for (int side = 0; side < 2; side++) {
		int other = side == 0 ? rank - 1 : rank + 1;

		if (other < 0 || other >= size)
			continue;
		MPI_Irecv(halo[side], COUNT, MPI_DOUBLE, other, 0,
		    MPI_COMM_WORLD, &requests[count++]);
		MPI_Isend(halo[2 + side], COUNT, MPI_DOUBLE, other, 0,
		    MPI_COMM_WORLD, &requests[count++]);
	}
	MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void
wave(const char *file)
{
	double longest = 0;
	int crossed = -1;

	for (int n = 0; n < TIMES; n++) {
		double begin, took;

		take(rank == 1 && n == 10 && file != NULL ? DELAY_MS + 5 : 5);
		begin = MPI_Wtime();
		exchange();
		took = MPI_Wtime() - begin;
		if (took > longest) {
			longest = took;
			crossed = n;
		}
	}
	if (file != NULL && rank != 1) {
		char name[4096];
		FILE *to;

		snprintf(name, sizeof(name), "%s.%d", file, rank);
		to = fopen(name, "w");
		fprintf(to, "%d %d\n", rank, crossed);
		fclose(to);
	}
}

static void
add(int times, int late)
{
	double mine = 0, sum;

	for (int n = 0; n < times; n++) {
		take(rank == late ? 30 : 5);
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
}

/* Both halves of the run have the same call sites. */
static void
change(const char *file)
{
	double mine = 0, sum, begin;
	char name[4096];
	FILE *to;

	snprintf(name, sizeof(name), "%s.%d", file, rank);
	to = fopen(name, "w");
	for (int n = 0; n < 60; n++) {
		begin = MPI_Wtime();
		take(rank == 0 && n >= 30 ? 20 : 5);
		fprintf(to, "%d %.0f\n", n, (MPI_Wtime() - begin) * 1e9);
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
	fclose(to);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(argv[1], "wave") == 0)
		wave(argv[2]);
	else if (strcmp(argv[1], "even") == 0)
		wave(NULL);
	else if (strcmp(argv[1], "change") == 0)
		change(argv[2]);
	else
		add(30, 2);
	MPI_Finalize();
	return 0;
}
