/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_test.c - wait states of made traces are exact to the
 * ns
 */

#include "tests/scopes/mpi/waits_text.h"

#include "tests/test.h"

static void
a_receiver_waits_for_a_late_sender(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 1, "Recv", 100, 600, .peer = 0, .site = 7);
	FAKE_CALL(f, 0, "Send", 450, 500, .peer = 1);
	/* This sender is not late. */
	FAKE_CALL(f, 0, "Send", 700, 710, .peer = 1);
	FAKE_CALL(f, 1, "Recv", 720, 730, .peer = 0, .site = 7);
	/* The wait is no longer than the call, for any clocks. */
	FAKE_CALL(f, 1, "Recv", 800, 900, .peer = 0, .site = 8);
	FAKE_CALL(f, 0, "Isend", 1000, 1001, .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Wait", 1002, 1003, .peer = 1, .match = 1);
	EXPECT_WAITS("1 @7 Late Sender 1 350\n"
		     "1 @8 Late Sender 1 100\n"
		     "1 for 0 Late Sender 2 450\n",
	    f);
	fake_trace_free(f);
}

static void
clocks_that_disagree_are_counted(void)
{
	struct fake_trace *f = fake_trace_create(2);
	struct computed c;

	FAKE_CALL(f, 1, "Recv", 800, 900, .peer = 0);
	FAKE_CALL(f, 0, "Send", 1000, 1001, .peer = 1);
	FAKE_CALL(f, 0, "Barrier", 1100, 1200, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Barrier", 1000, 1099, .peer = -1, .match = 1);
	c = compute(f);
	EXPECT_EQ(0, c.waits.ranks[0].message_violations);
	EXPECT_EQ(1, c.waits.ranks[1].message_violations);
	EXPECT_EQ(0, c.waits.ranks[0].collective_violations);
	EXPECT_EQ(1, c.waits.ranks[1].collective_violations);
	forget(&c);
	/* Clocks that agree give no violation. */
	fake_trace_skew(f, 1, 150);
	c = compute(f);
	EXPECT_EQ(0, c.waits.ranks[1].message_violations);
	EXPECT_EQ(0, c.waits.ranks[1].collective_violations);
	forget(&c);
	fake_trace_free(f);
}

/* Receives of one call have no order, so that none is of wrong order. */
static void
the_latest_of_several_messages_counts(void)
{
	struct fake_trace *f = fake_trace_create(3);

	for (uint32_t r = 1; r < 3; r++)
		FAKE_CALL(f, 0, "Irecv", 10 + 2 * r, 11 + 2 * r,
		    .peer = (int32_t)r, .match = r);
	FAKE_CALL(f, 0, "Waitall", 100, 900, .peer = -1);
	FAKE_COMPLETED(f, 0, .peer = 1, .match = 1);
	FAKE_COMPLETED(f, 0, .peer = 2, .match = 2);
	FAKE_CALL(f, 1, "Send", 400, 410, .peer = 0);
	FAKE_CALL(f, 2, "Send", 300, 310, .peer = 0);
	EXPECT_WAITS("0 @0 Late Sender 1 300\n"
		     "0 for 1 Late Sender 1 300\n",
	    f);
	fake_trace_free(f);
}

static void
a_test_does_not_wait(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Irecv", 10, 11, .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Test", 100, 900, .peer = 1, .match = 1);
	FAKE_CALL(f, 1, "Send", 400, 410, .peer = 0);
	FAKE_CALL(f, 1, "Isend", 420, 430, .peer = 0, .match = 1);
	FAKE_CALL(f, 1, "Test", 920, 990, .peer = 0, .match = 1);
	FAKE_CALL(f, 0, "Recv", 950, 990, .peer = 1);
	EXPECT_WAITS("", f);
	fake_trace_free(f);
}

