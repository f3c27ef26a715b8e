/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/large.c - calls with large counts, of MPI 4
 *
 *	large TRUTH
 *
 * Writes the files TRUTH.RANK.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

static int rank, ranks, right, left;
static char in[4096], out[4096];

static void
sent(const char *category, uint64_t bytes)
{
	truth_message(rank, right, category, bytes);
	truth_message(left, rank, "received", bytes);
}

static void
messages(void)
{
	MPI_Request r[2];

	MPI_Irecv_c(in, 100, MPI_BYTE, left, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Send_c(out, 100, MPI_BYTE, right, 1, MPI_COMM_WORLD);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	sent("p2p", 100);
	MPI_Irecv_c(in, 200, MPI_BYTE, left, 2, MPI_COMM_WORLD, &r[0]);
	MPI_Isend_c(out, 200, MPI_BYTE, right, 2, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	sent("p2p", 200);
	MPI_Sendrecv_c(out, 300, MPI_BYTE, right, 3, in, 300, MPI_BYTE, left, 3,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	sent("p2p", 300);
	MPI_Recv_init_c(in, 400, MPI_BYTE, left, 4, MPI_COMM_WORLD, &r[0]);
	MPI_Send_init_c(out, 400, MPI_BYTE, right, 4, MPI_COMM_WORLD, &r[1]);
	MPI_Startall(2, r);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	sent("persistent", 400);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void
collectives(void)
{
	MPI_Count counts[64];
	MPI_Aint places[64];
	MPI_Request request;
	uint64_t passed = 0;

	/* On MPI_COMM_SELF no data is transferred, so `in` may be shorter. */
	MPI_Bcast_c(in, INT64_C(6000000000), MPI_BYTE, 0, MPI_COMM_SELF);
	truth_collective(rank, 2, "Bcast", 0, UINT64_C(6000000000));
	MPI_Allreduce_c(out, in, 11, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	truth_collective(rank, 1, "Allreduce", -1, 44);
	MPI_Iallgather_c(out, 13, MPI_BYTE, in, 13, MPI_BYTE, MPI_COMM_WORLD,
	    &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	truth_collective(rank, 1, "Iallgather", -1, 13);
	for (int n = 0; n < ranks; n++) {
		counts[n] = n + rank + 1;
		places[n] = 16 * n;
		if (n == rank)
			continue;
		truth_message(rank, n, "collective", (uint64_t)counts[n]);
		passed += (uint64_t)counts[n];
	}
	truth_collective(rank, 1, "Alltoallv", -1, passed);
	MPI_Alltoallv_c(out, counts, places, MPI_BYTE, in, counts, places,
	    MPI_BYTE, MPI_COMM_WORLD);
}

/* Persistent collectives, started twice. */
static void
persistent(void)
{
	MPI_Request request;

	MPI_Allreduce_init(out, in, 15, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
	    MPI_INFO_NULL, &request);
	for (int i = 0; i < 2; i++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		truth_collective(rank, 1, "Allreduce_init", -1, 60);
	}
	MPI_Request_free(&request);
}

/* 4 partitions of 25 bytes, started twice. */
static void
parts(void)
{
	MPI_Request r[2];

	MPI_Psend_init(out, 4, 25, MPI_BYTE, right, 6, MPI_COMM_WORLD,
	    MPI_INFO_NULL, &r[0]);
	MPI_Precv_init(in, 4, 25, MPI_BYTE, left, 6, MPI_COMM_WORLD,
	    MPI_INFO_NULL, &r[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, r);
		MPI_Pready(2, r[0]);
		MPI_Pready_range(0, 1, r[0]);
		MPI_Pready(3, r[0]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		sent("persistent", 100);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	right = (rank + 1) % ranks;
	left = (rank + ranks - 1) % ranks;
	messages();
	collectives();
	persistent();
	if (ranks > 1)
		parts();
	MPI_Finalize();
	if (argc > 1)
		truth_write(argv[1], rank);
	return 0;
}
