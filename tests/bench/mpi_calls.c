/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/mpi_calls.c - how long MPI calls take; what tests/bench/mpi runs
 *
 * On one rank, calls on MPI_COMM_SELF; on two, between them; 8 bytes always.
 * Prints for each kind: its name, how many calls one of it is, and nanoseconds,
 * the 10th percentile of batches that are taken in turn with the other kinds.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCH 400
#define BATCHES 300

static MPI_Comm comm;
static int peer;

static void
sendrecv(void)
{
	double out = 1, in;

	MPI_Sendrecv(&out, 1, MPI_DOUBLE, peer, 1, &in, 1, MPI_DOUBLE, peer, 1,
	    comm, MPI_STATUS_IGNORE);
}

static void
nonblocking(void)
{
	MPI_Request request[2];
	double out = 1, in;

	MPI_Irecv(&in, 1, MPI_DOUBLE, peer, 1, comm, &request[0]);
	MPI_Isend(&out, 1, MPI_DOUBLE, peer, 1, comm, &request[1]);
	MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/* Received before it is sent: MPICH sends nothing to itself otherwise. */
static void
blocking(void)
{
	MPI_Request request;
	double out = 1, in;

	MPI_Irecv(&in, 1, MPI_DOUBLE, peer, 1, comm, &request);
	MPI_Send(&out, 1, MPI_DOUBLE, peer, 1, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void
ping_pong(void)
{
	double out = 1, in;

	if (peer == 0) {
		MPI_Recv(&in, 1, MPI_DOUBLE, peer, 1, comm, MPI_STATUS_IGNORE);
		MPI_Send(&out, 1, MPI_DOUBLE, peer, 1, comm);
	} else {
		MPI_Send(&out, 1, MPI_DOUBLE, peer, 1, comm);
		MPI_Recv(&in, 1, MPI_DOUBLE, peer, 1, comm, MPI_STATUS_IGNORE);
	}
}

static void
allreduce(void)
{
	double out = 1, sum;

	MPI_Allreduce(&out, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
}

static void
iprobe(void)
{
	int flag;

	MPI_Iprobe(peer, 9, comm, &flag, MPI_STATUS_IGNORE);
}

static const struct kind {
	const char *name;
	void (*call)(void);
	int calls; /* of a rank, or on the way of a message and its answer */
	int ranks; /* 0: any number */
} kinds[] = {
	{ "Sendrecv", sendrecv, 1, 1 },
	{ "Irecv+Isend+Waitall", nonblocking, 3, 0 },
	{ "Irecv+Send+Wait", blocking, 3, 1 },
	{ "ping-pong", ping_pong, 4, 2 },
	{ "Allreduce", allreduce, 1, 0 },
	{ "Iprobe", iprobe, 1, 1 },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
batch(const struct kind *kind)
{
	double start = now_ns();

	for (int i = 0; i < BATCH; i++)
		kind->call();
	return (now_ns() - start) / BATCH;
}

int
main(int argc, char **argv)
{
	static double ns[KINDS][BATCHES];
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	comm = ranks == 1 ? MPI_COMM_SELF : MPI_COMM_WORLD;
	peer = ranks == 1 ? 0 : 1 - rank;
	for (int i = 0; i < BATCHES; i++)
		for (unsigned k = 0; k < KINDS; k++)
			if (kinds[k].ranks == 0 || kinds[k].ranks == ranks)
				ns[k][i] = batch(&kinds[k]);
	for (unsigned k = 0; rank == 0 && k < KINDS; k++) {
		qsort(ns[k], BATCHES, sizeof(ns[k][0]), compare);
		if (ns[k][0] > 0)
			printf("%s\t%d\t%.2f\n", kinds[k].name, kinds[k].calls,
			    ns[k][BATCHES / 10]);
	}
	MPI_Finalize();
	return 0;
}
