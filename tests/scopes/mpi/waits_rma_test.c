/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_rma_test.c - wait states of one-sided communication,
 * of probes and of partitions are exact to the ns
 */

#include "tests/scopes/mpi/waits_text.h"

/* The number of a window and of a lock in tuples. */
#define WINDOW(n) .tag = (n), .peer = ES_MPI_PEER_NONE
#define TARGET(n, rank) .tag = (n), .peer = (rank)
#define EXCLUSIVE .match = ES_MPI_LOCK_EXCLUSIVE
#define SHARED .match = ES_MPI_LOCK_SHARED

static void
a_probe_waits_for_its_message(void)
{
	struct fake_trace *f = fake_trace_create(3);

	/* The message that is received next from this source and tag. */
	FAKE_CALL(f, 0, "Probe", 100, 500, .peer = 1, .tag = 7, .site = 3);
	FAKE_CALL(f, 0, "Recv", 510, 520, .peer = 2, .tag = 7);
	FAKE_CALL(f, 0, "Recv", 530, 540, .peer = 1, .tag = 8);
	FAKE_CALL(f, 0, "Recv", 550, 560, .peer = 1, .tag = 7);
	FAKE_CALL(f, 1, "Send", 450, 460, .peer = 0, .tag = 7);
	FAKE_CALL(f, 1, "Send", 470, 480, .peer = 0, .tag = 8);
	FAKE_CALL(f, 2, "Send", 460, 470, .peer = 0, .tag = 7);
	/* The second probe of a message does not wait again. */
	FAKE_CALL(f, 0, "Probe", 600, 900, .peer = 1, .tag = 7, .site = 4);
	FAKE_CALL(f, 0, "Probe", 910, 920, .peer = 1, .tag = 7, .site = 5);
	FAKE_CALL(f, 0, "Recv", 930, 940, .peer = 1, .tag = 7);
	FAKE_CALL(f, 1, "Send", 880, 890, .peer = 0, .tag = 7);
	EXPECT_WAITS("0 @3 Late Sender 1 350\n"
		     "0 @4 Late Sender 1 280\n"
		     "0 for 1 Late Sender 2 630\n",
	    f);
	fake_trace_free(f);
}

static void
a_matched_probe_waits_and_its_receive_does_not(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Mprobe", 100, 500, .peer = 1, .match = 1, .site = 3);
	FAKE_CALL(f, 0, "Mrecv", 510, 520, .peer = 1, .match = 1);
	FAKE_CALL(f, 0, "Mprobe", 600, 900, .peer = 1, .match = 2, .site = 4);
	FAKE_CALL(f, 0, "Imrecv", 910, 920, .peer = 1, .match = 2);
	FAKE_CALL(f, 0, "Wait", 930, 940, .peer = 1, .match = 2);
	/* A test of a probe does not wait. */
	FAKE_CALL(f, 0, "Iprobe", 950, 990, .peer = 1);
	FAKE_CALL(f, 0, "Recv", 991, 992, .peer = 1);
	FAKE_CALL(f, 1, "Send", 400, 410, .peer = 0);
	FAKE_CALL(f, 1, "Send", 800, 810, .peer = 0);
	FAKE_CALL(f, 1, "Send", 980, 981, .peer = 0);
	EXPECT_WAITS("0 @3 Late Sender 1 300\n"
		     "0 @4 Late Sender 1 200\n"
		     "0 for 1 Late Sender 2 500\n",
	    f);
	fake_trace_free(f);
}

static void
a_receiver_waits_for_the_last_partition(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Psend_init", 10, 11, .peer = 1, .match = 1);
	FAKE_CALL(f, 1, "Precv_init", 10, 11, .peer = 0, .match = 1);
	for (uint32_t round = 0; round < 2; round++) {
		uint64_t t = 1000 * round;

		FAKE_CALL(f, 0, "Start", t + 100, t + 110, .peer = 1,
		    .match = 1);
		FAKE_STARTED(f, 0, "Psend_init", .peer = 1, .match = 1);
		FAKE_CALL(f, 0, "Pready", t + 200, t + 210, .peer = 1,
		    .match = 1);
		FAKE_CALL(f, 0, "Pready", t + 600 + 100 * round, t + 710,
		    .peer = 1, .match = 1);
		FAKE_CALL(f, 0, "Wait", t + 720, t + 730, .peer = 1,
		    .match = 1);
		FAKE_CALL(f, 1, "Start", t + 100, t + 110, .peer = 0,
		    .match = 1);
		FAKE_STARTED(f, 1, "Precv_init", .peer = 0, .match = 1);
		/* A test. */
		FAKE_CALL(f, 1, "Parrived", t + 120, t + 130, .peer = 0,
		    .match = 1);
		FAKE_CALL(f, 1, "Wait", t + 300, t + 720, .peer = 0, .match = 1,
		    .site = 7);
	}
	EXPECT_WAITS("1 @7 Late Sender 2 700\n"
		     "1 for 0 Late Sender 2 700\n",
	    f);
	fake_trace_free(f);
}

