/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/groups.c - collectives, communicators and windows, and their bytes
 *
 *	groups TRUTH
 *
 * Every step transfers blocks of its own size.  Writes the files TRUTH.RANK.
 * Communicator 1 is the world, 2 has only this rank, the others are made here.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

#define ROOM 64

static int rank, ranks;
static int in[ROOM * ROOM], out[ROOM * ROOM];
static int counts[ROOM], places[ROOM], wanted[ROOM];

/* Sum of the messages noted since the last call.  Collectives with a count per
   peer send to all other ranks. */
static uint64_t passed_bytes;

static void
passed(int to, int bytes)
{
	if (to == rank || bytes == 0)
		return;
	truth_message(rank, to, "collective", (uint64_t)bytes);
	passed_bytes += (uint64_t)bytes;
}

/* Notes a call whose bytes are the sum of the messages noted since the last
   one. */
static void
called(int comm, const char *function, int root)
{
	truth_collective(rank, comm, function, root, passed_bytes);
	passed_bytes = 0;
}

/* Lays out blocks of count(n) integers for rank n, one after the other. */
static void
blocks(int *of, int (*count)(int))
{
	int place = 0;

	for (int n = 0; n < ranks; n++) {
		of[n] = count(n);
		places[n] = place;
		place += of[n];
	}
}

static int
by_number(int n)
{
	return n + 1;
}

static int
by_both(int n)
{
	return n + rank;
}

static void
same_for_all(void)
{
	MPI_Comm world = MPI_COMM_WORLD;
	int last = ranks - 1;

	MPI_Barrier(world);
	truth_collective(rank, 1, "Barrier", -1, 0);
	MPI_Bcast(out, 3, MPI_INT, last, world);
	truth_collective(rank, 1, "Bcast", last, 12);
	MPI_Reduce(out, in, 5, MPI_INT, MPI_SUM, 0, world);
	truth_collective(rank, 1, "Reduce", 0, 20);
	MPI_Gather(out, 7, MPI_INT, in, 7, MPI_INT, 0, world);
	truth_collective(rank, 1, "Gather", 0, 28);
	MPI_Scatter(out, 9, MPI_INT, in, 9, MPI_INT, last, world);
	truth_collective(rank, 1, "Scatter", last, 36);
	MPI_Allgather(out, 11, MPI_INT, in, 11, MPI_INT, world);
	truth_collective(rank, 1, "Allgather", -1, 44);
	MPI_Alltoall(out, 13, MPI_INT, in, 13, MPI_INT, world);
	truth_collective(rank, 1, "Alltoall", -1, 52);
	MPI_Scan(out, in, 15, MPI_INT, MPI_SUM, world);
	truth_collective(rank, 1, "Scan", -1, 60);
	MPI_Exscan(out, in, 17, MPI_INT, MPI_SUM, world);
	truth_collective(rank, 1, "Exscan", -1, 68);
	MPI_Reduce_scatter_block(out, in, 19, MPI_INT, MPI_SUM, world);
	truth_collective(rank, 1, "Reduce_scatter_block", -1, 76);
}

/* MPI_IN_PLACE: the arguments of sending are ignored. */
static void
in_place(void)
{
	MPI_Comm world = MPI_COMM_WORLD;

	MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_DOUBLE, MPI_SUM, world);
	truth_collective(rank, 1, "Allreduce", -1, 16);
	MPI_Allgather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, in, 21, MPI_INT,
	    world);
	truth_collective(rank, 1, "Allgather", -1, 84);
	if (rank == 0)
		MPI_Gather(MPI_IN_PLACE, -7, MPI_DATATYPE_NULL, in, 23, MPI_INT,
		    0, world);
	else
		MPI_Gather(out, 23, MPI_INT, NULL, -7, MPI_DATATYPE_NULL, 0,
		    world);
	truth_collective(rank, 1, "Gather", 0, 92);
	blocks(wanted, by_both);
	MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, wanted,
	    places, MPI_INT, world);
	for (int n = 0; n < ranks; n++)
		passed(n, 4 * by_both(n));
	called(1, "Alltoallv", -1);
}

static void
different_for_each(void)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Datatype types[ROOM];
	int last = ranks - 1;

	blocks(counts, by_number);
	MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, 0,
	    world);
	passed(0, 4 * (rank + 1));
	called(1, "Gatherv", 0);
	MPI_Scatterv(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, last,
	    world);
	for (int n = 0; rank == last && n < ranks; n++)
		passed(n, 4 * (n + 1));
	called(1, "Scatterv", last);
	MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT,
	    world);
	for (int n = 0; n < ranks; n++)
		passed(n, 4 * (rank + 1));
	called(1, "Allgatherv", -1);
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, world);
	for (int n = 0; n < ranks; n++)
		passed(n, 4 * (n + 1));
	called(1, "Reduce_scatter", -1);
	blocks(counts, by_both);
	MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT,
	    world);
	for (int n = 0; n < ranks; n++)
		passed(n, 4 * by_both(n));
	called(1, "Alltoallv", -1);
	for (int n = 0; n < ranks; n++)
		types[n] = MPI_SHORT;
	MPI_Alltoallw(out, counts, places, types, in, counts, places, types,
	    world);
	for (int n = 0; n < ranks; n++)
		passed(n, 2 * by_both(n));
	called(1, "Alltoallw", -1);
}

