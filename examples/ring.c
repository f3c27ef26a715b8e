/* SPDX-License-Identifier: MIT */
/*
 * examples/ring.c - heat in a ring, whose ranks get better numbers in a run
 *
 *	mpicc -O2 -g -o ring ring.c $(pkg-config --cflags --libs eventspace)
 *	mpirun -n 8 --map-by node eventspace mpi -o RUN --mode matrix -- \
 *	    ./ring [--steps N] [--cells N] [--state N] [--domains N]
 *
 * The ring is cut into slices, one for each rank.  In each step neighbours
 * exchange the cells at their borders.  A launcher that deals ranks out to
 * hosts puts all neighbours on different hosts.  After a quarter of the steps
 * the program asks for better numbers: a rank gets the slice of its new number,
 * and goes on.
 *
 *	--steps N	default 400
 *	--cells N	cells that neighbours exchange; default 1000
 *	--state N	cells of a slice; default 100 times as many
 *	--domains N	for a try on one host: ranks count as dealt out to the N
 *			packages of a host, and messages between them as slow
 */

#include <limits.h>
#include <mpi.h>
#include <scopes/reorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ring {
	MPI_Comm comm;
	int rank, ranks;
	long steps, cells, state;
	int domains;
	double began; /* when the steps that are measured began */
	double *slice, *left, *right;
};

/* Messages of the try: a byte takes 1 ns in a package, and 10 ns between
   two. */
static const struct es_reorder_links ring_links = {
	{ { 1e-5, 1e-8 }, { 1e-5, 1e-8 }, { 1e-6, 1e-9 }, { 1e-6, 1e-9 },
	    { 1e-6, 1e-9 }, { 1e-6, 1e-9 } },
	1e-8
};

static long
option(int argc, char **argv, const char *name, long otherwise)
{
	for (int n = 1; n + 1 < argc; n++)
		if (strcmp(argv[n], name) == 0)
			return atol(argv[n + 1]);
	return otherwise;
}

static void
ring_open(struct ring *ring, int argc, char **argv)
{
	ring->comm = MPI_COMM_WORLD;
	MPI_Comm_rank(ring->comm, &ring->rank);
	MPI_Comm_size(ring->comm, &ring->ranks);
	ring->steps = option(argc, argv, "--steps", 400);
	ring->cells = option(argc, argv, "--cells", 1000);
	if (ring->cells < 1 || ring->cells > INT_MAX / 100)
		MPI_Abort(MPI_COMM_WORLD, 2);
	ring->state = option(argc, argv, "--state", 100 * ring->cells);
	ring->domains = (int)option(argc, argv, "--domains", 0);
	if (ring->state < ring->cells || ring->state > INT_MAX)
		MPI_Abort(MPI_COMM_WORLD, 2);
	ring->slice = calloc((size_t)ring->state, sizeof(double));
	ring->left = calloc((size_t)ring->cells, sizeof(double));
	ring->right = calloc((size_t)ring->cells, sizeof(double));
	if (!ring->slice || !ring->left || !ring->right)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (long n = 0; n < ring->state; n++)
		ring->slice[n] = ring->rank + (double)n / (double)ring->state;
}

static void
ring_close(struct ring *ring)
{
	free(ring->slice);
	free(ring->left);
	free(ring->right);
	if (ring->comm != MPI_COMM_WORLD)
		MPI_Comm_free(&ring->comm);
}

/* Exchanges borders, and mixes them with those of the neighbours. */
static void
ring_step(struct ring *ring)
{
	int before = (ring->rank + ring->ranks - 1) % ring->ranks;
	int after = (ring->rank + 1) % ring->ranks;
	int cells = (int)ring->cells;
	double *last = ring->slice + ring->state - ring->cells;

	MPI_Sendrecv(ring->slice, cells, MPI_DOUBLE, before, 1, ring->right,
	    cells, MPI_DOUBLE, after, 1, ring->comm, MPI_STATUS_IGNORE);
	MPI_Sendrecv(last, cells, MPI_DOUBLE, after, 2, ring->left, cells,
	    MPI_DOUBLE, before, 2, ring->comm, MPI_STATUS_IGNORE);
	for (long n = 0; n < ring->cells; n++) {
		ring->slice[n] = (ring->slice[n] + ring->left[n]) / 2;
		last[n] = (last[n] + ring->right[n]) / 2;
	}
}

/* Begins to measure the time of steps. */
static void
ring_begin(struct ring *ring)
{
	MPI_Barrier(ring->comm);
	ring->began = MPI_Wtime();
}

