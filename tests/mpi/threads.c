/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/threads.c - a ring of ranks, each with eight threads in MPI at once
 *
 *	threads ROUNDS
 *
 * In each round every thread starts 8 receives and 8 sends and passes them to
 * another thread, which completes them while the first begins its next round.
 * The completing thread and its function change in every round.  Half of the
 * rounds are run by threads that begin after the first ones have ended.  Prints
 * the messages and bytes that a rank sent.
 */

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8
#define EACH 8

/* Requests that a thread starts in a round; two rounds alternate. */
struct batch {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	long passed; /* under the lock; odd: to be completed */
	MPI_Request receives[EACH], sends[EACH];
	int in[EACH], out[EACH];
};

static int rank, ranks;
static long first_round, end_round;
static struct batch batches[THREADS][2];

static struct batch *
batch_of(int thread, long round)
{
	return &batches[thread][round & 1];
}

/* Waits until a batch was passed on `passed` times. */
static void
batch_wait(struct batch *b, long passed)
{
	pthread_mutex_lock(&b->lock);
	while (b->passed != passed)
		pthread_cond_wait(&b->changed, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

static void
batch_pass(struct batch *b)
{
	pthread_mutex_lock(&b->lock);
	b->passed++;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

static int
value(int from, int thread, long round, int i)
{
	return 1000 * from + 100 * thread + (int)(round % 10) * 10 + i;
}

static void
begin(int thread, long round)
{
	struct batch *b = batch_of(thread, round);
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
	int tag = (2 * thread + (int)(round & 1)) * EACH;

	batch_wait(b, round / 2 * 2);
	for (int i = 0; i < EACH; i++)
		MPI_Irecv(&b->in[i], 1, MPI_INT, i & 1 ? left : MPI_ANY_SOURCE,
		    tag + i, MPI_COMM_WORLD, &b->receives[i]);
	for (int i = 0; i < EACH; i++) {
		b->out[i] = value(rank, thread, round, i);
		MPI_Isend(&b->out[i], 1, MPI_INT, right, tag + i,
		    MPI_COMM_WORLD, &b->sends[i]);
	}
	batch_pass(b);
}

/* Completes some of the remaining requests, by one of seven functions.  Returns
   their number. */
static int
end_some(MPI_Request *r, int how)
{
	int which[EACH], some = 0, flag = 0;

	switch (how) {
	case 0:
		MPI_Testsome(EACH, r, &some, which, MPI_STATUSES_IGNORE);
		return some;
	case 1:
		MPI_Waitany(EACH, r, which, MPI_STATUS_IGNORE);
		return 1;
	case 2:
		MPI_Waitsome(EACH, r, &some, which, MPI_STATUSES_IGNORE);
		return some;
	case 3:
		MPI_Testany(EACH, r, which, &flag, MPI_STATUS_IGNORE);
		return flag;
	case 4:
		MPI_Testall(EACH, r, &flag, MPI_STATUSES_IGNORE);
		return flag ? EACH : 0;
	case 5:
		for (int i = 0; i < EACH; i++)
			MPI_Wait(&r[i], MPI_STATUS_IGNORE);
		return EACH;
	default:
		MPI_Waitall(EACH, r, MPI_STATUSES_IGNORE);
		return EACH;
	}
}

static void
end_all(MPI_Request *r, int how)
{
	int open = EACH;

	while (open > 0) {
		int some = end_some(r, how);

		open -= some;
		if (some == 0)
			sched_yield();
	}
}

static void
end(int thread, long round)
{
	struct batch *b = batch_of(thread, round);
	int left = (rank + ranks - 1) % ranks;

	/* A batch is filled and completed once in two rounds. */
	batch_wait(b, round / 2 * 2 + 1);
	end_all(b->receives, (int)(round % 7));
	end_all(b->sends, (int)((round / 7 + round) % 7));
	for (int i = 0; i < EACH; i++)
		if (b->in[i] != value(left, thread, round, i))
			abort();
	batch_pass(b);
}

static void *
work(void *arg)
{
	int thread = (int)(long)arg;

	for (long i = first_round; i < end_round; i++) {
		begin(thread, i);
		end((int)((thread + i) % THREADS), i);
	}
	return NULL;
}

static void
work_all(long first, long behind)
{
	pthread_t threads[THREADS];

	first_round = first;
	end_round = behind;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int
main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	if (level != MPI_THREAD_MULTIPLE)
		return 77;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < 2 * THREADS; i++) {
		pthread_mutex_init(&batches[i / 2][i & 1].lock, NULL);
		pthread_cond_init(&batches[i / 2][i & 1].changed, NULL);
	}
	work_all(0, rounds / 2);
	work_all(rounds / 2, rounds);
	if (rank == 0)
		printf("%ld %ld\n", rounds * THREADS * EACH,
		    rounds * THREADS * EACH * (long)sizeof(int));
	MPI_Finalize();
	return 0;
}
