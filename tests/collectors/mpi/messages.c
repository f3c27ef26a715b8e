/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/mpi/messages.c - an MPI program for messages.tap, two ranks
 *
 * messages CASE.  A rank makes only the calls that the case tests; its output
 * is the same with and without the interposer.
 */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define MANY 300

static int rank, other;
static int out[1000], in[1000];

static void
blocking(void)
{
	if (rank == 0) {
		MPI_Send(out, 3, MPI_INT, 1, 9, WORLD);
		MPI_Ssend(out, 0, MPI_INT, 1, 8, WORLD);
		MPI_Send(out, 7, MPI_CHAR, MPI_PROC_NULL, 5, WORLD);
		MPI_Recv(in, 7, MPI_CHAR, MPI_PROC_NULL, 5, WORLD,
		    MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(in, 1000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD,
		    MPI_STATUS_IGNORE);
		MPI_Recv(in, 1000, MPI_INT, 0, 8, WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Sendrecv(out, 4, MPI_DOUBLE, other, 1, in, 500, MPI_DOUBLE, other,
	    1, WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(in, 5, MPI_INT, other, 2, MPI_ANY_SOURCE, 2, WORLD,
	    MPI_STATUS_IGNORE);
}

static void
nonblocking(void)
{
	MPI_Request r[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL,
		MPI_REQUEST_NULL };

	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
	MPI_Waitall(0, r, MPI_STATUSES_IGNORE);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Irecv(in, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &r[0]);
	MPI_Isend(out, 6, MPI_INT, other, 4, WORLD, &r[2]);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
	MPI_Irecv(in, 100, MPI_INT, other, 5, WORLD, &r[0]);
	MPI_Isend(out, 2, MPI_INT, other, 5, WORLD, &r[1]);
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Irecv(in, 9, MPI_INT, MPI_PROC_NULL, 5, WORLD, &r[0]);
	MPI_Isend(out, 9, MPI_INT, MPI_PROC_NULL, 5, WORLD, &r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Irecv(in, 100, MPI_INT, other, 6, WORLD, &r[0]);
	MPI_Isend(out, 1, MPI_INT, other, 6, WORLD, &r[2]);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}

/* Small sends are complete when they are made, and MPI gives all of them the
   same handle. */
static void
many(void)
{
	MPI_Request r[MANY];
	int flag = 0;

	for (int n = 0; n < MANY; n++)
		MPI_Isend(out, n % 50, MPI_CHAR, other, n, WORLD, &r[n]);
	for (int n = 0; n < MANY; n++)
		MPI_Recv(in, 50, MPI_CHAR, other, n, WORLD, MPI_STATUS_IGNORE);
	while (!flag)
		MPI_Testall(MANY, r, &flag, MPI_STATUSES_IGNORE);
}

static void
persistent(void)
{
	MPI_Request r[2];

	MPI_Recv_init(in, 100, MPI_INT, MPI_ANY_SOURCE, 3, WORLD, &r[0]);
	MPI_Send_init(out, 6, MPI_INT, other, 3, WORLD, &r[1]);
	for (int n = 0; n < 2; n++) {
		MPI_Startall(2, r);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	MPI_Start(&r[1]);
	MPI_Start(&r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void
partitioned(void)
{
#if MPI_VERSION >= 4
	MPI_Request r;
	int flag = 0, list[] = { 0 };

	if (rank == 0) {
		MPI_Psend_init(out, 4, 5, MPI_INT, 1, 3, WORLD, MPI_INFO_NULL,
		    &r);
		for (int n = 0; n < 2; n++) {
			MPI_Start(&r);
			MPI_Pready(3, r);
			MPI_Pready_range(1, 2, r);
			MPI_Pready_list(1, list, r);
			MPI_Wait(&r, MPI_STATUS_IGNORE);
		}
	} else {
		MPI_Precv_init(in, 2, 10, MPI_INT, 0, 3, WORLD, MPI_INFO_NULL,
		    &r);
		for (int n = 0; n < 2; n++) {
			MPI_Start(&r);
			MPI_Parrived(r, 1, &flag);
			MPI_Wait(&r, MPI_STATUS_IGNORE);
		}
	}
	MPI_Request_free(&r);
#endif
}

static void
isendrecv(void)
{
#if MPI_VERSION >= 4
	MPI_Request r;

	MPI_Isendrecv(out, 4, MPI_INT, other, 1, in, 500, MPI_INT,
	    MPI_ANY_SOURCE, 1, WORLD, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Isendrecv_replace(in, 5, MPI_INT, other, 2, other, 2, WORLD, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
}

static void
probe(void)
{
	MPI_Message m;
	MPI_Request r;
	MPI_Status s;
	int flag = 0;

	if (rank == 0) {
		for (int n = 0; n < 6; n++)
			MPI_Send(out, 10 + n, MPI_INT, 1, n, WORLD);
		MPI_Barrier(WORLD);
		return;
	}
	MPI_Barrier(WORLD);
	MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &s);
	MPI_Recv(in, 1000, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, WORLD, &s);
	MPI_Probe(0, 1, WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(in, 1000, MPI_INT, 0, 2, WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(in, 1000, MPI_INT, 0, 1, WORLD, MPI_STATUS_IGNORE);
	while (!flag)
		MPI_Iprobe(0, MPI_ANY_TAG, WORLD, &flag, MPI_STATUS_IGNORE);
	MPI_Irecv(in, 1000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &m, MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 1000, MPI_INT, &m, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;)
		MPI_Improbe(0, 5, WORLD, &flag, &m, MPI_STATUS_IGNORE);
	MPI_Imrecv(in, 1000, MPI_INT, &m, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Mprobe(MPI_PROC_NULL, 3, WORLD, &m, MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 1000, MPI_INT, &m, MPI_STATUS_IGNORE);
}

static void
cancel(void)
{
	MPI_Request r;
	MPI_Status s;
	int flag;

	MPI_Irecv(in, 9, MPI_INT, other, 77, WORLD, &r);
	MPI_Cancel(&r);
	MPI_Wait(&r, &s);
	MPI_Test_cancelled(&s, &flag);
	printf("cancelled %d\n", flag);
	MPI_Recv_init(in, 9, MPI_INT, MPI_ANY_SOURCE, 78, WORLD, &r);
	MPI_Start(&r);
	MPI_Cancel(&r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	/* The message is sent after the receive was cancelled. */
	MPI_Pcontrol(0);
	MPI_Barrier(WORLD);
	MPI_Pcontrol(1);
	MPI_Start(&r);
	MPI_Send(out, 9, MPI_INT, other, 78, WORLD);
	MPI_Wait(&r, &s);
	MPI_Test_cancelled(&s, &flag);
	printf("cancelled %d\n", flag);
	MPI_Request_free(&r);
}

static void
some(void)
{
	MPI_Request r[8];
	MPI_Status s;
	int count = 0, index, flag, places[8];

	for (int n = 0; n < 4; n++) {
		MPI_Irecv(in + 100 * n, 100, MPI_INT, other, n, WORLD, &r[n]);
		MPI_Isend(out, n + 1, MPI_INT, other, n, WORLD, &r[4 + n]);
	}
	for (int done = 0; done < 4; done += count)
		MPI_Waitsome(4, r, &count, places, MPI_STATUSES_IGNORE);
	MPI_Waitsome(4, r, &count, places, MPI_STATUSES_IGNORE);
	printf("all of them were complete %d\n", count == MPI_UNDEFINED);
	MPI_Waitany(4, r + 4, &index, MPI_STATUS_IGNORE);
	printf("any %d\n", index);
	for (flag = 0; !flag;)
		MPI_Testany(4, r + 4, &index, &flag, &s);
	for (int done = 0; done < 2; done += count)
		MPI_Testsome(4, r + 4, &count, places, MPI_STATUSES_IGNORE);
	MPI_Testany(4, r + 4, &index, &flag, &s);
	printf("none %d %d\n", flag, index == MPI_UNDEFINED);
	MPI_Testsome(4, r + 4, &count, places, MPI_STATUSES_IGNORE);
}

static void
freed(void)
{
	MPI_Request r;

	MPI_Irecv(in, 9, MPI_INT, other, 1, WORLD, &r);
	MPI_Request_free(&r);
	MPI_Isend(out, 5, MPI_INT, other, 1, WORLD, &r);
	MPI_Request_free(&r);
	MPI_Sendrecv(out, 1, MPI_INT, other, 2, in + 100, 1, MPI_INT, other, 2,
	    WORLD, MPI_STATUS_IGNORE);
}

static void
get_status(void)
{
	MPI_Request r, none = MPI_REQUEST_NULL;
	int flag = 0;

	MPI_Irecv(in, 9, MPI_INT, other, 1, WORLD, &r);
	MPI_Send(out, 5, MPI_INT, other, 1, WORLD);
	MPI_Barrier(WORLD);
	while (!flag)
		MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Request_get_status(none, &flag, MPI_STATUS_IGNORE);
}

static int
nothing(void *state, MPI_Status *status)
{
	(void)state;
	MPI_Status_set_elements(status, MPI_BYTE, 0);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int
nothing_free(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int
nothing_cancel(void *state, int complete)
{
	(void)state;
	(void)complete;
	return MPI_SUCCESS;
}

static void
generalized(void)
{
	MPI_Request r;

	MPI_Grequest_start(nothing, nothing_free, nothing_cancel, NULL, &r);
	MPI_Grequest_complete(r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* The sender becomes known after the communicator was freed. */
static void
outlived(void)
{
	MPI_Comm turned, copy;
	MPI_Request r;

	MPI_Comm_split(WORLD, 0, -rank, &turned);
	MPI_Comm_dup(turned, &copy);
	MPI_Irecv(in, 9, MPI_INT, MPI_ANY_SOURCE, 1, copy, &r);
	MPI_Send(out, 2, MPI_INT, rank, 1, copy);
	MPI_Comm_free(&copy);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Comm_free(&turned);
}

/* Requests that are made or completed while recording is off. */
static void
switched(void)
{
	MPI_Request r[2], kept[2];

	MPI_Pcontrol(0);
	MPI_Recv_init(in, 100, MPI_INT, other, 3, WORLD, &kept[0]);
	MPI_Send_init(out, 6, MPI_INT, other, 3, WORLD, &kept[1]);
	MPI_Pcontrol(1);
	MPI_Startall(2, kept);
	MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
	MPI_Irecv(in, 100, MPI_INT, other, 4, WORLD, &r[0]);
	MPI_Isend(out, 1, MPI_INT, other, 4, WORLD, &r[1]);
	MPI_Pcontrol(0);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	for (int n = 0; n < 10; n++) {
		MPI_Irecv(in, 100, MPI_INT, other, 5, WORLD, &r[0]);
		MPI_Isend(out, 2, MPI_INT, other, 5, WORLD, &r[1]);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	MPI_Request_free(&kept[1]);
	MPI_Pcontrol(1);
	MPI_Isend(out, 3, MPI_INT, other, 6, WORLD, &r[1]);
	MPI_Irecv(in, 100, MPI_INT, other, 6, WORLD, &r[0]);
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Request_free(&kept[0]);
}

/* Requests that complete while recording is off, by calls that only test. */
static void
tested(void)
{
	MPI_Request r[2];
	int done;

	MPI_Irecv(in, 100, MPI_INT, other, 7, WORLD, &r[0]);
	MPI_Isend(out, 1, MPI_INT, other, 7, WORLD, &r[1]);
	MPI_Pcontrol(0);
	do
		MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
	while (!done);
	do
		MPI_Testall(1, &r[1], &done, MPI_STATUSES_IGNORE);
	while (!done);
	MPI_Pcontrol(1);
}

static void
print_class(int result)
{
	int class;

	MPI_Error_class(result, &class);
	printf("%s\n",
	    class == MPI_SUCCESS	   ? "success" :
		class == MPI_ERR_IN_STATUS ? "in status" :
		class == MPI_ERR_TRUNCATE  ? "truncated" :
		class == MPI_ERR_TYPE	   ? "type" :
		class == MPI_ERR_RANK	   ? "rank" :
					     "another");
}

static void
errors(void)
{
	MPI_Request r[3];
	MPI_Status s[3];

	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
	print_class(MPI_Send(out, 1, MPI_INT, 1000, 1, WORLD));
	print_class(MPI_Send(out, 1, MPI_DATATYPE_NULL, other, 1, WORLD));
	for (int n = 0; n < 2; n++) {
		MPI_Irecv(in, 1, MPI_INT, other, 1, WORLD, &r[0]);
		MPI_Irecv(in + 1, 9, MPI_INT, other, 2, WORLD, &r[1]);
		MPI_Isend(out, 2, MPI_INT, other, 1, WORLD, &r[2]);
		MPI_Send(out, 9, MPI_INT, other, 2, WORLD);
		print_class(
		    MPI_Waitall(3, r, n == 0 ? MPI_STATUSES_IGNORE : s));
		for (int i = 0; i < 3; i++)
			if (r[i] != MPI_REQUEST_NULL)
				MPI_Wait(&r[i], MPI_STATUS_IGNORE);
	}
	MPI_Irecv(in, 1, MPI_INT, other, 3, WORLD, &r[0]);
	MPI_Send(out, 2, MPI_INT, other, 3, WORLD);
	print_class(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "blocking", blocking },
	{ "nonblocking", nonblocking },
	{ "many", many },
	{ "persistent", persistent },
	{ "partitioned", partitioned },
	{ "isendrecv", isendrecv },
	{ "probe", probe },
	{ "cancel", cancel },
	{ "some", some },
	{ "freed", freed },
	{ "get_status", get_status },
	{ "generalized", generalized },
	{ "outlived", outlived },
	{ "switched", switched },
	{ "tested", tested },
	{ "errors", errors },
};

int
main(int argc, char **argv)
{
	char name[100];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	other = 1 - rank;
	snprintf(name, sizeof(name), "out.%d", rank);
	if (argc != 2 || freopen(name, "w", stdout) == NULL)
		return 1;
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
		if (strcmp(argv[1], cases[n].name) == 0)
			cases[n].run();
	MPI_Finalize();
	return 0;
}
