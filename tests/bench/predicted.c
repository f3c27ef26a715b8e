/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/predicted.c - MPI programs whose changes can be predicted
 *
 *	predicted halo|farm|pipe|relay|late [CHANGE...]
 *
 * Four ranks, or two of relay and late, work by sleeping, so that the cores do
 * not matter.  CHANGE is what tests/bench/predictions asks of the run without
 * it: the name of a part that is evened out, quicker or left out.  Prints the
 * time from a barrier at the begin to one at the end, in us, by the program's
 * own stamps.
 */

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;
static char **changes;

static int
changed(const char *name)
{
	for (char **at = changes; *at != NULL; at++)
		if (strcmp(*at, name) == 0)
			return 1;
	return 0;
}

static void
work(long us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

/* ---- halo: two parts with another late rank each */

static void
exchange(void)
{
	double out[100] = { 0 }, in[100];
	int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
	int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;

	MPI_Sendrecv(out, 100, MPI_DOUBLE, right, 1, in, 100, MPI_DOUBLE, left,
	    1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 100, MPI_DOUBLE, left, 2, in, 100, MPI_DOUBLE, right,
	    2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void
halo(void)
{
	static const long first_us[] = { 4000, 4000, 9000, 4000 };
	static const long second_us[] = { 3000, 6000, 3000, 3000 };
	double mine = 1, sum;

	for (int n = 0; n < 30; n++) {
		work(changed("first") ? 5250 : first_us[rank]);
		exchange();
		work(changed("second") ? 3750 : second_us[rank]);
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
}

/* ---- farm: a master that is asked too often */

#define TASKS 120

static void
master(void)
{
	int task = 0, active = size - 1, result;
	MPI_Status status;

	while (active > 0) {
		int next;

		MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
		    &status);
		work(changed("master") ? 1500 : 3000);
		next = task < TASKS ? task++ : -1;
		active -= next < 0;
		MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, 2,
		    MPI_COMM_WORLD);
	}
}

static void
worker(void)
{
	int task = 0;

	while (task >= 0) {
		MPI_Send(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		MPI_Recv(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
		if (task >= 0)
			work(changed("worker") ? 2000 : 4000);
	}
}

static void
farm(void)
{
	if (rank == 0)
		master();
	else
		worker();
}

/* ---- pipe: a slow rank, and collectives that empty the pipeline */

static void
pipeline(void)
{
	static const long us[] = { 2000, 5000, 3000, 2000 };
	double item = 1, sum;

	for (int n = 0; n < 60; n++) {
		if (rank > 0)
			MPI_Recv(&item, 1, MPI_DOUBLE, rank - 1, 1,
			    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		work(changed("quick") && rank == 1 ? 3000 : us[rank]);
		if (rank < size - 1)
			MPI_Send(&item, 1, MPI_DOUBLE, rank + 1, 1,
			    MPI_COMM_WORLD);
		if (n % 5 == 4 && !changed("sum"))
			MPI_Allreduce(&item, &sum, 1, MPI_DOUBLE, MPI_SUM,
			    MPI_COMM_WORLD);
	}
}

/* ---- relay: two ranks whose messages are waited for, or travel while both
   work */

static void
overlap(void)
{
	double out = 1, in;
	MPI_Request requests[2];

	MPI_Irecv(&in, 1, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, requests);
	MPI_Isend(&out, 1, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD,
	    requests + 1);
	work(3000);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void
relay(void)
{
	double item = 1;

	for (int n = 0; n < 60; n++) {
		if (rank == 1)
			MPI_Recv(&item, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
		work(1000);
		MPI_Send(&item, 1, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Recv(&item, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
		overlap();
		overlap();
	}
}

/* ---- late: a sender that waits for its receiver, which then waits for what
   the sender has to do */

static void
late(void)
{
	double item = 1;

	for (int n = 0; n < 20; n++) {
		work(rank == 0 ? 5000 : 25000);
		if (rank == 0) {
			MPI_Ssend(&item, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
			work(30000);
			MPI_Send(&item, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
		} else {
			MPI_Recv(&item, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
			MPI_Recv(&item, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
		}
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} programs[] = {
	{ "halo", halo },
	{ "pipe", pipeline },
	{ "farm", farm },
	{ "relay", relay },
	{ "late", late },
};

int
main(int argc, char **argv)
{
	const char *program = argc > 1 ? argv[1] : "";
	double start;

	changes = argv + (argc > 1 ? 2 : 1);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (size_t n = 0; n < sizeof(programs) / sizeof(programs[0]); n++)
		if (strcmp(program, programs[n].name) == 0)
			programs[n].run();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.0f\n", 1e6 * (MPI_Wtime() - start));
	MPI_Finalize();
	return 0;
}
