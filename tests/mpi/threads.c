/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/threads.c - a ring of ranks, each with four threads in MPI at once
 *
 *	threads ROUNDS
 *
 * In each round every thread starts 8 receives and 8 sends and ends them with
 * MPI_Testsome; every second round the thread beside it ends them.  Prints what
 * a rank sent: messages and bytes.
 */

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define EACH 8

static int rank, ranks;
static long rounds;
static MPI_Request requests[THREADS][2 * EACH];
static int in[THREADS][EACH], out[THREADS][EACH];
static pthread_barrier_t all;

static void
begin(int thread, int round)
{
	MPI_Request *r = requests[thread];
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;

	for (int i = 0; i < EACH; i++)
		MPI_Irecv(&in[thread][i], 1, MPI_INT, left, 100 * thread + i,
		    MPI_COMM_WORLD, &r[i]);
	for (int i = 0; i < EACH; i++) {
		out[thread][i] = 1000 * rank + round + i;
		MPI_Isend(&out[thread][i], 1, MPI_INT, right, 100 * thread + i,
		    MPI_COMM_WORLD, &r[EACH + i]);
	}
}

static void
end(int thread, int round)
{
	int left = (rank + ranks - 1) % ranks, open = 2 * EACH, some;
	int which[2 * EACH];

	while (open > 0) {
		MPI_Testsome(2 * EACH, requests[thread], &some, which,
		    MPI_STATUSES_IGNORE);
		open -= some;
		if (some == 0)
			sched_yield();
	}
	for (int i = 0; i < EACH; i++)
		if (in[thread][i] != 1000 * left + round + i)
			abort();
}

static void *
work(void *arg)
{
	int thread = (int)(long)arg;

	for (int i = 0; i < rounds; i++) {
		begin(thread, i);
		pthread_barrier_wait(&all);
		end(i & 1 ? thread ^ 1 : thread, i);
		pthread_barrier_wait(&all);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE)
		return 77;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	rounds = argc > 1 ? atol(argv[1]) : 1;
	pthread_barrier_init(&all, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (rank == 0)
		printf("%ld %ld\n", rounds * THREADS * EACH,
		    rounds * THREADS * EACH * 4);
	MPI_Finalize();
	return 0;
}