static void
members_wait_at_create_and_free(void)
{
	struct fake_trace *f = fake_trace_create(3);
	const uint64_t enter[] = { 100, 350, 200 };

	for (uint32_t r = 0; r < 3; r++) {
		FAKE_CALL(f, r, "Win_create", enter[r], 400 + r, WINDOW(1),
		    .match = 1);
		FAKE_CALL(f, r, "Win_free", 1000 - enter[r], 1000 + r,
		    WINDOW(1), .match = 2);
	}
	EXPECT_WAITS("0 @0 Wait at Create 1 250\n"
		     "0 for 1 Wait at Create 1 250\n"
		     "1 @0 Wait at Free 1 250\n"
		     "1 for 0 Wait at Free 1 250\n"
		     "2 @0 Wait at Create 1 150\n"
		     "2 @0 Wait at Free 1 100\n"
		     "2 for 0 Wait at Free 1 100\n"
		     "2 for 1 Wait at Create 1 150\n",
	    f);
	fake_trace_free(f);
}

static void
members_wait_at_a_fence_for_the_last(void)
{
	struct fake_trace *f = fake_trace_create(2);

	/* Two windows on one communicator, in another order. */
	FAKE_CALL(f, 0, "Win_fence", 100, 400, WINDOW(1), .match = 2);
	FAKE_CALL(f, 0, "Win_fence", 500, 600, WINDOW(2), .match = 2);
	FAKE_CALL(f, 1, "Win_fence", 300, 401, WINDOW(1), .match = 2);
	FAKE_CALL(f, 1, "Win_fence", 510, 601, WINDOW(2), .match = 2);
	/* This fence lets a rank go on before the other one comes. */
	FAKE_CALL(f, 0, "Win_fence", 700, 710, WINDOW(1), .match = 3);
	FAKE_CALL(f, 1, "Win_fence", 720, 730, WINDOW(1), .match = 3);
	EXPECT_WAITS("0 @0 Wait at Fence 2 210\n"
		     "0 for 1 Wait at Fence 2 210\n",
	    f);
	fake_trace_free(f);
}

static void
a_fence_is_early_for_accesses(void)
{
	struct fake_trace *f = fake_trace_create(3);

	for (uint32_t r = 0; r < 3; r++)
		FAKE_CALL(f, r, "Win_fence", 10, 20, WINDOW(1), .match = 2);
	FAKE_CALL(f, 1, "Put", 50, 60, TARGET(1, 0), .bytes = 8);
	FAKE_CALL(f, 1, "Put", 100, 450, TARGET(1, 0), .bytes = 8);
	/* Accesses to another window and to other ranks do not count. */
	FAKE_CALL(f, 1, "Put", 460, 480, TARGET(2, 0), .bytes = 8);
	FAKE_CALL(f, 1, "Put", 480, 490, TARGET(1, 1), .bytes = 8);
	FAKE_CALL(f, 2, "Get", 100, 300, TARGET(1, 0), .bytes = 8);
	FAKE_CALL(f, 0, "Win_fence", 200, 610, WINDOW(1), .match = 3,
	    .site = 7);
	FAKE_CALL(f, 1, "Win_fence", 600, 611, WINDOW(1), .match = 3);
	FAKE_CALL(f, 2, "Win_fence", 580, 612, WINDOW(1), .match = 3);
	EXPECT_WAITS("0 @7 Wait at Fence 1 150\n"
		     "0 @7 Early Fence 1 250\n"
		     "0 for 1 Wait at Fence 1 150\n"
		     "0 for 1 Early Fence 1 250\n"
		     "2 @0 Wait at Fence 1 20\n"
		     "2 for 1 Wait at Fence 1 20\n",
	    f);
	fake_trace_free(f);
}

