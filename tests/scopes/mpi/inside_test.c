/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/inside_test.c - the calls that ranks are in, and deadlocks
 *
 * Ranks seem to live unless a case changes that, so a deadlock is found by two
 * readings of the same rows.
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "collectors/space_format.h"

#include "tests/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A call that a rank is in. */
struct call {
	const char *name;
	int32_t peer, tag;
	uint32_t match;
	uint64_t requests;
};

#define NONE ES_MPI_PEER_NONE

static void
enter(struct fake_mpi *f, uint32_t rank, uint32_t thread, struct call call)
{
	struct es_mpi_thread *row = fake_mpi_thread_row(f, rank, thread);

	/* The id of a thread that exists. */
	row->tid = (uint64_t)getpid();
	atomic_store(&row->comm, ES_MPI_COMM_WORLD);
	atomic_store(&row->peer, call.peer);
	atomic_store(&row->tag, call.tag);
	atomic_store(&row->match, call.match);
	atomic_store(&row->requests, call.requests);
	atomic_store(&row->inside, 1 + es_mpi_function_find(call.name));
}

/* Adds a call to the trace: from 100 to 200; or from 300 on, still inside. */
static void
trace(struct fake_mpi *f, uint32_t rank, struct call call, bool ended)
{
	fake_mpi_call(f, rank, call.name,
	    (struct es_tuple_mpi){ .start = ended ? 100 : 300,
		.stop = ended ? 200 : 0,
		.peer = call.peer,
		.tag = call.tag,
		.match = call.match });
}

/* Time of the ends of all ranks; 0: not recorded. */
static uint64_t ends_ns;

/* Notes the ends of the ranks as their watchers do. */
static void
note_ends(struct fake_mpi *f)
{
	char name[512];
	struct es_space_head head;
	FILE *ends, *space;

	snprintf(name, sizeof(name), "%s/ends", fake_mpi_dir(f));
	ends = fopen(name, "w");
	for (uint32_t r = 0; r < 3; r++) {
		snprintf(name, sizeof(name), "%s/r%u.space", fake_mpi_dir(f),
		    r);
		space = fopen(name, "r");
		EXPECT_EQ(1, fread(&head, sizeof(head), 1, space));
		fclose(space);
		fprintf(ends, "signal 9 rank %" PRIu64 " %s %" PRIu64 "@%u\n",
		    head.start.ticks + ends_ns, head.clock_domain, head.pid, r);
	}
	fclose(ends);
}

/* Returns the deadlocks of a run, a line each, and removes the run. */
static const char *
deadlocks(struct fake_mpi *f, enum fake_run_state state)
{
	static char text[4096];
	struct memory_sink *sink;
	char *to = text;

	*to = '\0';
	for (uint32_t r = 0; r < 2; r++)
		atomic_store(&fake_mpi_control(f, r)->state, ES_MPI_RUNNING);
	fake_mpi_end(f, state);
	if (ends_ns != 0)
		note_ends(f);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 1);
	for (const char *line = memory_sink_text(sink, "diagnostic");
	     *line != '\0'; line = strchr(line, '\n') + 1)
		if (strncmp(line, "warning|deadlock|", 17) == 0)
			to += snprintf(to, sizeof(text) - (size_t)(to - text),
			    "%.*s", (int)(strchr(line, '\n') + 1 - line - 17),
			    line + 17);
	memory_sink_free(sink);
	fake_mpi_remove(f);
	return text;
}

static void
calls_that_have_not_returned_are_shown(void)
{
	struct fake_mpi *f = fake_mpi_create(3, 8);
	struct memory_sink *sink;

	enter(f, 0, 0, (struct call){ "MPI_Recv", 2, 7, 0, 0 });
	enter(f, 2, 0, (struct call){ "MPI_Barrier", NONE, NONE, 1, 0 });
	fake_mpi_end(f, FAKE_RUN_KILLED);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 1);
	EXPECT_STR_EQ("0|0|MPI_Recv|1|2|7||0||\n"
		      "2|2|MPI_Barrier|1|||1|0||\n",
	    memory_sink_text(sink, "mpi_inside"));
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

