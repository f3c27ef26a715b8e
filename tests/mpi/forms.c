/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/forms.c - every form of point-to-point call, with its counts
 *
 *	forms TRUTH
 *
 * Each step sends messages of its own size to the right neighbour and receives
 * those of the left one, in another form.  Writes the files TRUTH.RANK.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

static int rank, ranks, left, right;
static char in[4096], out[4096];

static void
must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "forms: wrong: %s\n", what);
	abort();
}

static void
sent(const char *category, int bytes)
{
	truth_message(rank, right, category, (uint64_t)bytes);
	truth_message(left, rank, "received", (uint64_t)bytes);
}

static MPI_Request
receive(int bytes)
{
	MPI_Request request;

	MPI_Irecv(in, sizeof(in), MPI_BYTE, left, bytes, MPI_COMM_WORLD,
	    &request);
	return request;
}

static void
received(const MPI_Status *status, int bytes)
{
	int count;

	MPI_Get_count(status, MPI_BYTE, &count);
	must(count == bytes, "the length of what came");
	must(status->MPI_SOURCE == left, "where it came from");
	must(status->MPI_TAG == bytes, "its tag");
}

static void
finish(MPI_Request request, int bytes)
{
	MPI_Status status;

	MPI_Wait(&request, &status);
	received(&status, bytes);
}

/* Blocking sends of all modes; sizes 1, 2, 3, 4. */
static void
modes(void)
{
	static char room[4096 + MPI_BSEND_OVERHEAD];
	void *back;
	int size;
	MPI_Request request = receive(1);

	MPI_Send(out, 1, MPI_BYTE, right, 1, MPI_COMM_WORLD);
	finish(request, 1);
	request = receive(2);
	MPI_Ssend(out, 2, MPI_BYTE, right, 2, MPI_COMM_WORLD);
	finish(request, 2);
	MPI_Buffer_attach(room, sizeof(room));
	request = receive(3);
	MPI_Bsend(out, 3, MPI_BYTE, right, 3, MPI_COMM_WORLD);
	finish(request, 3);
	MPI_Buffer_detach(&back, &size);
	request = receive(4);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Rsend(out, 4, MPI_BYTE, right, 4, MPI_COMM_WORLD);
	finish(request, 4);
	for (int bytes = 1; bytes <= 4; bytes++)
		sent("p2p", bytes);
	truth_collective(rank, 1, "Barrier", -1, 0);
}

/* Nonblocking sends, completed by each form of wait; sizes 10 to 12. */
static void
waits(void)
{
	MPI_Status status[2];
	MPI_Request r[3];
	int which, some, many[2];

	r[0] = receive(10);
	MPI_Isend(out, 10, MPI_BYTE, right, 10, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, status);
	received(&status[0], 10);

	r[0] = receive(11);
	r[2] = MPI_REQUEST_NULL;
	MPI_Issend(out, 11, MPI_BYTE, right, 11, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Waitany(3, r, &which, &status[0]);
		if (which == 0)
			received(&status[0], 11);
	}
	MPI_Waitany(3, r, &which, MPI_STATUS_IGNORE);
	must(which == MPI_UNDEFINED, "no request is left");

	r[0] = receive(12);
	MPI_Isend(out, 12, MPI_BYTE, right, 12, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 2; i += some)
		MPI_Waitsome(2, r, &some, many, MPI_STATUSES_IGNORE);
	sent("p2p", 10);
	sent("p2p", 11);
	sent("p2p", 12);
}

/* Nonblocking sends, completed by each form of test; sizes 13 to 16. */
static void
tests(void)
{
	MPI_Status status;
	MPI_Request r[2];
	int flag, which, some, many[2];

	r[0] = receive(13);
	MPI_Isend(out, 13, MPI_BYTE, right, 13, MPI_COMM_WORLD, &r[1]);
	for (flag = 0; !flag;)
		MPI_Request_get_status(r[0], &flag, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;)
		MPI_Test(&r[0], &flag, &status);
	received(&status, 13);
	for (flag = 0; !flag;)
		MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE);

	r[0] = receive(14);
	MPI_Isend(out, 14, MPI_BYTE, right, 14, MPI_COMM_WORLD, &r[1]);
	for (flag = 0; !flag;)
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);

	r[0] = receive(15);
	MPI_Isend(out, 15, MPI_BYTE, right, 15, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 2; i += flag)
		MPI_Testany(2, r, &which, &flag, MPI_STATUS_IGNORE);

	r[0] = receive(16);
	MPI_Isend(out, 16, MPI_BYTE, right, 16, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 2; i += some)
		MPI_Testsome(2, r, &some, many, MPI_STATUSES_IGNORE);
	for (int bytes = 13; bytes <= 16; bytes++)
		sent("p2p", bytes);
}