static void
a_sender_waits_for_a_late_receiver(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send", 100, 600, .peer = 1, .site = 7);
	FAKE_CALL(f, 1, "Recv", 450, 610, .peer = 0);
	/* The send ended before the receive began. */
	FAKE_CALL(f, 0, "Send", 700, 710, .peer = 1, .site = 7);
	FAKE_CALL(f, 1, "Recv", 720, 730, .peer = 0);
	/* The posting of the receive counts, and the call that waited. */
	FAKE_CALL(f, 0, "Isend", 800, 801, .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Wait", 810, 990, .peer = 1, .match = 1, .site = 8);
	FAKE_CALL(f, 1, "Irecv", 850, 851, .peer = 0, .match = 1);
	FAKE_CALL(f, 1, "Wait", 852, 995, .peer = 0, .match = 1);
	EXPECT_WAITS("0 @7 Late Receiver 1 350\n"
		     "0 @8 Late Receiver 1 40\n"
		     "0 for 1 Late Receiver 2 390\n",
	    f);
	fake_trace_free(f);
}

/* Both wait until the other rank, which has posted its half, calls MPI. */
static void
a_message_waits_for_the_progress_of_a_peer(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 1, "Irecv", 10000, 11000, .peer = 0, .match = 1);
	FAKE_CALL(f, 0, "Send", 100000, 505000, .peer = 1, .site = 7);
	FAKE_CALL(f, 1, "Wait", 500000, 520000, .peer = 0, .match = 1);
	/* Behind a Late Sender; the first of three short calls counts. */
	FAKE_CALL(f, 0, "Recv", 600000, 903500, .peer = 1, .site = 8);
	FAKE_CALL(f, 1, "Isend", 650000, 652000, .peer = 0, .match = 2);
	FAKE_CALL(f, 1, "Test", 901000, 901400, .peer = 0, .match = 2);
	FAKE_CALL(f, 1, "Comm_rank", 902000, 902001, .peer = -1);
	FAKE_CALL(f, 1, "Comm_rank", 903000, 903001, .peer = -1);
	EXPECT_WAITS("0 @7 Wait for Peer Progress 1 400000\n"
		     "0 @8 Late Sender 1 50000\n"
		     "0 @8 Wait for Peer Progress 1 251000\n"
		     "0 for 1 Late Sender 1 50000\n"
		     "0 for 1 Wait for Peer Progress 2 651000\n",
	    f);
	fake_trace_free(f);
}

/* A persistent send ends when its peer makes a call, long before it posts the
   receive.  Another send ends by itself. */
static void
a_persistent_send_waits_for_any_call_of_its_peer(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 1, "Comm_rank", 50000, 51000, .peer = -1);
	FAKE_CALL(f, 0, "Send_init", 1000, 2000, .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Start", 100000, 101000, .peer = -1);
	FAKE_STARTED(f, 0, "Send_init", .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Wait", 102000, 505000, .peer = 1, .match = 1,
	    .site = 7);
	FAKE_CALL(f, 0, "Isend", 600000, 601000, .peer = 1, .match = 2);
	FAKE_CALL(f, 0, "Wait", 602000, 1005000, .peer = 1, .match = 2,
	    .site = 8);
	FAKE_CALL(f, 1, "Comm_rank", 500000, 501000, .peer = -1);
	FAKE_CALL(f, 1, "Comm_rank", 1000000, 1001000, .peer = -1);
	FAKE_CALL(f, 1, "Recv", 1500000, 1510000, .peer = 0);
	FAKE_CALL(f, 1, "Recv", 1600000, 1610000, .peer = 0);
	EXPECT_WAITS("0 @7 Wait for Peer Progress 1 398000\n"
		     "0 for 1 Wait for Peer Progress 1 398000\n",
	    f);
	fake_trace_free(f);
}

/* Behind the Late Sender, the end of the first call tells that its send waited,
   and that of the second one does not. */
static void
a_call_may_wait_for_a_sender_and_a_receiver(void)
{
	struct fake_trace *f = fake_trace_create(3);

	FAKE_CALL(f, 0, "Sendrecv", 100000, 905000, .peer = 1, .site = 7);
	FAKE_COMPLETED(f, 0, .peer = 2);
	FAKE_CALL(f, 2, "Send", 150000, 151000, .peer = 0);
	FAKE_CALL(f, 1, "Recv", 900000, 905000, .peer = 0);
	FAKE_CALL(f, 0, "Sendrecv", 1100000, 1905000, .peer = 1, .site = 8);
	FAKE_COMPLETED(f, 0, .peer = 2);
	FAKE_CALL(f, 2, "Send", 1150000, 1151000, .peer = 0);
	FAKE_CALL(f, 1, "Recv", 1700000, 1710000, .peer = 0);
	EXPECT_WAITS("0 @7 Late Sender 1 50000\n"
		     "0 @7 Late Receiver 1 750000\n"
		     "0 @8 Late Sender 1 50000\n"
		     "0 for 1 Late Receiver 1 750000\n"
		     "0 for 2 Late Sender 2 100000\n",
	    f);
	fake_trace_free(f);
}