static void
an_origin_waits_for_a_late_post(void)
{
	struct fake_trace *f = fake_trace_create(3);
	int32_t both = fake_trace_group(f, (const int32_t[]){ 1, 2 }, 2);
	int32_t first = fake_trace_group(f, (const int32_t[]){ 0 }, 1);

	/* In the start, for the last of the targets. */
	FAKE_CALL(f, 0, "Win_start", 100, 500, .tag = 1, .peer = both,
	    .site = 1);
	FAKE_CALL(f, 0, "Win_complete", 600, 610, WINDOW(1));
	FAKE_CALL(f, 1, "Win_post", 300, 310, .tag = 1, .peer = first);
	FAKE_CALL(f, 2, "Win_post", 400, 410, .tag = 1, .peer = first);
	/* In an access, for its target. */
	FAKE_CALL(f, 0, "Win_start", 1000, 1010, .tag = 1, .peer = both,
	    .site = 2);
	FAKE_CALL(f, 0, "Put", 1020, 1130, TARGET(1, 1), .site = 3);
	/* In the complete, for the rest. */
	FAKE_CALL(f, 0, "Win_complete", 1200, 1500, WINDOW(1), .site = 4);
	FAKE_CALL(f, 1, "Win_post", 1120, 1130, .tag = 1, .peer = first);
	FAKE_CALL(f, 2, "Win_post", 1450, 1460, .tag = 1, .peer = first);
	EXPECT_WAITS("0 @1 Late Post 1 300\n"
		     "0 @3 Late Post 1 100\n"
		     "0 @4 Late Post 1 250\n"
		     "0 for 1 Late Post 1 100\n"
		     "0 for 2 Late Post 2 550\n",
	    f);
	fake_trace_free(f);
}

static void
epochs_match_from_the_end_when_old_tuples_are_missing(void)
{
	struct fake_trace *f = fake_trace_create(2);
	int32_t target = fake_trace_group(f, (const int32_t[]){ 1 }, 1);
	int32_t origin = fake_trace_group(f, (const int32_t[]){ 0 }, 1);

	for (uint64_t t = 1000; t < 4000; t += 1000) {
		FAKE_CALL(f, 0, "Win_start", t + 100, t + 500, .tag = 1,
		    .peer = target);
		FAKE_CALL(f, 0, "Win_complete", t + 600, t + 610, WINDOW(1));
		FAKE_CALL(f, 1, "Win_post", t + t / 10, t + 410, .tag = 1,
		    .peer = origin);
		FAKE_CALL(f, 1, "Win_wait", t + 615, t + 620, WINDOW(1));
	}
	fake_trace_discard(f, 0, 4);
	EXPECT_WAITS("0 @0 Late Post 1 200\n"
		     "0 for 1 Late Post 1 200\n",
	    f);
	fake_trace_free(f);
}

/* A test is no wait, also if the complete comes in it. */
static void
a_test_of_an_exposure_does_not_wait(void)
{
	struct fake_trace *f = fake_trace_create(2);
	int32_t origin = fake_trace_group(f, (const int32_t[]){ 1 }, 1);
	int32_t target = fake_trace_group(f, (const int32_t[]){ 0 }, 1);

	FAKE_CALL(f, 0, "Win_post", 100, 110, .tag = 1, .peer = origin);
	FAKE_CALL(f, 0, "Win_test", 140, 150, WINDOW(1));
	FAKE_CALL(f, 0, "Win_test", 200, 900, WINDOW(1), .match = 1);
	FAKE_CALL(f, 1, "Win_start", 120, 130, .tag = 1, .peer = target);
	FAKE_CALL(f, 1, "Win_complete", 850, 860, WINDOW(1));
	EXPECT_WAITS("", f);
	fake_trace_free(f);
}

static void
a_target_waits_for_accesses_and_for_the_complete(void)
{
	struct fake_trace *f = fake_trace_create(3);
	int32_t origins = fake_trace_group(f, (const int32_t[]){ 1, 2 }, 2);
	int32_t target = fake_trace_group(f, (const int32_t[]){ 0 }, 1);

	FAKE_CALL(f, 0, "Win_post", 100, 110, .tag = 1, .peer = origins);
	FAKE_CALL(f, 0, "Win_wait", 200, 900, WINDOW(1), .site = 7);
	for (uint32_t r = 1; r < 3; r++)
		FAKE_CALL(f, r, "Win_start", 120, 130, .tag = 1,
		    .peer = target);
	FAKE_CALL(f, 1, "Put", 140, 650, TARGET(1, 0));
	FAKE_CALL(f, 1, "Win_complete", 660, 670, WINDOW(1));
	FAKE_CALL(f, 2, "Put", 140, 550, TARGET(1, 0));
	FAKE_CALL(f, 2, "Win_complete", 850, 860, WINDOW(1));
	EXPECT_WAITS("0 @7 Early Wait 1 350\n"
		     "0 @7 Late Complete 1 300\n"
		     "0 for 2 Early Wait 1 350\n"
		     "0 for 2 Late Complete 1 300\n",
	    f);
	fake_trace_free(f);
}