/* Eager sends, most of them probed before they are received; sizes 20 to 24. */
static void
probes(void)
{
	MPI_Message message;
	MPI_Request r[2];
	MPI_Status status;
	int flag;

	for (int bytes = 20; bytes <= 24; bytes++) {
		MPI_Isend(out, bytes, MPI_BYTE, right, bytes, MPI_COMM_WORLD,
		    &r[0]);
		if (bytes == 20)
			MPI_Probe(left, 20, MPI_COMM_WORLD, &status);
		for (flag = 0; bytes == 21 && !flag;)
			MPI_Iprobe(MPI_ANY_SOURCE, 21, MPI_COMM_WORLD, &flag,
			    MPI_STATUS_IGNORE);
		if (bytes == 22)
			MPI_Mprobe(left, 22, MPI_COMM_WORLD, &message,
			    MPI_STATUS_IGNORE);
		for (flag = 0; bytes == 23 && !flag;)
			MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
			    &flag, &message, MPI_STATUS_IGNORE);
		if (bytes == 22)
			MPI_Mrecv(in, sizeof(in), MPI_BYTE, &message, &status);
		if (bytes == 23) {
			MPI_Imrecv(in, sizeof(in), MPI_BYTE, &message, &r[1]);
			MPI_Wait(&r[1], &status);
		}
		if (bytes < 22 || bytes > 23)
			MPI_Recv(in, sizeof(in), MPI_BYTE, MPI_ANY_SOURCE,
			    bytes, MPI_COMM_WORLD, &status);
		received(&status, bytes);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
		sent("p2p", bytes);
		truth_collective(rank, 1, "Barrier", -1, 0);
	}
}

/* MPI_PROC_NULL, no bytes, the rank itself, and Sendrecv; sizes 0, 30, 31. */
static void
edges(void)
{
	MPI_Request request;
	MPI_Datatype every_second;

	MPI_Send(out, 100, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	MPI_Recv(in, 100, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
	MPI_Isend(out, 100, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
	    &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 0, MPI_BYTE, right, 9, in, 10, MPI_BYTE, left, 9,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	sent("p2p", 0);
	MPI_Sendrecv_replace(out, 30, MPI_BYTE, right, 30, left, 30,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	sent("p2p", 30);
	MPI_Irecv(in, 100, MPI_BYTE, 0, 31, MPI_COMM_SELF, &request);
	MPI_Type_vector(31, 1, 2, MPI_BYTE, &every_second);
	MPI_Type_commit(&every_second);
	MPI_Send(out, 1, every_second, 0, 31, MPI_COMM_SELF);
	MPI_Type_free(&every_second);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	truth_message(rank, rank, "p2p", 31);
	truth_message(rank, rank, "received", 31);
}

/* Requests that are cancelled, or freed while active; sizes 40, 41. */
static void
ended_otherwise(void)
{
	MPI_Request request;
	MPI_Status status;
	int flag;

	request = receive(40);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	must(flag, "cancelled");
	MPI_Isend(out, 41, MPI_BYTE, right, 41, MPI_COMM_WORLD, &request);
	MPI_Request_free(&request);
	finish(receive(41), 41);
	sent("p2p", 41);
}

/* Persistent requests, started three times each; sizes 50 to 53. */
static void
persistent(void)
{
	static char room[4096 + 4 * MPI_BSEND_OVERHEAD];
	MPI_Request r[5];
	void *back;
	int size;

	MPI_Buffer_attach(room, sizeof(room));
	MPI_Send_init(out, 50, MPI_BYTE, right, 50, MPI_COMM_WORLD, &r[0]);
	MPI_Ssend_init(out, 51, MPI_BYTE, right, 50, MPI_COMM_WORLD, &r[1]);
	MPI_Bsend_init(out, 52, MPI_BYTE, right, 50, MPI_COMM_WORLD, &r[2]);
	MPI_Send_init(out, 9, MPI_BYTE, MPI_PROC_NULL, 50, MPI_COMM_WORLD,
	    &r[3]);
	MPI_Recv_init(in, sizeof(in), MPI_BYTE, MPI_ANY_SOURCE, 50,
	    MPI_COMM_WORLD, &r[4]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(4, r);
		for (int k = 0; k < 3; k++) {
			MPI_Start(&r[4]);
			MPI_Wait(&r[4], MPI_STATUS_IGNORE);
		}
		MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
		sent("persistent", 50);
		sent("persistent", 51);
		sent("persistent", 52);
	}
	for (int i = 0; i < 5; i++)
		MPI_Request_free(&r[i]);
	MPI_Buffer_detach(&back, &size);
}

int
main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	right = (rank + 1) % ranks;
	left = (rank + ranks - 1) % ranks;
	modes();
	waits();
	tests();
	probes();
	edges();
	ended_otherwise();
	persistent();
	MPI_Finalize();
	if (argc > 1)
		truth_write(argv[1], rank);
	return 0;
}
