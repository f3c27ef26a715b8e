/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/evened.c - ranks that take different times, or, with an argument,
 * the mean of these
 *
 * Prints, by its own stamps, the time from a Barrier behind MPI_Init to the
 * last one, and the time that it takes on a quiet machine, in us; the lines of
 * the calls around the computation; and how many times as long as they should
 * the computations of a rank took, of the rank where that is most.
 */

#include <mpi.h>

#include <stdio.h>
#include <time.h>

#define STEPS 20
/* Times of four ranks in us: rank 1 takes longest. */
static const long taken_us[] = { 10000, 22000, 8000, 12000 };
#define MEAN_US 13000
#define LONGEST_US 22000

/* Lines of the calls. */
static int shift_line, allreduce_line;

static void
take(long us)
{
	struct timespec time = { 0, us * 1000 };

	nanosleep(&time, NULL);
}

static void
shift(int rank, int size)
{
	double out[100] = { 0 }, in[100];

	shift_line = __LINE__ + 1;
	MPI_Sendrecv(out, 100, MPI_DOUBLE, (rank + 1) % size, 1, in, 100,
	    MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
}

int
main(int argc, char **argv)
{
	double mine = 0, sum, start, slept = 0, most;
	int rank, size, even = argc > 1;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (int n = 0; n < STEPS; n++) {
		shift(rank, size);
		slept -= MPI_Wtime();
		take(even ? MEAN_US : taken_us[rank]);
		slept += MPI_Wtime();
		allreduce_line = __LINE__ + 1;
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime() - start;
	slept *= 1e6 / (STEPS * (even ? MEAN_US : taken_us[rank]));
	MPI_Reduce(&slept, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.0f %d %d %d %.4f\n", start * 1e6,
		    STEPS * (even ? MEAN_US : LONGEST_US), shift_line,
		    allreduce_line, most);
	MPI_Finalize();
	return 0;
}