static void
a_call_that_goes_on_waits_for_no_progress(void)
{
	struct fake_trace *f = fake_trace_create(3);

	FAKE_CALL(f, 1, "Irecv", 10000, 11000, .peer = 0, .match = 1);
	FAKE_CALL(f, 0, "Send", 100000, 700000, .peer = 1);
	FAKE_CALL(f, 1, "Wait", 500000, 720000, .peer = 0, .match = 1);
	/* The receiver is in MPI, or leaves it for less than 10 us. */
	FAKE_CALL(f, 1, "Irecv", 730000, 731000, .peer = 0, .match = 2);
	FAKE_CALL(f, 1, "Recv", 732000, 980000, .peer = 2);
	FAKE_CALL(f, 0, "Send", 800000, 990000, .peer = 1);
	FAKE_CALL(f, 1, "Wait", 989000, 991000, .peer = 0, .match = 2);
	FAKE_CALL(f, 2, "Send", 700000, 985000, .peer = 1);
	/* The receive is posted after the send. */
	FAKE_CALL(f, 0, "Send", 1100000, 1200000, .peer = 1);
	FAKE_CALL(f, 1, "Comm_rank", 1198000, 1198001, .peer = -1);
	FAKE_CALL(f, 1, "Recv", 1300000, 1300010, .peer = 0);
	EXPECT_WAITS("2 @0 Late Receiver 1 32000\n"
		     "2 for 1 Late Receiver 1 32000\n",
	    f);
	fake_trace_free(f);
}

/* In a call with both, only the Late Sender counts. */
static void
a_late_sender_hides_a_late_receiver(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Irecv", 1, 2, .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Isend", 3, 4, .peer = 1, .match = 2);
	FAKE_CALL(f, 0, "Waitall", 100, 600, .peer = -1);
	FAKE_COMPLETED(f, 0, .peer = 1, .match = 1);
	FAKE_COMPLETED(f, 0, .peer = 1, .match = 2);
	FAKE_CALL(f, 1, "Send", 150, 160, .peer = 0);
	FAKE_CALL(f, 1, "Recv", 500, 610, .peer = 0);
	EXPECT_WAITS("0 @0 Late Sender 1 50\n"
		     "0 for 1 Late Sender 1 50\n",
	    f);
	fake_trace_free(f);
}

static void
a_sendrecv_waits_for_its_message(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Sendrecv", 100, 400, .peer = 1);
	FAKE_COMPLETED(f, 0, .peer = 1);
	FAKE_CALL(f, 1, "Sendrecv", 300, 410, .peer = 0);
	FAKE_COMPLETED(f, 1, .peer = 0);
	EXPECT_WAITS("0 @0 Late Sender 1 200\n"
		     "0 for 1 Late Sender 1 200\n",
	    f);
	fake_trace_free(f);
}

static void
a_message_sent_earlier_makes_the_order_wrong(void)
{
	struct fake_trace *f = fake_trace_create(3);

	FAKE_CALL(f, 0, "Send", 10, 20, .peer = 2, .tag = 1);
	FAKE_CALL(f, 0, "Send", 300, 310, .peer = 2, .tag = 2);
	FAKE_CALL(f, 2, "Recv", 100, 400, .peer = 0, .tag = 2);
	FAKE_CALL(f, 2, "Recv", 410, 420, .peer = 0, .tag = 1);
	/* A message of another source was sent earlier. */
	FAKE_CALL(f, 1, "Send", 450, 460, .peer = 2);
	FAKE_CALL(f, 0, "Send", 600, 610, .peer = 2);
	FAKE_CALL(f, 2, "Recv", 500, 620, .peer = 0);
	FAKE_CALL(f, 2, "Recv", 630, 640, .peer = 1);
	/* No other message was sent earlier. */
	FAKE_CALL(f, 0, "Send", 900, 910, .peer = 2);
	FAKE_CALL(f, 2, "Recv", 800, 920, .peer = 0);
	EXPECT_WAITS("2 @0 Late Sender 1 100\n"
		     "2 @0 Late Sender, Wrong Order, Same Source 1 200\n"
		     "2 @0 Late Sender, Wrong Order, Different Source 1 100\n"
		     "2 for 0 Late Sender 1 100\n"
		     "2 for 0 Late Sender, Wrong Order, Same Source 1 200\n"
		     "2 for 0 Late Sender, Wrong Order, Different Source 1 "
		     "100\n",
	    f);
	fake_trace_free(f);
}

