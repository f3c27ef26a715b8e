/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/cores.c - ranks that share two cores with other programs
 *
 *	cores STEPS PERCENT [sum|ring]
 *	cores busy
 *
 * In each step a rank computes for 1 ms of its processor time, rank 1 PERCENT
 * longer, and then takes part in a sum, or exchanges with its neighbours.  Each
 * rank prints its number, and its processor time in these computations in us.
 * `busy` computes until its parent ends.  All run on the first two cores that
 * they may use.
 */

#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static int rank, ranks;

static void
take_two_cores(void)
{
	cpu_set_t all, two;
	int core, taken = 0;

	CPU_ZERO(&two);
	sched_getaffinity(0, sizeof(all), &all);
	for (core = 0; core < CPU_SETSIZE && taken < 2; core++)
		if (CPU_ISSET(core, &all)) {
			CPU_SET(core, &two);
			taken++;
		}
	sched_setaffinity(0, sizeof(two), &two);
}

static long
spent_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Returns the time that it took, in ns. */
static long
compute(long ns)
{
	long begin = spent_ns();

	while (spent_ns() < begin + ns)
		for (volatile int n = 0; n < 1000; n++)
			;
	return spent_ns() - begin;
}

static void
sum(void)
{
	double mine = rank, all;

	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void
ring(void)
{
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
	double mine = rank, other;

	MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, 0, &other, 1, MPI_DOUBLE,
	    left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&mine, 1, MPI_DOUBLE, left, 1, &other, 1, MPI_DOUBLE,
	    right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int
main(int argc, char **argv)
{
	long steps, ns = 1000000, spent = 0;

	take_two_cores();
	if (argc == 2 && strcmp(argv[1], "busy") == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			;
	}
	if (argc < 4)
		return 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	steps = atol(argv[1]);
	if (rank == 1)
		ns += ns * atol(argv[2]) / 100;
	for (long n = 0; n < steps; n++) {
		spent += compute(ns);
		if (argv[3][0] == 's')
			sum();
		else
			ring();
	}
	MPI_Finalize();
	printf("rank %d %ld\n", rank, spent / 1000);
	return 0;
}