/* Prints the time of steps. */
static void
ring_time(const struct ring *ring, long steps)
{
	MPI_Barrier(ring->comm);
	if (ring->rank == 0)
		printf("measured: %.3g s a step\n",
		    (MPI_Wtime() - ring->began) / (double)steps);
}

static void
ring_print(const struct es_reorder_result *result)
{
	uint64_t before = 0, after = 0, all = 0;

	for (int n = 0; n < ES_REORDER_LEVELS; n++) {
		all += result->bytes_before[n];
		if (n >= ES_REORDER_PACKAGE) {
			before += result->bytes_before[n];
			after += result->bytes_after[n];
		}
	}
	printf("%s: %u ranks would change, %.3g s of a step become %.3g s, "
	       "moving takes %.3g s; of %llu bytes, %llu and %llu stay in a "
	       "package\n",
	    result->pays ? "renumbered" : "as it was", result->changed,
	    result->before_s, result->after_s, result->move_s,
	    (unsigned long long)all, (unsigned long long)before,
	    (unsigned long long)after);
}

/* Takes a new number, and the slice of that number. */
static void
ring_move(struct ring *ring, MPI_Comm renumbered, uint32_t rank)
{
	/* One rank sends the slice of this number. */
	MPI_Sendrecv_replace(ring->slice, (int)ring->state, MPI_DOUBLE,
	    ring->rank, 3, MPI_ANY_SOURCE, 3, renumbered, MPI_STATUS_IGNORE);
	if (ring->comm != MPI_COMM_WORLD)
		MPI_Comm_free(&ring->comm);
	ring->comm = renumbered;
	ring->rank = (int)rank;
}

static void
ring_reorder(struct ring *ring, struct es_reorder *reorder, long step)
{
	struct es_reorder_options options = { 0 };
	struct es_reorder_result result;
	MPI_Comm renumbered;
	paths_status st;
	int world;

	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	options.steps = (uint64_t)(ring->steps / 4);
	options.steps_left = (uint64_t)(ring->steps - step);
	options.state_bytes = (uint64_t)ring->state * sizeof(double);
	if (ring->domains > 0) {
		int each = (ring->ranks + ring->domains - 1) / ring->domains;

		options.links = &ring_links;
		options.processor = 1 +
		    (uint32_t)(world % ring->domains * each +
			world / ring->domains);
	}
	st = es_reorder_comm(reorder, ring->comm, &options, &result,
	    &renumbered);
	if (st != PATHS_OK) {
		if (ring->rank == 0)
			printf("as it was: %s\n", paths_status_about(st));
		return;
	}
	if (ring->rank == 0)
		ring_print(&result);
	if (!result.pays)
		return;
	ring_move(ring, renumbered, result.rank);
	/* The slices that moved are no traffic of a step. */
	if (es_reorder_restart(reorder) != PATHS_OK)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Prints which rank of the world has which number, and the heat, which does not
   depend on numbers. */
static void
ring_result(const struct ring *ring)
{
	double heat = 0, all;
	int world, *worlds = malloc((size_t)ring->ranks * sizeof(int));

	if (worlds == NULL)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	MPI_Gather(&world, 1, MPI_INT, worlds, 1, MPI_INT, 0, ring->comm);
	for (long n = 0; n < ring->state; n++)
		heat += ring->slice[n] * (double)(ring->rank + 1);
	MPI_Allreduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, ring->comm);
	if (ring->rank == 0) {
		printf("order:");
		for (int n = 0; n < ring->ranks; n++)
			printf(" %d", worlds[n]);
		printf("\nheat: %.6f\n", all);
	}
	free(worlds);
}

int
main(int argc, char **argv)
{
	struct es_reorder *reorder = NULL;
	struct ring ring = { 0 };
	long quarter;

	MPI_Init(&argc, &argv);
	ring_open(&ring, argc, argv);
	quarter = ring.steps / 4;
	if (es_reorder_open(&reorder) != PATHS_OK)
		reorder = NULL;
	ring_begin(&ring);
	for (long step = 0; step < ring.steps; step++) {
		/* The second time, there is nothing to gain. */
		if (quarter > 0 && (step == quarter || step == 2 * quarter)) {
			ring_time(&ring, quarter);
			if (reorder != NULL)
				ring_reorder(&ring, reorder, step);
			ring_begin(&ring);
		}
		ring_step(&ring);
	}
	ring_result(&ring);
	es_reorder_close(reorder);
	ring_close(&ring);
	MPI_Finalize();
	return 0;
}