/* Adds Late Senders, then the receive of a message that was sent first. */
static void
late_senders(struct fake_trace *f, uint64_t count)
{
	FAKE_CALL(f, 0, "Send", 1, 2, .peer = 1, .tag = 1);
	for (uint64_t n = 1; n <= count; n++) {
		FAKE_CALL(f, 0, "Send", 100 * n + 10, 100 * n + 20, .peer = 1);
		FAKE_CALL(f, 1, "Recv", 100 * n, 100 * n + 30, .peer = 0);
	}
	FAKE_CALL(f, 1, "Recv", 100 * count + 40, 100 * count + 50, .peer = 0,
	    .tag = 1);
}

static void
the_last_hundred_late_senders_may_be_of_wrong_order(void)
{
	struct fake_trace *f = fake_trace_create(2);

	late_senders(f, 103);
	EXPECT_WAITS("1 @0 Late Sender 3 30\n"
		     "1 @0 Late Sender, Wrong Order, Same Source 100 1000\n"
		     "1 for 0 Late Sender 3 30\n"
		     "1 for 0 Late Sender, Wrong Order, Same Source 100 1000\n",
	    f);
	fake_trace_free(f);
}

/* Adds a collective of three ranks that enter at 100, 300 and 200 and leave at
   400, 410 and 420. */
static void
collective(struct fake_trace *f, const char *name, int32_t root,
    const uint64_t bytes[3])
{
	static const uint64_t enter[] = { 100, 300, 200 };

	for (uint32_t r = 0; r < 3; r++)
		fake_trace_call(f, r, name,
		    (struct es_tuple_mpi){ .start = enter[r],
			.stop = 400 + 10 * r,
			.peer = root,
			.bytes = bytes[r],
			.match = 1 });
}

#define EXPECT_COLLECTIVE(text, name, root, b0, b1, b2) \
	do { \
		struct fake_trace *fake_ = fake_trace_create(3); \
		collective(fake_, "MPI_" name, root, \
		    (const uint64_t[3]){ b0, b1, b2 }); \
		EXPECT_WAITS(text, fake_); \
		fake_trace_free(fake_); \
	} while (0)

static void
all_wait_at_a_barrier_for_the_last(void)
{
	EXPECT_COLLECTIVE("0 @0 Wait at Barrier 1 200\n"
			  "0 for 1 Wait at Barrier 1 200\n"
			  "1 @0 Barrier Completion 1 10\n"
			  "1 for -1 Barrier Completion 1 10\n"
			  "2 @0 Wait at Barrier 1 100\n"
			  "2 @0 Barrier Completion 1 20\n"
			  "2 for 1 Wait at Barrier 1 100\n"
			  "2 for -1 Barrier Completion 1 20\n",
	    "Barrier", -1, 0, 0, 0);
}

static const char n_to_n[] = "0 @0 Wait at N x N 1 200\n"
			     "0 for 1 Wait at N x N 1 200\n"
			     "1 @0 N x N Completion 1 10\n"
			     "1 for -1 N x N Completion 1 10\n"
			     "2 @0 Wait at N x N 1 100\n"
			     "2 @0 N x N Completion 1 20\n"
			     "2 for 1 Wait at N x N 1 100\n"
			     "2 for -1 N x N Completion 1 20\n";

static void
all_wait_at_n_to_n_for_the_last(void)
{
	EXPECT_COLLECTIVE(n_to_n, "Allreduce", -1, 8, 8, 8);
	EXPECT_COLLECTIVE(n_to_n, "Allgather", -1, 8, 8, 8);
	EXPECT_COLLECTIVE(n_to_n, "Alltoall", -1, 8, 8, 8);
	EXPECT_COLLECTIVE(n_to_n, "Reduce_scatter", -1, 8, 8, 8);
	EXPECT_COLLECTIVE(n_to_n, "Reduce_scatter_block", -1, 8, 8, 8);
	/* One member sends, all receive. */
	EXPECT_COLLECTIVE(n_to_n, "Allgatherv", -1, 0, 8, 0);
	/* Not between all, there is no wait. */
	EXPECT_COLLECTIVE("", "Alltoallv", -1, 8, 8, 8);
	EXPECT_COLLECTIVE("", "Alltoallw", -1, 8, 8, 8);
}