/* Communicator 3 is a copy of the world, communicator 4 a half of it. */
static void
other_communicators(void)
{
	MPI_Comm copy, half;
	MPI_Request request[3];
	int size;

	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Ibarrier(copy, &request[0]);
	MPI_Ibcast(in, 25, MPI_INT, 0, copy, &request[1]);
	MPI_Iallreduce(out, in + ROOM, 27, MPI_INT, MPI_SUM, copy, &request[2]);
	MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	truth_collective(rank, 3, "Ibarrier", -1, 0);
	truth_collective(rank, 3, "Ibcast", 0, 100);
	truth_collective(rank, 3, "Iallreduce", -1, 108);
	MPI_Comm_split(MPI_COMM_WORLD, rank & 1, 0, &half);
	MPI_Comm_size(half, &size);
	MPI_Bcast(in, 29, MPI_INT, size - 1, half);
	truth_collective(rank, 4, "Bcast", size - 1, 116);
	MPI_Comm_free(&half);
	MPI_Comm_free(&copy);
}

/* Each rank sends to both neighbours on communicator 5, a ring. */
static void
neighbours(void)
{
	MPI_Comm ring;
	int periodic = 1;

	MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
	MPI_Neighbor_alltoall(out, 31, MPI_INT, in, 31, MPI_INT, ring);
	truth_message(rank, (rank + ranks - 1) % ranks, "collective", 124);
	truth_message(rank, (rank + 1) % ranks, "collective", 124);
	truth_collective(rank, 5, "Neighbor_alltoall", -1, 248);
	MPI_Comm_free(&ring);
}

/* Even ranks are one group of an intercommunicator, odd ranks the other; each
   rank sends to its partner. */
static void
both_sides(void)
{
	MPI_Comm side, both;
	int partner = rank ^ 1, got = -1;

	if (ranks % 2)
		return;
	MPI_Comm_split(MPI_COMM_WORLD, rank & 1, 0, &side);
	MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - (rank & 1), 8, &both);
	MPI_Sendrecv(&rank, 1, MPI_INT, rank / 2, 7, &got, 1, MPI_INT, rank / 2,
	    7, both, MPI_STATUS_IGNORE);
	if (got != partner)
		abort();
	truth_message(rank, partner, "p2p", 4);
	truth_message(partner, rank, "received", 4);
	MPI_Comm_free(&both);
	MPI_Comm_free(&side);
}

static void
put(int to, int bytes)
{
	truth_message(rank, to, "put", (uint64_t)bytes);
}

static void
got(int from, int bytes)
{
	truth_message(from, rank, "get", (uint64_t)bytes);
}

static void
windows(void)
{
	int right = (rank + 1) % ranks, *memory, one = 1, zero = 0;
	MPI_Request r[3];
	MPI_Win window;

	MPI_Win_allocate(ROOM * sizeof(*memory), sizeof(*memory), MPI_INFO_NULL,
	    MPI_COMM_WORLD, &memory, &window);
	MPI_Win_fence(0, window);
	MPI_Put(out, 2, MPI_INT, right, 0, 2, MPI_INT, window);
	put(right, 8);
	MPI_Get(in, 3, MPI_INT, right, 2, 3, MPI_INT, window);
	got(right, 12);
	MPI_Accumulate(out, 4, MPI_INT, right, 5, 4, MPI_INT, MPI_SUM, window);
	put(right, 16);
	MPI_Win_fence(0, window);
	MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
	MPI_Fetch_and_op(&one, in, MPI_INT, right, 9, MPI_SUM, window);
	put(right, 4);
	got(right, 4);
	MPI_Compare_and_swap(&one, &zero, in + 1, MPI_INT, right, 10, window);
	put(right, 4);
	got(right, 4);
	MPI_Get_accumulate(out, 6, MPI_INT, in + 2, 6, MPI_INT, right, 11, 6,
	    MPI_INT, MPI_SUM, window);
	put(right, 24);
	got(right, 24);
	MPI_Rput(out, 7, MPI_INT, right, 20, 7, MPI_INT, window, &r[0]);
	put(right, 28);
	MPI_Rget(in + 10, 8, MPI_INT, right, 30, 8, MPI_INT, window, &r[1]);
	got(right, 32);
	MPI_Raccumulate(out, 9, MPI_INT, right, 40, 9, MPI_INT, MPI_SUM, window,
	    &r[2]);
	put(right, 36);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
	MPI_Win_unlock(right, window);
	MPI_Put(out, 5, MPI_INT, MPI_PROC_NULL, 0, 5, MPI_INT, window);
	MPI_Win_free(&window);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	same_for_all();
	in_place();
	different_for_each();
	other_communicators();
	neighbours();
	both_sides();
	windows();
	MPI_Finalize();
	if (argc > 1)
		truth_write(argv[1], rank);
	return 0;
}
