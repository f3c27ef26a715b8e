/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/clock/message_test.c - proves scopes/clock/message.c
 *
 * Rank 0 is on host a; ranks 1 and 2 are on host b, whose clock is 5 ms ahead.
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#define ROUNDS 12u
#define EVERY_NS 100000u
#define AHEAD_NS 5000000

static struct fake_mpi *
created(uint32_t ranks)
{
	struct fake_mpi *f = fake_mpi_create(ranks, 256);

	fake_mpi_clock(f, 0, "a", 0);
	for (uint32_t r = 1; r < ranks; r++)
		fake_mpi_clock(f, r, "b", AHEAD_NS);
	return f;
}

/* Returns the number of messages from one host to the other that the check of
   method network has, all of them correct; 0: it has none. */
static int64_t
messages(struct memory_sink *sink, int64_t from)
{
	for (uint64_t n = 0; n < memory_sink_rows(sink, "clock_check"); n++) {
		if (memory_sink_int(sink, "clock_check", n, "pair_from") !=
		    from)
			continue;
		EXPECT_EQ(memory_sink_int(sink, "clock_check", n, "operations"),
		    memory_sink_int(sink, "clock_check", n, "correct"));
		return memory_sink_int(sink, "clock_check", n, "operations");
	}
	return 0;
}