/* Ranks 0 and 1 are in a barrier that rank 2 has not entered. */
static void
ranks_wait_for_those_outside(void)
{
	struct fake_mpi *f = fake_mpi_create(3, 8);
	const struct call send = { "MPI_Send", 0, 5, 0, 0 };
	const struct call barrier = { "MPI_Barrier", NONE, NONE, 1, 1 };
	struct memory_sink *sink;

	fake_mpi_thread_row(f, 2, 0)->tid = (uint64_t)getpid();
	trace(f, 2, send, true);
	for (uint32_t r = 0; r < 2; r++) {
		enter(f, r, 0, barrier);
		trace(f, r, barrier, false);
	}
	for (uint32_t r = 0; r < 3; r++)
		atomic_store(&fake_mpi_control(f, r)->state, ES_MPI_RUNNING);
	fake_mpi_end(f, FAKE_RUN_LIVE);
	sink = memory_sink_compute(fake_mpi_dir(f), NULL, 1);
	EXPECT_STR_EQ("0|0|2\n1|1|2\n",
	    memory_sink_text(sink, "mpi_inside_for"));
	EXPECT_STR_EQ("2|2|MPI_Send|0|200|\n",
	    memory_sink_text(sink, "mpi_outside"));
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

static void
a_cycle_of_receives_is_a_deadlock(void)
{
	struct fake_mpi *f = fake_mpi_create(5, 8);

	for (uint32_t r = 0; r < 4; r++)
		enter(f, r, 0,
		    (struct call){ "MPI_Recv", (int32_t)(r + 1) % 4, 5, 0, 0 });
	enter(f, 4, 0, (struct call){ "MPI_Recv", 2, 5, 0, 0 });
	EXPECT_STR_EQ("ranks 0 -> 1 -> 2 -> 3 -> 0 wait for each other: "
		      "rank 0 in MPI_Recv, rank 1 in MPI_Recv, "
		      "rank 2 in MPI_Recv, rank 3 in MPI_Recv\n"
		      "1 more rank waits for these\n",
	    deadlocks(f, FAKE_RUN_LIVE));
}

static void
a_rank_that_waits_for_a_working_rank_is_no_deadlock(void)
{
	struct fake_mpi *f = fake_mpi_create(3, 8);

	enter(f, 0, 0, (struct call){ "MPI_Recv", 1, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 2, 5, 0, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
}

static void
a_message_in_flight_is_no_deadlock(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 8);

	enter(f, 0, 0, (struct call){ "MPI_Send", 1, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
	/* Calls with different tags do not match. */
	f = fake_mpi_create(2, 8);
	enter(f, 0, 0, (struct call){ "MPI_Ssend", 1, 6, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	EXPECT_STR_EQ("ranks 0 -> 1 -> 0 wait for each other: "
		      "rank 0 in MPI_Ssend, rank 1 in MPI_Recv\n",
	    deadlocks(f, FAKE_RUN_LIVE));
}

/* A receive may wait for an Isend of the other rank. */
static void
requests_that_are_open_may_be_the_message(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 8);

	enter(f, 0, 0, (struct call){ "MPI_Recv", 1, 5, 0, 1 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
}

static void
any_source_waits_when_all_sources_do(void)
{
	struct fake_mpi *f = fake_mpi_create(3, 8);

	enter(f, 0, 0, (struct call){ "MPI_Recv", NONE, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
	f = fake_mpi_create(3, 8);
	enter(f, 0, 0, (struct call){ "MPI_Recv", NONE, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	enter(f, 2, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	EXPECT_STR_EQ("ranks 0 -> 1 -> 0 wait for each other: "
		      "rank 0 in MPI_Recv, rank 1 in MPI_Recv\n"
		      "1 more rank waits for these\n",
	    deadlocks(f, FAKE_RUN_LIVE));
}

static void
collectives_wait_for_members_that_are_elsewhere(void)
{
	struct fake_mpi *f = fake_mpi_create(3, 8);

	enter(f, 0, 0, (struct call){ "MPI_Barrier", NONE, NONE, 3, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Barrier", NONE, NONE, 3, 0 });
	enter(f, 2, 0, (struct call){ "MPI_Recv", 1, 5, 0, 0 });
	EXPECT_STR_EQ("ranks 1 -> 2 -> 1 wait for each other: "
		      "rank 1 in MPI_Barrier, rank 2 in MPI_Recv\n"
		      "1 more rank waits for these\n",
	    deadlocks(f, FAKE_RUN_LIVE));
	/* All members have entered the barrier, so it ends. */
	f = fake_mpi_create(2, 8);
	enter(f, 0, 0, (struct call){ "MPI_Barrier", NONE, NONE, 3, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Barrier", NONE, NONE, 3, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
	/* One member has left the barrier, and is in the next one. */
	f = fake_mpi_create(2, 8);
	enter(f, 0, 0, (struct call){ "MPI_Barrier", NONE, NONE, 3, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Barrier", NONE, NONE, 4, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
}

/* The members of a communicator are in different functions under one number. */
static void
members_in_different_collectives_wait_for_each_other(void)
{
	static const char both[] =
	    "ranks 0 -> 2 -> 0 wait for each other: "
	    "rank 0 in MPI_Allreduce, rank 2 in MPI_Barrier\n"
	    "1 more rank waits for these\n";

	for (enum fake_run_state state = FAKE_RUN_LIVE;;
	     state = FAKE_RUN_KILLED) {
		struct fake_mpi *f = fake_mpi_create(3, 8);

		for (uint32_t r = 0; r < 3; r++) {
			struct call in = { r == 2 ? "MPI_Barrier" :
						    "MPI_Allreduce",
				NONE, NONE, 3, 0 };

			trace(f, r, in, false);
			enter(f, r, 0, in);
			if (state == FAKE_RUN_KILLED)
				fake_mpi_since(f, r, 0, 300);
			atomic_store(&fake_mpi_control(f, r)->state,
			    ES_MPI_RUNNING);
		}
		EXPECT_STR_EQ(both, deadlocks(f, state));
		if (state == FAKE_RUN_KILLED)
			break;
	}
}

/* A rank in Finalize waits for one in a collective, live and after the end, if
   it was in it for a while. */
static void
a_rank_that_finalizes_waits_for_the_others(void)
{
	static const char both[] = "ranks 0 -> 1 -> 0 wait for each other";
	static const struct call reduce = { "MPI_Allreduce", NONE, NONE, 3, 0 };
	static const struct call end = { "MPI_Finalize", NONE, NONE, 0, 0 };

	for (unsigned n = 0; n < 3; n++) {
		struct fake_mpi *f = fake_mpi_create(3, 8);
		const char *found;

		trace(f, 0, reduce, false);
		enter(f, 0, 0, reduce);
		trace(f, 1, end, false);
		enter(f, 1, 0, end);
		trace(f, 2, reduce, false);
		enter(f, 2, 0, reduce);
		for (uint32_t r = 0; r < 3; r++)
			fake_mpi_since(f, r, 0, 300);
		ends_ns = n == 0 ? 0 : 300 + 200000000 - (n == 1);
		found = deadlocks(f, n == 0 ? FAKE_RUN_LIVE : FAKE_RUN_KILLED);
		if (n == 1)
			EXPECT_STR_EQ("", found);
		else
			EXPECT_TRUE(strncmp(both, found, strlen(both)) == 0);
	}
	ends_ns = 0;
}

/* The row of a Sendrecv has its receive.  If the send of the other rank matches
   the receive, no rank waits. */
static void
a_sendrecv_waits_for_its_receive(void)
{
	for (int32_t tag = 5; tag < 7; tag++) {
		struct fake_mpi *f = fake_mpi_create(2, 8);

		for (uint32_t r = 0; r < 2; r++) {
			struct es_mpi_thread *row =
			    fake_mpi_thread_row(f, r, 0);

			enter(f, r, 0,
			    (struct call){ "MPI_Sendrecv", 1 - (int32_t)r, 5, 0,
				0 });
			atomic_store(&row->source, 1 - (int32_t)r);
			atomic_store(&row->source_tag, tag);
		}
		EXPECT_STR_EQ(tag == 5 ?
			"" :
			"ranks 0 -> 1 -> 0 wait for each other: "
			"rank 0 in MPI_Sendrecv, rank 1 in MPI_Sendrecv\n",
		    deadlocks(f, FAKE_RUN_LIVE));
	}
}

/* Each rank waits for the root that it calls a broadcast with, and that rank is
   in the broadcast with another root. */
static void
members_with_different_roots_wait_for_each_other(void)
{
	for (int32_t other = 0; other < 2; other++) {
		struct fake_mpi *f = fake_mpi_create(2, 8);

		for (uint32_t r = 0; r < 2; r++)
			enter(f, r, 0,
			    (struct call){ "MPI_Bcast", r == 0 ? 1 : 1 - other,
				NONE, 3, 0 });
		EXPECT_STR_EQ(other == 0 ?
			"" :
			"ranks 0 -> 1 -> 0 wait for each other: "
			"rank 0 in MPI_Bcast, rank 1 in MPI_Bcast\n",
		    deadlocks(f, FAKE_RUN_LIVE));
	}
}

/* Returns the deadlocks when rank 0 has begun two requests and waits for
   `waits` of them, and rank 1 waits for a message of rank 0. */
static const char *
waits_for_requests(const char *wait, struct call first, struct call second,
    int32_t waits, enum fake_run_state state)
{
	struct call all = { wait, NONE, waits, 0, 2 };
	struct call recv = { "MPI_Recv", 0, 9, 0, 0 };
	struct fake_mpi *f = fake_mpi_create(3, 8);

	atomic_store(&fake_mpi_control(f, 2)->state, ES_MPI_RUNNING);
	trace(f, 0, first, true);
	trace(f, 0, second, true);
	trace(f, 0, all, false);
	enter(f, 0, 0, all);
	trace(f, 1, recv, false);
	enter(f, 1, 0, recv);
	for (uint32_t r = 0; r < 2; r++)
		fake_mpi_since(f, r, 0, 300);
	return deadlocks(f, state);
}

static const struct call held = { "MPI_Irecv", 1, 5, 1, 0 };
static const struct call helped = { "MPI_Irecv", 2, 5, 2, 0 };
static const struct call kept = { "MPI_Isend", 1, 5, 2, 0 };

#define STUCK_IN(wait) \
	"ranks 0 -> 1 -> 0 wait for each other: rank 0 in " wait \
	", rank 1 in MPI_Recv\n"

/* Rank 2 is outside of MPI, so it may still send. */
static void
all_requests_of_a_waitall_must_end(void)
{
	EXPECT_STR_EQ(STUCK_IN("MPI_Waitall"),
	    waits_for_requests("MPI_Waitall", held, helped, 2, FAKE_RUN_LIVE));
	EXPECT_STR_EQ(STUCK_IN("MPI_Waitall"),
	    waits_for_requests("MPI_Waitall", held, helped, 2,
		FAKE_RUN_KILLED));
	/* It is not known which of the two requests the rank waits for. */
	EXPECT_STR_EQ("",
	    waits_for_requests("MPI_Waitall", held, helped, 1, FAKE_RUN_LIVE));
	EXPECT_STR_EQ("",
	    waits_for_requests("MPI_Waitall", held, helped, 3, FAKE_RUN_LIVE));
	EXPECT_STR_EQ("",
	    waits_for_requests("MPI_Waitany", held, helped, NONE,
		FAKE_RUN_LIVE));
}

/* A send may have ended without its receive.  A call in a live run waits for
   sends if no receive of the call may end. */
static void
sends_that_mpi_may_copy_are_no_wait(void)
{
	static const struct call too = { "MPI_Isend", 1, 6, 3, 0 };

	EXPECT_STR_EQ("",
	    waits_for_requests("MPI_Waitall", helped, kept, 2, FAKE_RUN_LIVE));
	EXPECT_STR_EQ(STUCK_IN("MPI_Waitall"),
	    waits_for_requests("MPI_Waitall", too, kept, 2, FAKE_RUN_LIVE));
	EXPECT_STR_EQ("",
	    waits_for_requests("MPI_Waitall", too, kept, 2, FAKE_RUN_KILLED));
	EXPECT_STR_EQ(STUCK_IN("MPI_Waitall"),
	    waits_for_requests("MPI_Waitall", held, kept, 2, FAKE_RUN_KILLED));
	EXPECT_STR_EQ(STUCK_IN("MPI_Waitany"),
	    waits_for_requests("MPI_Waitany", held, kept, NONE, FAKE_RUN_LIVE));
}

/* After the end, a call waits for sends only if it lasted until a known end. */
static void
a_call_that_lasted_until_the_end_waits_for_sends(void)
{
	static const struct call too = { "MPI_Isend", 1, 6, 3, 0 };

	ends_ns = 300 + 199999999;
	EXPECT_STR_EQ("",
	    waits_for_requests("MPI_Waitall", too, kept, 2, FAKE_RUN_KILLED));
	ends_ns = 300 + 200000000;
	EXPECT_STR_EQ("ranks 0 -> 1 -> 0 wait for each other for 200 ms: "
		      "rank 0 in MPI_Waitall, rank 1 in MPI_Recv\n",
	    waits_for_requests("MPI_Waitall", too, kept, 2, FAKE_RUN_KILLED));
	ends_ns = 0;
}

/* A call that completes an Ibarrier waits for members that have not begun
   it. */
static void
a_wait_is_for_members_that_have_not_begun(void)
{
	for (int32_t begun = 0; begun < 2; begun++) {
		struct fake_mpi *f = fake_mpi_create(2, 8);
		struct call barrier = { "MPI_Ibarrier", NONE, 1, 4, 0 };
		struct call wait = { "MPI_Wait", NONE, 1, 4, 1 };
		struct call recv = { "MPI_Recv", 0, 9, 0, 0 };

		trace(f, 0, barrier, true);
		trace(f, 0, wait, false);
		enter(f, 0, 0, wait);
		barrier.match = 8;
		if (begun == 1)
			trace(f, 1, barrier, true);
		trace(f, 1, recv, false);
		enter(f, 1, 0, recv);
		for (uint32_t r = 0; r < 2; r++)
			fake_mpi_since(f, r, 0, 300);
		EXPECT_STR_EQ(begun == 1 ? "" : STUCK_IN("MPI_Wait"),
		    deadlocks(f, FAKE_RUN_KILLED));
	}
}

/* The counts of a rank show that it has entered a collective. */
static void
a_rank_that_counted_a_collective_has_come(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 8);
	struct es_mpi_collective row = { .comm = ES_MPI_COMM_WORLD,
		.function = (uint16_t)es_mpi_function_find("MPI_Bcast"),
		.calls = 3 };

	fake_mpi_collective(f, 0, 0, &row);
	enter(f, 0, 0, (struct call){ "MPI_Recv", 1, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Bcast", 0, NONE, 3, 0 });
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_LIVE));
	f = fake_mpi_create(2, 8);
	row.calls = 2;
	fake_mpi_collective(f, 0, 0, &row);
	enter(f, 0, 0, (struct call){ "MPI_Recv", 1, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Bcast", 0, NONE, 3, 0 });
	EXPECT_STR_EQ("ranks 0 -> 1 -> 0 wait for each other: "
		      "rank 0 in MPI_Recv, rank 1 in MPI_Bcast\n",
	    deadlocks(f, FAKE_RUN_LIVE));
}

/* A message that was sent ends a probe, without a receive. */
static void
a_probe_that_finds_its_message_goes_on(void)
{
	for (int32_t tag = 5; tag < 7; tag++) {
		struct fake_mpi *f = fake_mpi_create(2, 8);
		struct call probe = { "MPI_Probe", 0, tag, 0, 0 };
		struct call recv = { "MPI_Recv", 1, 9, 0, 0 };

		trace(f, 0, (struct call){ "MPI_Send", 1, 5, 0, 0 }, true);
		trace(f, 0, recv, false);
		enter(f, 0, 0, recv);
		trace(f, 1, probe, false);
		enter(f, 1, 0, probe);
		for (uint32_t r = 0; r < 2; r++)
			fake_mpi_since(f, r, 0, 300);
		EXPECT_STR_EQ(tag == 5 ?
			"" :
			"ranks 0 -> 1 -> 0 wait for each other: "
			"rank 0 in MPI_Recv, rank 1 in MPI_Probe\n",
		    deadlocks(f, FAKE_RUN_KILLED));
	}
}

enum helper { WORKS, ENDED, RECEIVES };

static const char *
with_a_helper(enum helper helper)
{
	struct fake_mpi *f = fake_mpi_create(2, 8);
	uint32_t other = fake_mpi_thread(f, 0);

	enter(f, 0, 0, (struct call){ "MPI_Recv", 1, 5, 0, 0 });
	enter(f, 1, 0, (struct call){ "MPI_Recv", 0, 5, 0, 0 });
	if (helper == WORKS)
		fake_mpi_thread_row(f, 0, other)->tid = (uint64_t)getpid();
	if (helper == RECEIVES)
		enter(f, 0, other, (struct call){ "MPI_Recv", 1, 6, 0, 0 });
	return deadlocks(f, FAKE_RUN_LIVE);
}

static void
a_thread_that_works_can_help_its_rank(void)
{
	static const char both[] = "ranks 0 -> 1 -> 0 wait for each other: "
				   "rank 0 in MPI_Recv, rank 1 in MPI_Recv\n";

	EXPECT_STR_EQ("", with_a_helper(WORKS));
	EXPECT_STR_EQ(both, with_a_helper(ENDED));
	EXPECT_STR_EQ(both, with_a_helper(RECEIVES));
}

/* Two ranks that receive from each other were killed.  A message may have been
   in flight, unless the trace proves that none was sent. */
static void
killed_ranks_have_only_certain_deadlocks(void)
{
	static const struct call from[] = { { "MPI_Recv", 1, 5, 0, 0 },
		{ "MPI_Recv", 0, 5, 0, 0 } };
	struct fake_mpi *f = fake_mpi_create(2, 8);

	for (uint32_t r = 0; r < 2; r++)
		enter(f, r, 0, from[r]);
	EXPECT_STR_EQ("", deadlocks(f, FAKE_RUN_KILLED));
	for (int sent = 0; sent < 2; sent++) {
		f = fake_mpi_create(2, 8);
		for (uint32_t r = 0; r < 2; r++) {
			if (sent == 1 && r == 0)
				trace(f, 0,
				    (struct call){ "MPI_Send", 1, 5, 0, 0 },
				    true);
			trace(f, r, from[r], false);
			enter(f, r, 0, from[r]);
			fake_mpi_since(f, r, 0, 300);
		}
		EXPECT_STR_EQ(sent == 1 ?
			"" :
			"ranks 0 -> 1 -> 0 wait for each other: "
			"rank 0 in MPI_Recv, rank 1 in MPI_Recv\n",
		    deadlocks(f, FAKE_RUN_KILLED));
	}
}

/* An open receive from any source may have matched the only message, but not
   when another receive has. */
static void
a_message_that_was_received_is_no_more_in_flight(void)
{
	static const struct call from[] = { { "MPI_Recv", 1, 5, 0, 0 },
		{ "MPI_Recv", 0, 5, 0, 0 } };
	struct fake_mpi *f = fake_mpi_create(2, 8);

	trace(f, 0, (struct call){ "MPI_Send", 1, 5, 0, 0 }, true);
	trace(f, 1, (struct call){ "MPI_Recv", 0, 5, 0, 0 }, true);
	trace(f, 1, (struct call){ "MPI_Irecv", NONE, 7, 9, 0 }, true);
	for (uint32_t r = 0; r < 2; r++) {
		trace(f, r, from[r], false);
		enter(f, r, 0, from[r]);
		fake_mpi_since(f, r, 0, 300);
	}
	EXPECT_STR_EQ("ranks 0 -> 1 -> 0 wait for each other: "
		      "rank 0 in MPI_Recv, rank 1 in MPI_Recv\n",
	    deadlocks(f, FAKE_RUN_KILLED));
}

TEST_MAIN(calls_that_have_not_returned_are_shown, ranks_wait_for_those_outside,
    a_cycle_of_receives_is_a_deadlock,
    a_rank_that_waits_for_a_working_rank_is_no_deadlock,
    a_message_in_flight_is_no_deadlock,
    requests_that_are_open_may_be_the_message,
    any_source_waits_when_all_sources_do,
    collectives_wait_for_members_that_are_elsewhere,
    members_in_different_collectives_wait_for_each_other,
    members_with_different_roots_wait_for_each_other,
    a_rank_that_finalizes_waits_for_the_others,
    a_sendrecv_waits_for_its_receive, all_requests_of_a_waitall_must_end,
    sends_that_mpi_may_copy_are_no_wait,
    a_call_that_lasted_until_the_end_waits_for_sends,
    a_wait_is_for_members_that_have_not_begun,
    a_rank_that_counted_a_collective_has_come,
    a_probe_that_finds_its_message_goes_on,
    a_thread_that_works_can_help_its_rank,
    killed_ranks_have_only_certain_deadlocks,
    a_message_that_was_received_is_no_more_in_flight)
