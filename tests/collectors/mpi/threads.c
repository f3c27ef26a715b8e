/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/threads.c - an MPI program of threads, for messages.tap
 *
 * threads ROUNDS, two ranks.  In each round each of four threads receives 8
 * messages from the same thread of the other rank and sends 8, of 0 to 7 ints.
 * It tests its receives and half of its sends until they are complete; the next
 * thread waits for the other half.
 */

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define MESSAGES 8
#define GIVEN (MESSAGES / 2)

static int rank, rounds;
/* Requests that a thread passes to the next; used between the two barriers. */
static MPI_Request given[THREADS][GIVEN];
static pthread_barrier_t barrier;

static void
test_until_complete(MPI_Request *requests, int count)
{
	int places[2 * MESSAGES], done = 0, left = count;

	while (left > 0) {
		MPI_Testsome(count, requests, &done, places,
		    MPI_STATUSES_IGNORE);
		if (done != MPI_UNDEFINED)
			left -= done;
	}
}

static void *
run(void *arg)
{
	int me = *(int *)arg, out[MESSAGES] = { 0 }, in[MESSAGES][MESSAGES];
	MPI_Request r[2 * MESSAGES];

	for (int round = 0; round < rounds; round++) {
		for (int n = 0; n < MESSAGES; n++)
			MPI_Irecv(in[n], MESSAGES, MPI_INT,
			    n % 2 ? MPI_ANY_SOURCE : 1 - rank, me * 100 + n,
			    MPI_COMM_WORLD, &r[n]);
		for (int n = 0; n < MESSAGES; n++)
			MPI_Isend(out, n, MPI_INT, 1 - rank, me * 100 + n,
			    MPI_COMM_WORLD, &r[MESSAGES + n]);
		for (int n = 0; n < GIVEN; n++)
			given[me][n] = r[MESSAGES + GIVEN + n];
		pthread_barrier_wait(&barrier);
		test_until_complete(r, MESSAGES + GIVEN);
		MPI_Waitall(GIVEN, given[(me + 1) % THREADS],
		    MPI_STATUSES_IGNORE);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int level, numbers[THREADS];
	char name[100];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof(name), "out.%d", rank);
	if (argc != 2 || freopen(name, "w", stdout) == NULL)
		return 1;
	rounds = level == MPI_THREAD_MULTIPLE ? atoi(argv[1]) : 0;
	printf("rounds %d\n", rounds);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int n = 0; n < THREADS; n++) {
		numbers[n] = n;
		pthread_create(&threads[n], NULL, run, &numbers[n]);
	}
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
	MPI_Finalize();
	return 0;
}