/* MPI need not let a call without bytes wait: these ranks do, and in the second
   one they do not. */
static void
members_of_a_call_without_bytes_wait_if_all_stay(void)
{
	struct fake_trace *f = fake_trace_create(2);

	EXPECT_COLLECTIVE("0 @0 Wait at N x N, No Bytes 1 200\n"
			  "0 for 1 Wait at N x N, No Bytes 1 200\n"
			  "1 @0 N x N Completion 1 10\n"
			  "1 for -1 N x N Completion 1 10\n"
			  "2 @0 Wait at N x N, No Bytes 1 100\n"
			  "2 @0 N x N Completion 1 20\n"
			  "2 for 1 Wait at N x N, No Bytes 1 100\n"
			  "2 for -1 N x N Completion 1 20\n",
	    "Allreduce", -1, 0, 0, 0);
	FAKE_CALL(f, 0, "Alltoall", 100, 199, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Alltoall", 200, 210, .peer = -1, .match = 1);
	EXPECT_WAITS("", f);
	fake_trace_free(f);
}

static void
receivers_wait_for_a_late_root(void)
{
	static const char all[] = "0 @0 Late Broadcast 1 200\n"
				  "0 for 1 Late Broadcast 1 200\n"
				  "2 @0 Late Broadcast 1 100\n"
				  "2 for 1 Late Broadcast 1 100\n";

	EXPECT_COLLECTIVE(all, "Bcast", 1, 8, 8, 8);
	EXPECT_COLLECTIVE(all, "Scatter", 1, 8, 8, 8);
	EXPECT_COLLECTIVE("0 @0 Late Broadcast 1 200\n"
			  "0 for 1 Late Broadcast 1 200\n",
	    "Scatterv", 1, 8, 8, 0);
	/* No member waits for a root that comes first. */
	EXPECT_COLLECTIVE("", "Bcast", 0, 8, 8, 8);
	EXPECT_COLLECTIVE("", "Bcast", 1, 0, 0, 0);
}

static void
a_root_waits_for_those_that_send(void)
{
	static const char both[] = "0 @0 Early Reduce 1 100\n"
				   "0 @0 Wait at Reduce 1 100\n"
				   "0 for 1 Wait at Reduce 1 100\n"
				   "0 for 2 Early Reduce 1 100\n";

	EXPECT_COLLECTIVE(both, "Reduce", 0, 8, 8, 8);
	EXPECT_COLLECTIVE(both, "Gather", 0, 8, 8, 8);
	EXPECT_COLLECTIVE("0 @0 Early Reduce 1 200\n"
			  "0 for 1 Early Reduce 1 200\n",
	    "Gatherv", 0, 8, 8, 0);
	EXPECT_COLLECTIVE("", "Gatherv", 0, 8, 0, 0);
	EXPECT_COLLECTIVE("", "Reduce", 1, 8, 8, 8);
	/* The first one has come before the root. */
	EXPECT_COLLECTIVE("2 @0 Wait at Reduce 1 100\n"
			  "2 for 1 Wait at Reduce 1 100\n",
	    "Reduce", 2, 8, 8, 8);
}

/* A library may end such a collective, with a wrong result. */
static void
calls_with_another_root_are_counted(void)
{
	static const int32_t roots[] = { 1, 1, 0 };
	struct fake_trace *f = fake_trace_create(3);
	struct computed c;

	for (uint32_t r = 0; r < 3; r++)
		fake_trace_call(f, r, "MPI_Reduce",
		    (struct es_tuple_mpi){ .start = 100,
			.stop = 200,
			.peer = roots[r],
			.bytes = 8,
			.match = 1 });
	c = compute(f);
	EXPECT_EQ(0, c.waits.ranks[0].other_roots);
	EXPECT_EQ(0, c.waits.ranks[1].other_roots);
	EXPECT_EQ(1, c.waits.ranks[2].other_roots);
	forget(&c);
	fake_trace_free(f);
}

static void
a_scan_waits_for_lower_ranks(void)
{
	static const char third[] = "2 @0 Early Scan 1 100\n"
				    "2 for 1 Early Scan 1 100\n";

	EXPECT_COLLECTIVE(third, "Scan", -1, 8, 8, 8);
	EXPECT_COLLECTIVE(third, "Exscan", -1, 8, 8, 8);
}

static void
init_and_finalize_are_collectives(void)
{
	EXPECT_COLLECTIVE("1 @0 Init Completion 1 10\n"
			  "1 for -1 Init Completion 1 10\n"
			  "2 @0 Init Completion 1 20\n"
			  "2 for -1 Init Completion 1 20\n",
	    "Init", -1, 0, 0, 0);
	EXPECT_COLLECTIVE("0 @0 Wait at Finalize 1 200\n"
			  "0 for 1 Wait at Finalize 1 200\n"
			  "2 @0 Wait at Finalize 1 100\n"
			  "2 for 1 Wait at Finalize 1 100\n",
	    "Finalize", -1, 0, 0, 0);
}

/* No wait is longer than its call, for any clocks. */
static void
a_wait_ends_with_its_call(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Allreduce", 100, 150, .match = 1, .bytes = 8);
	FAKE_CALL(f, 1, "Allreduce", 200, 250, .match = 1, .bytes = 8);
	EXPECT_WAITS("0 @0 Wait at N x N 1 50\n"
		     "0 for 1 Wait at N x N 1 50\n"
		     "1 @0 N x N Completion 1 50\n"
		     "1 for -1 N x N Completion 1 50\n",
	    f);
	fake_trace_free(f);
}

/* A nonblocking collective waits in the call that completes it. */
static void
a_nonblocking_collective_waits_at_its_end(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "Ibarrier", 100 + 400 * r, 110 + 400 * r,
		    .peer = -1, .match = 1, .tag = 1);
		FAKE_CALL(f, r, "Wait", 450 + 100 * r, 700, .peer = -1,
		    .match = 1, .site = 3);
	}
	EXPECT_WAITS("0 @3 Wait at Barrier 1 50\n"
		     "0 for 1 Wait at Barrier 1 50\n",
	    f);
	fake_trace_free(f);
}

