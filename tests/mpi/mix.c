/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/mix.c - an MPI program with known counts of all calls
 *
 * mix.F90 is the same program in Fortran; mix.awk prints the expected counts.
 * MPI is called from 24 places, on any number of ranks.  A rank sends 28
 * messages of 5448 bytes to its neighbours: 10 x 8, 5 x 1000, 7 x 32 on a
 * communicator that numbers ranks the other way round, and 6 x 24 by a
 * persistent request.  It fails if other data arrives.
 *
 * Built as a plugin (-DMIX_PLUGIN) it is called mix_main instead of main.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MIX_PLUGIN
#define main mix_main
int main(int argc, char **argv);
#endif

struct ring {
	int rank, size, left, right;
};

static void
mix_must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "mix: wrong: %s\n", what);
	abort();
}

/* 10 x 8 bytes, received before they are sent. */
static void
mix_blocking(const struct ring *r)
{
	MPI_Request request;
	double in, out;

	for (int i = 0; i < 10; i++) {
		out = 100 * r->rank + i;
		MPI_Irecv(&in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
		    &request);
		MPI_Send(&out, 1, MPI_DOUBLE, r->right, 1, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		mix_must(in == 100 * r->left + i, "a number");
	}
}

/* 5 x 1000 bytes, both at once; the buffer has room for more. */
static void
mix_nonblocking(const struct ring *r)
{
	MPI_Request request[2];
	char in[1200], out[1000];

	for (int i = 0; i < 5; i++) {
		memset(out, r->rank + i, sizeof(out));
		MPI_Irecv(in, sizeof(in), MPI_CHAR, r->left, 2, MPI_COMM_WORLD,
		    &request[0]);
		MPI_Isend(out, sizeof(out), MPI_CHAR, r->right, 2,
		    MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		mix_must(in[999] == (char)(r->left + i), "1000 bytes");
	}
}

/* 7 x 32 bytes to the next rank of a communicator in reverse order. */
static void
mix_reversed(const struct ring *r)
{
	int rank = r->size - 1 - r->rank;
	int to = (rank + 1) % r->size, from = (rank + r->size - 1) % r->size;
	MPI_Comm reversed;
	double in[4], out[4];

	MPI_Comm_split(MPI_COMM_WORLD, 0, -r->rank, &reversed);
	for (int i = 0; i < 7; i++) {
		for (int k = 0; k < 4; k++)
			out[k] = rank + i + k;
		MPI_Sendrecv(out, 4, MPI_DOUBLE, to, 3, in, 4, MPI_DOUBLE, from,
		    3, reversed, MPI_STATUS_IGNORE);
		mix_must(in[3] == from + i + 3, "32 bytes");
	}
}

/* 6 x 24 bytes by persistent requests. */
static void
mix_persistent(const struct ring *r)
{
	MPI_Request request[2];
	double in[3], out[3];

	MPI_Send_init(out, 3, MPI_DOUBLE, r->right, 4, MPI_COMM_WORLD,
	    &request[0]);
	MPI_Recv_init(in, 3, MPI_DOUBLE, r->left, 4, MPI_COMM_WORLD,
	    &request[1]);
	for (int i = 0; i < 6; i++) {
		out[2] = r->rank + i;
		MPI_Startall(2, request);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		mix_must(in[2] == r->left + i, "24 bytes");
	}
	for (int i = 0; i < 2; i++)
		MPI_Request_free(&request[i]);
}

static void
mix_collective(const struct ring *r)
{
	int root = r->size - 1, *in = calloc(r->size, 12),
	    *out = calloc(r->size, 12);
	double number[2], sum;

	for (int i = 0; i < 4; i++) {
		number[1] = r->rank == root ? i : -1;
		MPI_Bcast(number, 2, MPI_DOUBLE, root, MPI_COMM_WORLD);
		mix_must(number[1] == i, "a broadcast");
	}
	for (int i = 0; i < 9; i++) {
		number[0] = r->rank + i;
		MPI_Allreduce(number, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
		mix_must(sum == r->size * (r->size - 1) / 2 + i * r->size,
		    "a sum");
	}
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 3 * r->size; k++)
			out[k] = 1000 * r->rank + k + i;
		MPI_Alltoall(out, 3, MPI_INT, in, 3, MPI_INT, MPI_COMM_WORLD);
		mix_must(in[3 * r->left] == 1000 * r->left + 3 * r->rank + i,
		    "all to all");
	}
	free(in);
	free(out);
}

/* 3 x 40 bytes put into the window of the next rank. */
static void
mix_onesided(const struct ring *r)
{
	double in[3][5] = { { 0 } }, out[3][5] = { { 0 } };
	MPI_Win window;

	MPI_Win_create(in, sizeof(in), sizeof(in[0]), MPI_INFO_NULL,
	    MPI_COMM_WORLD, &window);
	for (int i = 0; i < 4; i++) {
		MPI_Win_fence(0, window);
		if (i == 3)
			break;
		out[i][4] = r->rank + i;
		MPI_Put(out[i], 5, MPI_DOUBLE, r->right, i, 5, MPI_DOUBLE,
		    window);
	}
	MPI_Win_free(&window);
	for (int i = 0; i < 3; i++)
		mix_must(in[i][4] == r->left + i, "what was put");
}

int
main(int argc, char **argv)
{
	struct ring r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &r.size);
	r.right = (r.rank + 1) % r.size;
	r.left = (r.rank + r.size - 1) % r.size;
	mix_blocking(&r);
	mix_nonblocking(&r);
	mix_reversed(&r);
	mix_persistent(&r);
	mix_collective(&r);
	mix_onesided(&r);
	MPI_Finalize();
	return 0;
}
