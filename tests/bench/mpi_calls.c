/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/mpi_calls.c - times MPI calls, for tests/bench/mpi
 *
 * Calls transfer 8 bytes, on MPI_COMM_SELF if there is one rank, between the
 * ranks if there are two.  All kinds of calls run a batch in turn.  Prints for
 * each kind its name, the number of calls in it, and the 10th percentile of its
 * batches in nanoseconds.
 *
 *	mpi_calls turns
 *
 * Runs under the recorder and switches it off for every other batch.  Prints
 * for each kind its name, the number of batches, and the nanoseconds that
 * recording adds to a call: differences of minima, of medians and of 99th
 * percentiles.  Differences between runs, such as how two ranks meet, cancel.
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

/* Posts the receive first: MPICH cannot send to itself otherwise. */
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

/* Buffers of collectives: a double for each rank. */
static double give[2], take[2];
static int ones[2] = { 1, 1 }, places[2] = { 0, 1 }, bytes[2] = { 0, 8 };
static MPI_Datatype types[2]; /* MPI_DOUBLE */

#define COLLECTIVE(name, ...) \
	static void name##_call(void) \
	{ \
		MPI_##name(__VA_ARGS__); \
	}

COLLECTIVE(Barrier, comm)
COLLECTIVE(Bcast, give, 1, MPI_DOUBLE, 0, comm)
COLLECTIVE(Reduce, give, take, 1, MPI_DOUBLE, MPI_SUM, 0, comm)
COLLECTIVE(Allreduce, give, take, 1, MPI_DOUBLE, MPI_SUM, comm)
COLLECTIVE(Gather, give, 1, MPI_DOUBLE, take, 1, MPI_DOUBLE, 0, comm)
COLLECTIVE(Gatherv, give, 1, MPI_DOUBLE, take, ones, places, MPI_DOUBLE, 0,
    comm)
COLLECTIVE(Scatter, give, 1, MPI_DOUBLE, take, 1, MPI_DOUBLE, 0, comm)
COLLECTIVE(Scatterv, give, ones, places, MPI_DOUBLE, take, 1, MPI_DOUBLE, 0,
    comm)
COLLECTIVE(Allgather, give, 1, MPI_DOUBLE, take, 1, MPI_DOUBLE, comm)
COLLECTIVE(Allgatherv, give, 1, MPI_DOUBLE, take, ones, places, MPI_DOUBLE,
    comm)
COLLECTIVE(Alltoall, give, 1, MPI_DOUBLE, take, 1, MPI_DOUBLE, comm)
COLLECTIVE(Alltoallv, give, ones, places, MPI_DOUBLE, take, ones, places,
    MPI_DOUBLE, comm)
COLLECTIVE(Alltoallw, give, ones, bytes, types, take, ones, bytes, types, comm)
COLLECTIVE(Scan, give, take, 1, MPI_DOUBLE, MPI_SUM, comm)
COLLECTIVE(Exscan, give, take, 1, MPI_DOUBLE, MPI_SUM, comm)
COLLECTIVE(Reduce_scatter, give, take, ones, MPI_DOUBLE, MPI_SUM, comm)
COLLECTIVE(Reduce_scatter_block, give, take, 1, MPI_DOUBLE, MPI_SUM, comm)

static void
begun(void)
{
	MPI_Request request;

	MPI_Iallreduce(give, take, 1, MPI_DOUBLE, MPI_SUM, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void
iprobe(void)
{
	int flag;

	MPI_Iprobe(peer, 9, comm, &flag, MPI_STATUS_IGNORE);
}

static const struct call_kind {
	const char *name;
	void (*call)(void);
	int calls; /* of a rank, or from a message to its answer */
	int ranks; /* 0: any number */
} kinds[] = {
	{ "Sendrecv", sendrecv, 1, 1 },
	{ "Irecv+Isend+Waitall", nonblocking, 3, 0 },
	{ "Irecv+Send+Wait", blocking, 3, 1 },
	{ "ping-pong", ping_pong, 4, 2 },
	{ "Iprobe", iprobe, 1, 1 },
	{ "Barrier", Barrier_call, 1, 0 },
	{ "Bcast", Bcast_call, 1, 0 },
	{ "Reduce", Reduce_call, 1, 0 },
	{ "Allreduce", Allreduce_call, 1, 0 },
	{ "Gather", Gather_call, 1, 0 },
	{ "Gatherv", Gatherv_call, 1, 0 },
	{ "Scatter", Scatter_call, 1, 0 },
	{ "Scatterv", Scatterv_call, 1, 0 },
	{ "Allgather", Allgather_call, 1, 0 },
	{ "Allgatherv", Allgatherv_call, 1, 0 },
	{ "Alltoall", Alltoall_call, 1, 0 },
	{ "Alltoallv", Alltoallv_call, 1, 0 },
	{ "Alltoallw", Alltoallw_call, 1, 0 },
	{ "Scan", Scan_call, 1, 0 },
	{ "Exscan", Exscan_call, 1, 0 },
	{ "Reduce_scatter", Reduce_scatter_call, 1, 0 },
	{ "Reduce_scatter_block", Reduce_scatter_block_call, 1, 0 },
	{ "Iallreduce+Wait", begun, 2, 0 },
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
batch(const struct call_kind *kind)
{
	double start = now_ns();

	for (int i = 0; i < BATCH; i++)
		kind->call();
	return (now_ns() - start) / BATCH;
}

/* Returns the time from the start of both ranks to the end of both. */
static double
batch_together(const struct call_kind *kind)
{
	double start;

	MPI_Barrier(comm);
	for (int i = 0; i < BATCH / 10; i++)
		kind->call();
	MPI_Barrier(comm);
	start = now_ns();
	for (int i = 0; i < BATCH; i++)
		kind->call();
	MPI_Barrier(comm);
	return (now_ns() - start) / BATCH;
}

static void
turns(const struct call_kind *kind, int rank)
{
	static double ns[2][BATCHES];
	const int at[] = { 0, BATCHES / 2, BATCHES * 99 / 100 };

	for (int i = 0; i < 2 * BATCHES; i++) {
		MPI_Pcontrol(i % 2);
		ns[i % 2][i / 2] = batch_together(kind);
	}
	if (rank != 0)
		return;
	for (int n = 0; n < 2; n++)
		qsort(ns[n], BATCHES, sizeof(ns[n][0]), compare);
	printf("%s\t%d", kind->name, BATCHES);
	for (int n = 0; n < 3; n++)
		printf("\t%.4g", (ns[1][at[n]] - ns[0][at[n]]) / kind->calls);
	printf("\n");
}

static void
apart(int rank, int ranks)
{
	static double ns[KINDS][BATCHES];

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
}

int
main(int argc, char **argv)
{
	int rank, ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	comm = ranks == 1 ? MPI_COMM_SELF : MPI_COMM_WORLD;
	peer = ranks == 1 ? 0 : 1 - rank;
	types[0] = types[1] = MPI_DOUBLE;
	if (argc < 2)
		apart(rank, ranks);
	for (unsigned k = 0; argc >= 2 && k < KINDS; k++)
		if (kinds[k].ranks == 0 || kinds[k].ranks == ranks)
			turns(&kinds[k], rank);
	MPI_Finalize();
	return 0;
}
