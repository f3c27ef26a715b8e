/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/measured.c - a program that knows its times between MPI_Init and
 * MPI_Finalize
 *
 * Rank 1 is late at a barrier, at several requests, at fences of a window, at
 * MPI_Comm_split, and at MPI_Finalize.  Each rank prints
 *
 *	life RANK T0 T1		after MPI_Init, before MPI_Finalize, in ns
 *	mpi RANK NAME NS CALLS BEGAN	time in the calls of a function, and
 *				when the first one began
 *	posted RANK NS		time from the first request to MPI_Waitall
 */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define REQUESTS 6
#define FENCES 10

static int rank;
static int64_t began_ns;
static int64_t posted_ns; /* from the first request to MPI_Waitall */
static struct {
	const char *name;
	int64_t ns, began_ns;
	int calls;
} sums[16];

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
late(int ms)
{
	struct timespec t = { 0, ms * 1000000L };

	if (rank == 1)
		nanosleep(&t, NULL);
}

static void
begin(void)
{
	began_ns = now_ns();
}

static void
end(const char *name)
{
	int64_t ns = now_ns() - began_ns;
	int n = 0;

	while (sums[n].name != NULL && strcmp(sums[n].name, name) != 0)
		n++;
	if (sums[n].name == NULL)
		sums[n].began_ns = began_ns;
	sums[n].name = name;
	sums[n].ns += ns;
	sums[n].calls++;
}

/* Receives several messages in one call. */
static void
exchange(void)
{
	MPI_Request requests[2 * REQUESTS];
	static char in[REQUESTS][64], out[64];

	posted_ns = now_ns();
	for (int n = 0; n < REQUESTS; n++) {
		MPI_Irecv(in[n], 64, MPI_CHAR, 1 - rank, n, MPI_COMM_WORLD,
		    &requests[n]);
	}
	late(150);
	for (int n = 0; n < REQUESTS; n++) {
		MPI_Isend(out, 64, MPI_CHAR, 1 - rank, n, MPI_COMM_WORLD,
		    &requests[REQUESTS + n]);
	}
	posted_ns = now_ns() - posted_ns;
	begin();
	MPI_Waitall(2 * REQUESTS, requests, MPI_STATUSES_IGNORE);
	end("MPI_Waitall");
}

static void
fences(void)
{
	static int memory[8];
	MPI_Win window;

	begin();
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL,
	    MPI_COMM_WORLD, &window);
	end("MPI_Win_create");
	for (int n = 0; n < FENCES; n++) {
		late(15);
		begin();
		MPI_Win_fence(0, window);
		end("MPI_Win_fence");
	}
	begin();
	MPI_Win_free(&window);
	end("MPI_Win_free");
}

int
main(int argc, char **argv)
{
	int64_t from, to;
	MPI_Comm split;

	MPI_Init(&argc, &argv);
	from = now_ns();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	late(200);
	begin();
	MPI_Barrier(MPI_COMM_WORLD);
	end("MPI_Barrier");
	exchange();
	fences();
	late(120);
	begin();
	MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &split);
	end("MPI_Comm_split");
	late(250);
	to = now_ns();
	printf("life %d %lld %lld\n", rank, (long long)from, (long long)to);
	for (int n = 0; sums[n].name != NULL; n++)
		printf("mpi %d %s %lld %d %lld\n", rank, sums[n].name,
		    (long long)sums[n].ns, sums[n].calls,
		    (long long)sums[n].began_ns);
	printf("posted %d %lld\n", rank, (long long)posted_ns);
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