/* A persistent collective waits in the call that completes it, for the start of
   others. */
static void
a_persistent_collective_waits_at_its_end(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "Bcast_init", 10, 20, .peer = 1, .match = 5,
		    .tag = 1, .bytes = 8);
		fake_trace_plan(f, r, 5, 1);
		FAKE_CALL(f, r, "Startall", 100 + 400 * r, 110 + 400 * r,
		    .peer = -1);
		FAKE_STARTED(f, r, "Bcast_init", .peer = 1, .match = 5,
		    .tag = 1, .bytes = 8);
		FAKE_CALL(f, r, "Wait", 450 + 100 * r, 700, .peer = 1,
		    .match = 5, .tag = 1, .site = 3);
	}
	EXPECT_WAITS("0 @3 Late Broadcast 1 50\n"
		     "0 for 1 Late Broadcast 1 50\n",
	    f);
	fake_trace_free(f);
}

static void
groups_of_an_intercommunicator_wait_for_each_other(void)
{
	struct fake_trace *f = fake_trace_create(4);
	uint16_t inter = fake_trace_comm(f, (uint32_t[]){ 0, 1, 2, 3 }, 4, 2);
	static const uint64_t enter[] = { 100, 500, 200, 300 };

	for (uint32_t r = 0; r < 4; r++)
		FAKE_CALL(f, r, "Ibarrier", enter[r], enter[r] + 1, .peer = -1,
		    .match = 1, .tag = 1, .comm = inter);
	for (uint32_t r = 0; r < 4; r++)
		FAKE_CALL(f, r, "Wait", enter[r] + 10, 600, .peer = -1,
		    .match = 1, .comm = inter);
	/* Rank 0 does not wait for 1, which is in its own group. */
	EXPECT_WAITS("0 @0 Wait at Barrier 1 190\n"
		     "0 for 3 Wait at Barrier 1 190\n"
		     "2 @0 Wait at Barrier 1 290\n"
		     "2 for 1 Wait at Barrier 1 290\n"
		     "3 @0 Wait at Barrier 1 190\n"
		     "3 for 1 Wait at Barrier 1 190\n",
	    f);
	fake_trace_free(f);
}

/* Adds a collective of two groups: ranks 0 and 1, where 1 is the root and 0
   passes no bytes, and ranks 2 and 3. */
