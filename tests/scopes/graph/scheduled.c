/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/scheduled.c - ranks that compute for known times, in a
 * simulation
 *
 *	scheduled
 *
 * In each step a rank computes for a time of its own, then exchanges messages
 * with the ranks beside it; every third step ends with an Allreduce.  SimGrid
 * simulates the computations.  A rank continues behind each of them when as
 * much real time has passed as simulated time, so that the stamps of the
 * interposer follow the schedule.
 *
 * Prints what follows from the schedule alone, if messages take no time: the
 * length in ns, the load balance, the share of the critical path of each rank
 * that has one, and the latest that a rank continued, in ns.
 */

#include "collectors/mpi.h"

#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RANKS 64
#define STEPS 9
#define SUM_EVERY 3

static int rank, size;
static int64_t began_ns, late_ns;
static double simulated_s;

/* SMPI replaces clock_gettime and sleep. */
static int64_t
real_ns(void)
{
	struct timespec time;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The time of a step of a rank, in ms: two ranks are late, in turns. */
static int
computing_ms(int of, int step)
{
	if (of == 21 && step % 3 == 0)
		return 70;
	if (of == 40 && step % 3 == 1)
		return 55;
	return 25 + (of * 7 + step * 5) % 10;
}

static void
compute(int ms)
{
	int64_t due_ns, now_ns;

	usleep((useconds_t)ms * 1000);
	due_ns = began_ns + (int64_t)(1e9 * (MPI_Wtime() - simulated_s));
	now_ns = real_ns();
	if (now_ns < due_ns) {
		struct timespec time = { (due_ns - now_ns) / 1000000000,
			(due_ns - now_ns) % 1000000000 };

		syscall(SYS_nanosleep, &time, NULL);
	} else if (now_ns - due_ns > late_ns) {
		late_ns = now_ns - due_ns;
	}
}

static void
exchange(void)
{
	double out = rank, in;
	int right = (rank + 1) % size, left = (rank + size - 1) % size;

	MPI_Sendrecv(&out, 1, MPI_DOUBLE, right, 1, &in, 1, MPI_DOUBLE, left, 1,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&out, 1, MPI_DOUBLE, left, 2, &in, 1, MPI_DOUBLE, right, 2,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- what the schedule says */

/* The rank that a rank waited for last in a step; itself: for none. */
static int from[STEPS][RANKS];
static int64_t ends_ms[RANKS];

static void
schedule_step(int step)
{
	int64_t begins[RANKS];
	int last = 0;

	for (int r = 0; r < RANKS; r++)
		begins[r] = ends_ms[r] + computing_ms(r, step);
	for (int r = 0; r < RANKS; r++) {
		int beside[] = { (r + 1) % RANKS, (r + RANKS - 1) % RANKS };

		from[step][r] = r;
		for (int n = 0; n < 2; n++)
			if (begins[beside[n]] > begins[from[step][r]])
				from[step][r] = beside[n];
		ends_ms[r] = begins[from[step][r]];
		last = ends_ms[r] > ends_ms[last] ? r : last;
	}
	for (int r = 0; step % SUM_EVERY == SUM_EVERY - 1 && r < RANKS; r++)
		if (ends_ms[r] < ends_ms[last]) {
			ends_ms[r] = ends_ms[last];
			from[step][r] = from[step][last];
		}
}

static void
schedule(void)
{
	int64_t path_ms[RANKS] = { 0 }, sum_ms = 0, most_ms = 0;
	int at = 0;

	for (int step = 0; step < STEPS; step++)
		schedule_step(step);
	for (int r = 0; r < RANKS; r++) {
		int64_t ms = 0;

		at = ends_ms[r] > ends_ms[at] ? r : at;
		for (int step = 0; step < STEPS; step++)
			ms += computing_ms(r, step);
		sum_ms += ms;
		most_ms = ms > most_ms ? ms : most_ms;
	}
	printf("length %lld\nbalance %.6f\nserial %.6f\n",
	    (long long)ends_ms[at] * 1000000,
	    (double)sum_ms / RANKS / (double)most_ms,
	    (double)most_ms / (double)ends_ms[at]);
	for (int step = STEPS; step-- > 0;) {
		at = from[step][at];
		path_ms[at] += computing_ms(at, step);
	}
	for (int r = 0; r < RANKS; r++)
		if (path_ms[r] > 0)
			printf("path %d %.6f\n", r,
			    (double)path_ms[r] / (double)ends_ms[0]);
}

int
main(int argc, char **argv)
{
	static int64_t real_began_ns;
	double mine = 1, sum;
	int64_t all_ns;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	/* Each call site costs more the first time, in real time. */
	for (int n = 0; n < 2; n++) {
		exchange();
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
	MPI_Bcast(&real_began_ns, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	/* Forgets what was recorded. */
	(void)es_mpi_reset();
	MPI_Barrier(MPI_COMM_WORLD);
	simulated_s = MPI_Wtime();
	real_began_ns = real_ns();
	MPI_Bcast(&real_began_ns, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
	began_ns = real_began_ns + 5000000;
	for (int step = 0; step < STEPS; step++) {
		compute(computing_ms(rank, step));
		exchange();
		if (step % SUM_EVERY == SUM_EVERY - 1)
			MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
			    MPI_COMM_WORLD);
	}
	/* The end of the last step may be late, too. */
	compute(0);
	MPI_Reduce(&late_ns, &all_ns, 1, MPI_INT64_T, MPI_MAX, 0,
	    MPI_COMM_WORLD);
	if (rank == 0) {
		schedule();
		printf("late %lld\n", (long long)all_ns);
	}
	MPI_Finalize();
	return 0;
}
