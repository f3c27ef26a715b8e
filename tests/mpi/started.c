/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/started.c - persistent collectives
 *
 *	started TRUTH
 *
 * Persistent collectives of MPI 4, which Open MPI 4.1 has as extensions, on
 * any number of ranks.  Each is started three times; nothing is counted before
 * it is started.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define MPI_Barrier_init MPIX_Barrier_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Scan_init MPIX_Scan_init
#define MPI_Reduce_scatter_init MPIX_Reduce_scatter_init
#define MPI_Gatherv_init MPIX_Gatherv_init
#endif

#define TIMES 3
#define REQUESTS 12

static int rank, ranks;
static int in[1024], out[1024];
static MPI_Request requests[REQUESTS];
static int request_count;

static void
whole(const char *function, int root, int bytes)
{
	for (int n = 0; n < TIMES; n++)
		truth_collective(rank, 1, function, root, bytes);
}

/* Notes a message to each other rank; the bytes of the call are their sum. */
static void
passed(const char *function, int root, int (*bytes)(int))
{
	for (int time = 0; time < TIMES; time++) {
		int sum = 0;

		for (int n = 0; n < ranks; n++) {
			if (n == rank || bytes(n) == 0)
				continue;
			truth_message(rank, n, "collective", bytes(n));
			sum += bytes(n);
		}
		truth_collective(rank, 1, function, root, sum);
	}
}

static int
four(int n)
{
	return 4 * n;
}

static int
to_root(int n)
{
	return n == 0 ? 8 : 0;
}

static MPI_Request *
next(void)
{
	return &requests[request_count++];
}

static void
make_whole(void)
{
	MPI_Comm world = MPI_COMM_WORLD;

	MPI_Barrier_init(world, MPI_INFO_NULL, next());
	whole("Barrier_init", -1, 0);
	MPI_Bcast_init(in, 3, MPI_INT, 0, world, MPI_INFO_NULL, next());
	whole("Bcast_init", 0, 12);
	MPI_Allreduce_init(MPI_IN_PLACE, in + 8, 5, MPI_INT, MPI_SUM, world,
	    MPI_INFO_NULL, next());
	whole("Allreduce_init", -1, 20);
	MPI_Alltoall_init(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, in + 64, 7,
	    MPI_INT, world, MPI_INFO_NULL, next());
	whole("Alltoall_init", -1, 28);
	MPI_Scan_init(out, in + 128, 9, MPI_INT, MPI_SUM, world, MPI_INFO_NULL,
	    next());
	whole("Scan_init", -1, 36);
}

/* Arrays must remain unchanged until the requests are freed. */
static int counts[64], twos[64], places[64];

static void
make_different(void)
{
	MPI_Comm world = MPI_COMM_WORLD;

	for (int n = 0; n < ranks; n++) {
		counts[n] = n;
		twos[n] = 2;
		places[n] = 8 * n;
	}
	MPI_Reduce_scatter_init(out, in + 256, counts, MPI_INT, MPI_SUM, world,
	    MPI_INFO_NULL, next());
	passed("Reduce_scatter_init", -1, four);
	MPI_Gatherv_init(out, 2, MPI_INT, in + 320, twos, places, MPI_INT, 0,
	    world, MPI_INFO_NULL, next());
	passed("Gatherv_init", 0, to_root);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	make_whole();
	make_different();
	for (int n = 0; n < TIMES; n++) {
		if (n == 1)
			for (int i = 0; i < request_count; i++)
				MPI_Start(&requests[i]);
		else
			MPI_Startall(request_count, requests);
		MPI_Waitall(request_count, requests, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < request_count; i++)
		MPI_Request_free(&requests[i]);
	MPI_Finalize();
	if (argc > 1)
		truth_write(argv[1], rank);
	return 0;
}