static void
rooted(struct fake_trace *f, const char *name)
{
	static const uint64_t enter[] = { 100, 500, 200, 300 };
	static const int32_t root[] = { ES_MPI_PEER_PROC_NULL, 1, 1, 1 };
	uint16_t inter = fake_trace_comm(f, (uint32_t[]){ 0, 1, 2, 3 }, 4, 2);

	for (uint32_t r = 0; r < 4; r++)
		fake_trace_call(f, r, name,
		    (struct es_tuple_mpi){
			.start = r == 1 && name[4] == 'R' ? 150 : enter[r],
			.stop = r == 0 ? 110 : 600 + r,
			.peer = root[r],
			.bytes = r == 0 ? 0 : 8,
			.comm = inter,
			.match = 1 });
}

static void
a_root_of_an_intercommunicator_waits_and_is_waited_for(void)
{
	struct fake_trace *f = fake_trace_create(4);

	rooted(f, "MPI_Bcast");
	EXPECT_WAITS("2 @0 Late Broadcast 1 300\n"
		     "2 for 1 Late Broadcast 1 300\n"
		     "3 @0 Late Broadcast 1 200\n"
		     "3 for 1 Late Broadcast 1 200\n",
	    f);
	fake_trace_free(f);
	f = fake_trace_create(4);
	rooted(f, "MPI_Reduce");
	EXPECT_WAITS("1 @0 Early Reduce 1 50\n"
		     "1 @0 Wait at Reduce 1 100\n"
		     "1 for 2 Early Reduce 1 50\n"
		     "1 for 3 Wait at Reduce 1 100\n",
	    f);
	fake_trace_free(f);
}

static void
a_call_that_has_not_returned_has_no_wait(void)
{
	struct fake_trace *f = fake_trace_create(2);

	fake_trace_break(f, 0);
	fake_trace_break(f, 1);
	FAKE_CALL(f, 0, "Recv", 100, 0, .peer = 1);
	FAKE_CALL(f, 1, "Send", 200, 210, .peer = 0);
	FAKE_CALL(f, 1, "Barrier", 220, 0, .peer = -1, .match = 1);
	EXPECT_WAITS("", f);
	fake_trace_free(f);
}

/* Returns lines "rank function calls time wait uncovered". */
static const char *
functions_text(struct computed *c)
{
	size_t used = 0;

	c->text[0] = '\0';
	for (uint32_t r = 0; r < c->waits.rank_count; r++)
		for (uint32_t n = 0; n < c->waits.function_count; n++) {
			const struct es__mpi_function_waits *f =
			    &c->waits.ranks[r].functions[n];

			if (f->calls > 0)
				used += (size_t)snprintf(c->text + used,
				    sizeof(c->text) - used,
				    "%u %s %llu %lld %lld %lld\n", r,
				    es_mpi_function(n)->name + 4,
				    (unsigned long long)f->calls,
				    (long long)f->time_ns,
				    (long long)f->wait_ns,
				    (long long)f->uncovered_ns);
		}
	return c->text;
}

#define EXPECT_FUNCTIONS(text, fake) \
	do { \
		struct computed computed_ = compute(fake); \
		EXPECT_STR_EQ(text, functions_text(&computed_)); \
		forget(&computed_); \
	} while (0)

static void
messages_without_a_match_are_uncovered(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 1, "Recv", 100, 600, .peer = 0);
	FAKE_CALL(f, 0, "Send", 450, 500, .peer = 1);
	/* The send of this message is missing. */
	FAKE_CALL(f, 1, "Recv", 700, 730, .peer = 0, .tag = 9);
	FAKE_CALL(f, 1, "Recv", 740, 745, .peer = ES_MPI_PEER_PROC_NULL);
	FAKE_CALL(f, 1, "Comm_rank", 750, 751, .peer = -1);
	EXPECT_FUNCTIONS("0 Send 1 50 0 0\n"
			 "1 Recv 3 535 350 30\n"
			 "1 Comm_rank 1 1 0 0\n",
	    f);
	fake_trace_free(f);
}