/* r1 holds a lock of r0 from 110 to 650; r2 asks for it at 200. */
static void
locks(struct fake_trace *f, uint32_t held, uint32_t asked)
{
	FAKE_CALL(f, 0, "Barrier", 50, 2000, .peer = ES_MPI_PEER_NONE,
	    .match = 1);
	FAKE_CALL(f, 1, "Win_lock", 100, 110, TARGET(1, 0), .match = held);
	FAKE_CALL(f, 1, "Win_unlock", 600, 650, TARGET(1, 0));
	FAKE_CALL(f, 2, "Win_lock", 200, 660, TARGET(1, 0), .match = asked,
	    .site = 7);
	FAKE_CALL(f, 2, "Win_unlock", 700, 710, TARGET(1, 0));
}

static void
a_lock_waits_for_one_that_conflicts(void)
{
	struct fake_trace *f = fake_trace_create(3);

	locks(f, ES_MPI_LOCK_EXCLUSIVE, ES_MPI_LOCK_SHARED);
	/* Another target of the window. */
	FAKE_CALL(f, 1, "Win_lock", 1000, 1010, TARGET(1, 1), EXCLUSIVE);
	FAKE_CALL(f, 1, "Win_unlock", 1300, 1310, TARGET(1, 1));
	FAKE_CALL(f, 2, "Win_lock", 1100, 1400, TARGET(1, 0), EXCLUSIVE);
	FAKE_CALL(f, 2, "Win_unlock", 1500, 1510, TARGET(1, 0));
	EXPECT_WAITS("2 @7 Lock Competition 1 450\n"
		     "2 for 1 Lock Competition 1 450\n",
	    f);
	fake_trace_free(f);
	f = fake_trace_create(3);
	locks(f, ES_MPI_LOCK_SHARED, ES_MPI_LOCK_EXCLUSIVE);
	EXPECT_WAITS("2 @7 Lock Competition 1 450\n"
		     "2 for 1 Lock Competition 1 450\n",
	    f);
	fake_trace_free(f);
	f = fake_trace_create(3);
	locks(f, ES_MPI_LOCK_SHARED, ES_MPI_LOCK_SHARED);
	EXPECT_WAITS("", f);
	fake_trace_free(f);
}

static void
a_lock_of_all_waits_for_one_of_any_target(void)
{
	struct fake_trace *f = fake_trace_create(3);

	FAKE_CALL(f, 0, "Barrier", 50, 2000, .peer = ES_MPI_PEER_NONE,
	    .match = 1);
	FAKE_CALL(f, 1, "Win_lock", 100, 110, TARGET(1, 0), EXCLUSIVE);
	FAKE_CALL(f, 1, "Win_unlock", 600, 650, TARGET(1, 0));
	FAKE_CALL(f, 1, "Barrier", 650, 2000, .peer = ES_MPI_PEER_NONE,
	    .match = 1);
	FAKE_CALL(f, 2, "Win_lock_all", 200, 660, WINDOW(1), SHARED, .site = 7);
	FAKE_CALL(f, 2, "Win_unlock_all", 700, 710, WINDOW(1));
	EXPECT_WAITS("2 @7 Lock Competition 1 450\n"
		     "2 for 1 Lock Competition 1 450\n",
	    f);
	fake_trace_free(f);
}

/* MPI may put off getting a lock until an access, a flush or the unlock. */
static void
a_lock_that_is_put_off_waits_later(void)
{
	struct fake_trace *f = fake_trace_create(3);

	FAKE_CALL(f, 0, "Barrier", 50, 2000, .peer = ES_MPI_PEER_NONE,
	    .match = 1);
	FAKE_CALL(f, 1, "Win_lock", 100, 110, TARGET(1, 0), EXCLUSIVE);
	/* The unlock goes on while r2 has the lock and unlocks it. */
	FAKE_CALL(f, 1, "Win_unlock", 600, 715, TARGET(1, 0));
	FAKE_CALL(f, 2, "Win_lock", 120, 130, TARGET(1, 0), EXCLUSIVE);
	FAKE_CALL(f, 2, "Put", 140, 150, TARGET(1, 0));
	FAKE_CALL(f, 2, "Win_flush", 200, 700, TARGET(1, 0), .site = 7);
	FAKE_CALL(f, 2, "Win_unlock", 710, 720, TARGET(1, 0));
	/* r1 waits for r2 in its lock, and r2 not for r1 in its unlock. */
	FAKE_CALL(f, 2, "Win_lock", 1000, 1010, TARGET(1, 0), EXCLUSIVE);
	FAKE_CALL(f, 2, "Win_unlock", 1200, 1400, TARGET(1, 0), .site = 8);
	FAKE_CALL(f, 1, "Win_lock", 1100, 1300, TARGET(1, 0), EXCLUSIVE,
	    .site = 9);
	FAKE_CALL(f, 1, "Win_unlock", 1310, 1320, TARGET(1, 0));
	EXPECT_WAITS("1 @9 Lock Competition 1 200\n"
		     "1 for 2 Lock Competition 1 200\n"
		     "2 @7 Lock Competition 1 500\n"
		     "2 for 1 Lock Competition 1 500\n",
	    f);
	fake_trace_free(f);
}