/* Ends a run, and checks how many messages there are in both directions. */
static void
has(struct fake_mpi *f, int64_t from_a, int64_t from_b)
{
	struct memory_sink *sink;

	fake_mpi_end(f, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_mpi_dir(f), NULL, "network");
	EXPECT_EQ(from_a, messages(sink, 0));
	EXPECT_EQ(from_b, messages(sink, 1));
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

static void
sends_and_receives_align_clocks(void)
{
	struct fake_mpi *f = created(2);
	struct memory_sink *sink;

	for (uint64_t n = 0; n < ROUNDS; n++) {
		uint64_t at = n * EVERY_NS;

		/* The second receive of each is late. */
		FAKE_MPI_CALL(f, 0, "Send", at, at + 10, .peer = 1);
		FAKE_MPI_CALL(f, 1, "Recv", at, at + 600 + n % 2 * 9000,
		    .peer = 0);
		FAKE_MPI_CALL(f, 1, "Send", at + 20000, at + 20010, .peer = 0);
		FAKE_MPI_CALL(f, 0, "Recv", at + 20000,
		    at + 20600 + n % 2 * 9000, .peer = 1);
	}
	fake_mpi_end(f, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_mpi_dir(f), NULL, "network");
	EXPECT_EQ(ROUNDS, messages(sink, 0));
	EXPECT_EQ(ROUNDS, messages(sink, 1));
	EXPECT_EQ(600, memory_sink_int(sink, "clock", 2, "bound_ns"));
	EXPECT_EQ(AHEAD_NS,
	    llabs(memory_sink_int(sink, "clock", 2, "offset_ns") +
		memory_sink_int(sink, "clock", 0, "offset_ns")));
	EXPECT_EQ(0, memory_sink_sum(sink, "wait_check", "early_messages"));
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

/* Records sends of both ranks.  Nine of ten receives of rank 1 are late, by up
   to 4 ms; the messages of the tenth, and those to rank 0, take some 60 us. */
static struct fake_mpi *
late_receives(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 1024);
	uint32_t draw = 1;

	fake_mpi_clock(f, 0, "a", 0);
	fake_mpi_clock(f, 1, "b", AHEAD_NS);
	for (uint64_t n = 0; n < 400; n++) {
		uint64_t at = n * 10 * UINT64_C(1000000), begin, end;

		draw = draw * 1664525u + 1013904223u;
		begin = n % 10 == 0 ? at : at + 100000 + (draw >> 10);
		end = (n % 10 == 0 ? at + 60000 : begin) + draw % 3000;
		FAKE_MPI_CALL(f, 0, "Send", at, at + 10, .peer = 1);
		FAKE_MPI_CALL(f, 1, "Recv", begin, end, .peer = 0);
		FAKE_MPI_CALL(f, 1, "Send", end, end + 10, .peer = 0);
		FAKE_MPI_CALL(f, 0, "Recv", end, end + 60000 + draw % 3000,
		    .peer = 1);
	}
	fake_mpi_end(f, FAKE_RUN_ENDED);
	return f;
}

/* A message that waited for its receive bounds one side only. */
static void
late_receives_move_no_clock(void)
{
	struct fake_mpi *f = late_receives();
	struct memory_sink *sink =
	    memory_sink_align(fake_mpi_dir(f), "clock", "network");

	EXPECT_TRUE(memory_sink_rows(sink, "clock") > 5);
	for (uint64_t n = 1; n < memory_sink_rows(sink, "clock"); n++)
		EXPECT_NEAR((double)AHEAD_NS,
		    (double)memory_sink_int(sink, "clock", n, "offset_ns"),
		    600);
	memory_sink_free(sink);
	/* The mean takes them for travels. */
	sink = memory_sink_align(fake_mpi_dir(f), "clock", "average");
	EXPECT_TRUE(
	    memory_sink_int(sink, "clock", 1, "offset_ns") - AHEAD_NS > 500000);
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

/* A synchronous send ends after its receive began; other sends may not. */
static void
a_synchronous_send_is_answered(void)
{
	struct fake_mpi *sync = created(2), *plain = created(2);

	for (uint64_t n = 0; n < ROUNDS; n++) {
		uint64_t at = n * EVERY_NS;

		FAKE_MPI_CALL(sync, 0, "Ssend", at, at + 900, .peer = 1);
		FAKE_MPI_CALL(sync, 1, "Recv", at + 300, at + 600, .peer = 0);
		FAKE_MPI_CALL(plain, 0, "Send", at, at + 900, .peer = 1);
		FAKE_MPI_CALL(plain, 1, "Recv", at + 300, at + 600, .peer = 0);
	}
	has(sync, ROUNDS, ROUNDS);
	has(plain, ROUNDS, 0);
}

/* Records collectives of three ranks, rank 0 the root. */
static struct fake_mpi *
collectives(const char *function, uint64_t bytes)
{
	struct fake_mpi *f = created(3);

	for (uint32_t n = 0; n < ROUNDS; n++)
		for (uint32_t r = 0; r < 3; r++) {
			uint64_t at = n * EVERY_NS + r * 100;

			fake_mpi_call(f, r, function,
			    (struct es_tuple_mpi){ .start = at,
				.stop = at + 1000,
				.bytes = bytes,
				.match = n + 1 });
		}
	return f;
}

/* Each collective has one message for a pair of clocks. */
static void
collectives_have_their_directions(void)
{
	has(collectives("MPI_Barrier", 0), ROUNDS, ROUNDS);
	has(collectives("MPI_Allreduce", 8), ROUNDS, ROUNDS);
	has(collectives("MPI_Alltoall", 8), ROUNDS, ROUNDS);
	has(collectives("MPI_Bcast", 8), ROUNDS, 0);
	has(collectives("MPI_Scatter", 8), ROUNDS, 0);
	has(collectives("MPI_Reduce", 8), 0, ROUNDS);
	has(collectives("MPI_Gather", 8), 0, ROUNDS);
}

/* Members may pass no bytes to each other, so they may not wait. */
static void
collectives_that_need_not_wait_are_left_out(void)
{
	has(collectives("MPI_Allreduce", 0), 0, 0);
	has(collectives("MPI_Alltoallv", 8), 0, 0);
	has(collectives("MPI_Allgatherv", 8), 0, 0);
	has(collectives("MPI_Scan", 8), 0, 0);
	has(collectives("MPI_Bcast", 0), 0, 0);
}

/* The last member on a clock to enter, and the first one to leave, count. */
static void
the_narrowest_bound_of_a_collective_counts(void)
{
	struct fake_mpi *f = created(3);
	struct memory_sink *sink;

	for (uint32_t n = 0; n < ROUNDS; n++) {
		uint64_t at = n * EVERY_NS;

		FAKE_MPI_CALL(f, 0, "Barrier", at + 500, at + 1300,
		    .match = n + 1);
		FAKE_MPI_CALL(f, 1, "Barrier", at, at + 1400, .match = n + 1);
		FAKE_MPI_CALL(f, 2, "Barrier", at + 500, at + 1300,
		    .match = n + 1);
	}
	fake_mpi_end(f, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_mpi_dir(f), NULL, "minimum");
	EXPECT_EQ(800, memory_sink_int(sink, "clock", 1, "bound_ns"));
	EXPECT_EQ(AHEAD_NS, memory_sink_int(sink, "clock", 1, "offset_ns"));
	memory_sink_free(sink);
	fake_mpi_remove(f);
}

TEST_MAIN(sends_and_receives_align_clocks, late_receives_move_no_clock,
    a_synchronous_send_is_answered, collectives_have_their_directions,
    collectives_that_need_not_wait_are_left_out,
    the_narrowest_bound_of_a_collective_counts)