static void
calls_without_a_pattern_are_uncovered(void)
{
	struct fake_trace *f = fake_trace_create(2);
	uint16_t own = fake_trace_comm(f, NULL, 0, 0);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "Neighbor_alltoall", 10, 20 + r, .peer = -1,
		    .match = 1);
		FAKE_CALL(f, r, "Win_fence", 30, 40, .peer = -1);
		FAKE_CALL(f, r, "Win_post", 41, 42, .peer = -1);
		FAKE_CALL(f, r, "File_write_at", 43, 44, .peer = -1);
		FAKE_CALL(f, r, "File_write_all", 45, 55, .peer = -1);
		FAKE_CALL(f, r, "Barrier", 60, 61, .peer = -1, .match = 1,
		    .comm = own);
	}
	EXPECT_FUNCTIONS("0 Barrier 1 1 0 0\n"
			 "0 Neighbor_alltoall 1 10 0 10\n"
			 "0 Win_fence 1 10 0 10\n"
			 "0 Win_post 1 1 0 0\n"
			 "0 File_write_all 1 10 0 10\n"
			 "0 File_write_at 1 1 0 0\n"
			 "1 Barrier 1 1 0 0\n"
			 "1 Neighbor_alltoall 1 11 0 11\n"
			 "1 Win_fence 1 10 0 10\n"
			 "1 Win_post 1 1 0 0\n"
			 "1 File_write_all 1 10 0 10\n"
			 "1 File_write_at 1 1 0 0\n",
	    f);
	fake_trace_free(f);
}

/* A Waitall is covered when each of its requests is. */
static void
a_wait_is_covered_by_what_it_completes(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "Iallreduce", 10, 11, .peer = -1, .tag = 1,
		    .bytes = 8, .match = 1);
		FAKE_CALL(f, r, "Wait", 12, 20, .peer = -1, .tag = 1,
		    .bytes = 8, .match = 1);
		/* A request of a file. */
		FAKE_CALL(f, r, "File_iwrite_all", 21, 22, .peer = -1,
		    .match = 3);
		FAKE_CALL(f, r, "Irecv", 23, 24, .peer = (int32_t)(1 - r),
		    .match = 4);
		FAKE_CALL(f, r, "Isend", 25, 26, .peer = (int32_t)(1 - r),
		    .match = 5);
		FAKE_CALL(f, r, "Waitall", 30, 37, .peer = -1);
		FAKE_COMPLETED(f, r, .peer = (int32_t)(1 - r), .match = 4);
		FAKE_COMPLETED(f, r, .peer = (int32_t)(1 - r), .match = 5);
		FAKE_CALL(f, r, "Waitall", 40, 43, .peer = -1);
		FAKE_CALL(f, r, "Wait", 50, 59, .peer = -1, .match = 3);
	}
	EXPECT_FUNCTIONS("0 Isend 1 1 0 0\n"
			 "0 Irecv 1 1 0 0\n"
			 "0 Wait 2 17 0 9\n"
			 "0 Waitall 2 10 0 0\n"
			 "0 Iallreduce 1 1 0 0\n"
			 "0 File_iwrite_all 1 1 0 0\n"
			 "1 Isend 1 1 0 0\n"
			 "1 Irecv 1 1 0 0\n"
			 "1 Wait 2 17 0 9\n"
			 "1 Waitall 2 10 0 0\n"
			 "1 Iallreduce 1 1 0 0\n"
			 "1 File_iwrite_all 1 1 0 0\n",
	    f);
	fake_trace_free(f);
}

TEST_MAIN(a_receiver_waits_for_a_late_sender, clocks_that_disagree_are_counted,
    the_latest_of_several_messages_counts, a_test_does_not_wait,
    a_sender_waits_for_a_late_receiver,
    a_message_waits_for_the_progress_of_a_peer,
    a_persistent_send_waits_for_any_call_of_its_peer,
    a_call_may_wait_for_a_sender_and_a_receiver,
    a_call_that_goes_on_waits_for_no_progress,
    a_late_sender_hides_a_late_receiver, a_sendrecv_waits_for_its_message,
    a_message_sent_earlier_makes_the_order_wrong,
    the_last_hundred_late_senders_may_be_of_wrong_order,
    all_wait_at_a_barrier_for_the_last, all_wait_at_n_to_n_for_the_last,
    members_of_a_call_without_bytes_wait_if_all_stay,
    receivers_wait_for_a_late_root, a_root_waits_for_those_that_send,
    calls_with_another_root_are_counted, a_scan_waits_for_lower_ranks,
    init_and_finalize_are_collectives, a_wait_ends_with_its_call,
    a_nonblocking_collective_waits_at_its_end,
    a_persistent_collective_waits_at_its_end,
    groups_of_an_intercommunicator_wait_for_each_other,
    a_root_of_an_intercommunicator_waits_and_is_waited_for,
    a_call_that_has_not_returned_has_no_wait,
    messages_without_a_match_are_uncovered,
    calls_without_a_pattern_are_uncovered,
    a_wait_is_covered_by_what_it_completes)