static void
a_passive_target_outside_of_mpi_makes_no_progress(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Barrier", 10, 20, .peer = ES_MPI_PEER_NONE,
	    .match = 1);
	FAKE_CALL(f, 1, "Barrier", 10, 20, .peer = ES_MPI_PEER_NONE,
	    .match = 1);
	FAKE_CALL(f, 0, "Iprobe", 500, 510, .peer = 1);
	FAKE_CALL(f, 0, "Barrier", 600, 2000, .peer = ES_MPI_PEER_NONE,
	    .match = 2);
	FAKE_CALL(f, 1, "Win_lock", 100, 550, TARGET(1, 0), SHARED, .site = 1);
	/* The target is inside of MPI. */
	FAKE_CALL(f, 1, "Win_unlock", 700, 900, TARGET(1, 0), .site = 2);
	EXPECT_WAITS("1 @1 Wait for Progress 1 400\n"
		     "1 for 0 Wait for Progress 1 400\n",
	    f);
	fake_trace_free(f);
}

static void
requests_of_accesses_wait_for_progress(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Win_sync", 10, 20, WINDOW(1));
	FAKE_CALL(f, 0, "Win_sync", 500, 510, WINDOW(1));
	FAKE_CALL(f, 0, "Win_sync", 900, 910, WINDOW(1));
	FAKE_CALL(f, 1, "Win_lock_all", 11, 12, WINDOW(1), SHARED);
	FAKE_CALL(f, 1, "Rput", 100, 110, TARGET(1, 0), .match = 1);
	FAKE_CALL(f, 1, "Wait", 200, 600, TARGET(1, 0), .match = 1, .site = 1);
	FAKE_CALL(f, 1, "Rget", 610, 620, TARGET(1, 0), .match = 2);
	FAKE_CALL(f, 1, "Waitall", 650, 950, .peer = ES_MPI_PEER_NONE,
	    .site = 2);
	FAKE_COMPLETED(f, 1, TARGET(1, 0), .match = 2);
	FAKE_CALL(f, 1, "Win_unlock_all", 960, 970, WINDOW(1));
	EXPECT_WAITS("1 @1 Wait for Progress 1 300\n"
		     "1 @2 Wait for Progress 1 250\n"
		     "1 for 0 Wait for Progress 2 550\n",
	    f);
	fake_trace_free(f);
}

/* Spaces that were recorded before windows had numbers. */
static void
windows_without_numbers_have_no_wait(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Win_fence", 100, 400, .tag = -1, .peer = -1);
	FAKE_CALL(f, 1, "Win_fence", 300, 401, .tag = -1, .peer = -1);
	FAKE_CALL(f, 0, "Win_lock", 500, 900, .tag = -1, .peer = 1);
	FAKE_CALL(f, 1, "Win_lock", 500, 510, .tag = -1, .peer = 1);
	FAKE_CALL(f, 1, "Win_unlock", 800, 810, .tag = -1, .peer = 1);
	EXPECT_WAITS("", f);
	fake_trace_free(f);
}

TEST_MAIN(a_probe_waits_for_its_message,
    a_matched_probe_waits_and_its_receive_does_not,
    a_receiver_waits_for_the_last_partition, members_wait_at_create_and_free,
    members_wait_at_a_fence_for_the_last, a_fence_is_early_for_accesses,
    an_origin_waits_for_a_late_post,
    epochs_match_from_the_end_when_old_tuples_are_missing,
    a_test_of_an_exposure_does_not_wait,
    a_target_waits_for_accesses_and_for_the_complete,
    a_lock_waits_for_one_that_conflicts,
    a_lock_of_all_waits_for_one_of_any_target,
    a_lock_that_is_put_off_waits_later,
    a_passive_target_outside_of_mpi_makes_no_progress,
    requests_of_accesses_wait_for_progress,
    windows_without_numbers_have_no_wait)
