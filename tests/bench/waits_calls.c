/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/waits_calls.c - collectives and messages in which a known member
 * is late: those that tests/mpi/waiting.c does not have
 *
 *	waits_calls PREFIX [CASE MEMBER|each]
 *
 * Every rank writes lines as waiting_private.h has them to PREFIX.RANK.
 */

#include "tests/mpi/waiting_private.h"

static struct group world, sub;

CASE(Bcast, Ibcast, got, 1, MPI_INT, root, comm)
CASE(Scatter, Iscatter, sent, 1, MPI_INT, got, 1, MPI_INT, root, comm)
CASE(Reduce, Ireduce, sent, got, 1, MPI_INT, MPI_SUM, root, comm)
CASE(Gather, Igather, sent, 1, MPI_INT, got, 1, MPI_INT, root, comm)
CASE(Barrier, Ibarrier, comm)
CASE(Allreduce, Iallreduce, sent, got, 1, MPI_INT, MPI_SUM, comm)
CASE(Allgather, Iallgather, sent, 1, MPI_INT, got, 1, MPI_INT, comm)
CASE(Alltoall, Ialltoall, sent, 1, MPI_INT, got, 1, MPI_INT, comm)
CASE(Reduce_scatter_block, Ireduce_scatter_block, sent, got, 1, MPI_INT,
    MPI_SUM, comm)

/* Member 2n receives from member 2n + 1. */
static void
call_named(MPI_Comm comm, enum form form, MPI_Request *requests)
{
	if (member % 2 == 1)
		send(comm, form, requests, member - 1);
	else
		receive(comm, form, requests, member + 1);
}

/* As call_named, with sends that wait for the receiver. */
static void
call_synchronous(MPI_Comm comm, enum form form, MPI_Request *request)
{
	if (member % 2 == 0)
		receive(comm, form, request, MPI_ANY_SOURCE);
	else if (form == BLOCKING)
		MPI_Ssend(sent, 1, MPI_INT, member - 1, 3, comm);
	else if (form == NONBLOCKING)
		MPI_Issend(sent, 1, MPI_INT, member - 1, 3, comm, request);
	else
		MPI_Ssend_init(sent, 1, MPI_INT, member - 1, 3, comm, request);
}

static void
call_replace(MPI_Comm comm, enum form form, MPI_Request *request)
{
	int other = member ^ 1;

#if MPI_VERSION >= 4
	if (form == NONBLOCKING) {
		MPI_Isendrecv_replace(got, 1, MPI_INT, other, 3, other, 3, comm,
		    request);
		return;
	}
#endif
	MPI_Sendrecv_replace(got, 1, MPI_INT, other, 3, other, 3, comm,
	    MPI_STATUS_IGNORE);
}

static const struct pair pair_synchronous = {
	{ { "MPI_Recv", "MPI_Irecv", "MPI_Start" },
	    { "MPI_Ssend", "MPI_Issend", "MPI_Start" } },
	"MPI_Wait"
};
static const struct pair pair_waitany = { { { NULL, "MPI_Irecv", "MPI_Start" },
					      { NULL, "MPI_Isend",
						  "MPI_Start" } },
	"MPI_Waitany" };
static const struct pair pair_waitsome = { { { NULL, "MPI_Irecv", "MPI_Start" },
					       { NULL, "MPI_Isend",
						   "MPI_Start" } },
	"MPI_Waitsome" };
#if MPI_VERSION >= 4
#define IREPLACE "MPI_Isendrecv_replace"
#else
#define IREPLACE NULL
#endif
static const struct pair pair_replace = {
	{ { "MPI_Sendrecv_replace", IREPLACE, NULL },
	    { "MPI_Sendrecv_replace", IREPLACE, NULL } },
	"MPI_Wait"
};

static void
collectives_of(struct group *g, const char *what)
{
	dense(g);
	root = 1;
	RUN(Bcast, Ibcast, what, g, ROOT);
	RUN(Scatter, Iscatter, what, g, ROOT);
	RUN(Reduce, Ireduce, what, g, OTHERS);
	RUN(Gather, Igather, what, g, OTHERS);
	RUN(Barrier, Ibarrier, what, g, SOURCES);
	RUN(Allreduce, Iallreduce, what, g, SOURCES);
	RUN(Allgather, Iallgather, what, g, SOURCES);
	RUN(Alltoall, Ialltoall, what, g, SOURCES);
	RUN(Reduce_scatter_block, Ireduce_scatter_block, what, g, SOURCES);
}

static void
messages_of(struct group *g, const char *what)
{
	RUN_PAIR(named, what, g, SENDER, pair_wait);
	RUN_PAIR(any, what, g, SENDER, pair_wait);
	RUN_PAIR(synchronous, what, g, PARTNER, pair_synchronous);
	RUN_PAIR(exchange, what, g, PARTNER, pair_exchange);
	RUN_PAIR(replace, what, g, PARTNER, pair_replace);
	RUN_PAIR(gather, what, g, SENDERS, pair_waitall);
	RUN_PAIR(any, g == &world ? "-waitany" : "-sub-waitany", g, SENDER,
	    pair_waitany);
	RUN_PAIR(any, g == &world ? "-waitsome" : "-sub-waitsome", g, SENDER,
	    pair_waitsome);
}

int
main(int argc, char **argv)
{
	int members[3] = { 3, 1, 0 };

	begin(&argc, &argv, 2);
	group_set(&world, MPI_COMM_WORLD);
	group_make(&sub, members, 3);
	messages_of(&world, "");
	messages_of(&sub, "-sub");
	collectives_of(&world, "");
	collectives_of(&sub, "-sub");
	fclose(out);
	MPI_Finalize();
	return 0;
}
