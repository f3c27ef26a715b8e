/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_sources_test.c - members of a collective wait for
 * those that send to them, exactly to the ns
 */

#include "scopes/mpi/waits_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdio.h>

#define RUNS(...) \
	(const struct es_mpi_ranks[]){ __VA_ARGS__ }, \
	    sizeof((const struct es_mpi_ranks[]){ __VA_ARGS__ }) / \
	    sizeof(struct es_mpi_ranks)
#define NO_RUNS NULL, 0

/* Expects lines "rank for culprit Pattern ns", of all ranks; quota: tuples of a
   window. */
static void
expect_waits_in(struct fake_trace *f, uint64_t quota, const char *want)
{
	struct es__mpi_waits waits = { 0 };
	char text[2048] = "";
	size_t used = 0;

	EXPECT_OK(
	    es__mpi_waits_compute(fake_trace_input(f), NULL, 2, quota, &waits));
	for (uint32_t r = 0; r < waits.rank_count; r++) {
		const struct es__totals *pairs = &waits.ranks[r].pairs;

		for (size_t n = 0; n < pairs->count; n++)
			used +=
			    (size_t)snprintf(text + used, sizeof(text) - used,
				"%u for %d %s %lld\n", r, (int)pairs->rows[n].a,
				es__wait_pattern_name(pairs->rows[n].b),
				(long long)pairs->rows[n].ns);
	}
	EXPECT_STR_EQ(want, text);
	es__mpi_waits_fini(&waits);
}

/* The smallest windows give the same waits as one window. */
static void
expect_waits(struct fake_trace *f, const char *want)
{
	expect_waits_in(f, UINT64_MAX, want);
	expect_waits_in(f, 1, want);
}

/* Adds a call of three ranks that enter at 100, 300 and 200 and leave at 400,
   410 and 420, with a set each. */
static void
collective(struct fake_trace *f, const char *name, const int32_t peers[3])
{
	static const uint64_t enter[] = { 100, 300, 200 };

	for (uint32_t r = 0; r < 3; r++)
		fake_trace_call(f, r, name,
		    (struct es_tuple_mpi){ .start = enter[r],
			.stop = 400 + 10 * r,
			.peer = peers[r],
			.bytes = 8,
			.match = 1 });
}

/* Rank 0 gets bytes of 2, rank 1 of all, and rank 2 of itself alone. */
static void
some_send(struct fake_trace *f, int32_t peers[3])
{
	peers[0] = fake_trace_sources(f, 0, RUNS({ 2, 1, 1 }));
	peers[1] = fake_trace_sources(f, 1, RUNS({ 0, 1, 3 }));
	peers[2] = fake_trace_sources(f, 2, RUNS({ 2, 1, 1 }));
}

static void
a_member_waits_for_the_last_that_sends_to_it(void)
{
	static const char *const names[] = { "MPI_Alltoallv", "MPI_Alltoallw",
		"MPI_Reduce_scatter" };

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		struct fake_trace *f = fake_trace_create(3);
		int32_t peers[3];

		some_send(f, peers);
		collective(f, names[n], peers);
		expect_waits(f,
		    "0 for 2 Wait at N x N 100\n"
		    "1 for -1 N x N Completion 10\n");
		fake_trace_free(f);
	}
}

static void
a_member_waits_for_its_last_neighbour(void)
{
	static const char *const names[] = { "MPI_Neighbor_allgather",
		"MPI_Neighbor_allgatherv", "MPI_Neighbor_alltoall",
		"MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw" };

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		struct fake_trace *f = fake_trace_create(3);
		int32_t peers[3];

		some_send(f, peers);
		/* Both neighbours in one dimension, once each. */
		peers[2] = fake_trace_sources(f, 2, RUNS({ 1, -1, 2 }));
		collective(f, names[n], peers);
		expect_waits(f,
		    "0 for 2 Late Neighbour 100\n"
		    "1 for -1 Neighbour Completion 10\n"
		    "2 for 1 Late Neighbour 100\n"
		    "2 for -1 Neighbour Completion 20\n");
		fake_trace_free(f);
	}
}

static void
all_members_are_as_in_n_to_n(void)
{
	struct fake_trace *f = fake_trace_create(3);
	int32_t peers[3];

	for (uint32_t r = 0; r < 3; r++)
		peers[r] = fake_trace_sources(f, r, RUNS({ 0, 1, 3 }));
	collective(f, "MPI_Alltoallv", peers);
	expect_waits(f,
	    "0 for 1 Wait at N x N 200\n"
	    "1 for -1 N x N Completion 10\n"
	    "2 for 1 Wait at N x N 100\n"
	    "2 for -1 N x N Completion 20\n");
	fake_trace_free(f);
}

/* Adds a call of three ranks without bytes.  together: none leaves before the
   last one comes; last: the last rank has no set. */
static void
empty(struct fake_trace *f, bool together, bool last)
{
	static const uint64_t enter[] = { 100, 300, 200 };

	for (uint32_t r = 0; r < 3; r++) {
		int32_t peer = last && r == 2 ?
		    ES_MPI_PEER_NONE :
		    fake_trace_sources(f, r, NO_RUNS);

		FAKE_CALL(f, r, "Alltoallv", enter[r],
		    together ? 400 + 10 * r : enter[r] + 10, .peer = peer,
		    .match = 1);
	}
}

/* In windows, the first members end before it is known that the last one passes
   no bytes, too. */
static void
all_members_wait_if_none_passes_bytes(void)
{
	static const char want[] = "0 for 1 Wait at N x N, No Bytes 200\n"
				   "1 for -1 N x N Completion 10\n"
				   "2 for 1 Wait at N x N, No Bytes 100\n"
				   "2 for -1 N x N Completion 20\n";

	for (unsigned n = 0; n < 3; n++) {
		struct fake_trace *f = fake_trace_create(3);

		empty(f, n != 1, n == 2);
		expect_waits(f, n == 0 ? want : "");
		fake_trace_free(f);
	}
}

/* Older runs have no sets, and a process whose disk is full loses some. */
static void
members_without_a_set_are_left_out(void)
{
	struct fake_trace *f = fake_trace_create(3);
	int32_t peers[3];

	some_send(f, peers);
	peers[1] = ES_MPI_PEER_NONE;
	peers[2] = es_mpi_peer_of_id(7);
	collective(f, "MPI_Alltoallv", peers);
	expect_waits(f, "0 for 2 Wait at N x N 100\n");
	fake_trace_free(f);
	f = fake_trace_create(3);
	collective(f, "MPI_Neighbor_alltoall", (const int32_t[]){ -1, -1, -1 });
	expect_waits(f, "");
	fake_trace_free(f);
}

/* A set of another rank, or one from a damaged file, names any ranks. */
static void
ranks_that_are_no_members_are_left_out(void)
{
	struct fake_trace *f = fake_trace_create(3);
	int32_t peers[3];

	peers[0] = fake_trace_sources(f, 0,
	    RUNS({ 2, 0, UINT32_MAX }, { 3, 1, 1 }, { -1, 1, 4 },
		{ INT32_MAX, INT32_MAX, 3 }, { 0, 2, UINT32_MAX }));
	peers[1] = fake_trace_sources(f, 1, NO_RUNS);
	peers[2] = fake_trace_sources(f, 2, RUNS({ 5, -1, 6 }));
	collective(f, "MPI_Alltoallv", peers);
	expect_waits(f, "0 for 2 Wait at N x N 100\n");
	fake_trace_free(f);
}

/* Sets have ranks of the communicator. */
static void
a_part_of_the_world_has_ranks_of_its_own(void)
{
	struct fake_trace *f = fake_trace_create(4);
	uint16_t sub = fake_trace_comm(f, (uint32_t[]){ 3, 1, 0 }, 3, 3);
	static const uint64_t enter[] = { 100, 300, 0, 200 };

	for (uint32_t r = 0; r < 4; r++)
		if (r != 2)
			FAKE_CALL(f, r, "Alltoallv", enter[r], 400,
			    .peer = fake_trace_sources(f, r, RUNS({ 0, 1, 1 })),
			    .match = 1, .bytes = 8, .comm = sub);
	expect_waits(f, "0 for 3 Wait at N x N 100\n");
	fake_trace_free(f);
}

/* The sources of an intercommunicator are ranks of the other group. */
static void
groups_have_sources_in_each_other(void)
{
	struct fake_trace *f = fake_trace_create(4);
	uint16_t inter = fake_trace_comm(f, (uint32_t[]){ 0, 1, 2, 3 }, 4, 2);
	static const uint64_t enter[] = { 100, 500, 200, 300 };

	for (uint32_t r = 0; r < 4; r++)
		FAKE_CALL(f, r, "Alltoallv", enter[r], 600 + 10 * r,
		    .peer = fake_trace_sources(f, r,
			RUNS({ (int32_t)r % 2, 1, 1 })),
		    .match = 1, .bytes = 8, .comm = inter);
	/* Rank 1 and 3 send to each other, as 0 and 2. */
	expect_waits(f,
	    "0 for 2 Wait at N x N 100\n"
	    "2 for -1 N x N Completion 20\n"
	    "3 for 1 Wait at N x N 200\n"
	    "3 for -1 N x N Completion 20\n");
	fake_trace_free(f);
}

static void
a_request_has_the_sources_of_its_begin(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++) {
		int32_t peer =
		    fake_trace_sources(f, r, RUNS({ 1 - (int32_t)r, 1, 1 }));

		FAKE_CALL(f, r, "Ialltoallv", 100 + 400 * r, 110 + 400 * r,
		    .peer = peer, .match = 1, .tag = 1);
		FAKE_CALL(f, r, "Wait", 450 + 100 * r, 700, .peer = peer,
		    .match = 1, .tag = 1);
		FAKE_CALL(f, r, "Neighbor_alltoall_init", 800, 810,
		    .peer = peer, .match = 5, .tag = 2);
		fake_trace_plan(f, r, 5, 2);
		FAKE_CALL(f, r, "Start", 900 + 40 * r, 910 + 40 * r,
		    .peer = peer, .match = 5, .tag = 1);
		FAKE_STARTED(f, r, "Neighbor_alltoall_init", .peer = peer,
		    .match = 5, .tag = 1);
		FAKE_CALL(f, r, "Waitall", 920 + 40 * r, 1000 + r, .peer = -1);
		FAKE_COMPLETED(f, r, .peer = peer, .match = 5, .tag = 1);
	}
	expect_waits(f,
	    "0 for 1 Late Neighbour 20\n"
	    "0 for 1 Wait at N x N 50\n");
	fake_trace_free(f);
}

/* Adds a collective on a file of the world. */
#define ON_FILE(fake, rank, name, file, number, from, to) \
	FAKE_CALL(fake, rank, "File_" name, from, to, \
	    .peer = es_mpi_peer_of_id(file), .match = (number))

static void
members_wait_at_collectives_on_a_file(void)
{
	struct fake_trace *f = fake_trace_create(2);

	/* Collectives on two files have no order among each other. */
	for (uint32_t r = 0; r < 2; r++) {
		ON_FILE(f, r, "open", 1, 1, 10 + 5 * r, 20);
		ON_FILE(f, r, "open", 2, 1, 30, 40);
	}
	ON_FILE(f, 0, "write_all", 1, 2, 100, 500);
	/* Rank 1 has left before rank 0 came. */
	ON_FILE(f, 0, "sync", 2, 2, 600, 700);
	ON_FILE(f, 1, "sync", 2, 2, 400, 480);
	ON_FILE(f, 1, "write_all", 1, 2, 490, 720);
	/* Collectives of the communicator have numbers of their own. */
	FAKE_CALL(f, 0, "Barrier", 1000, 1100, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Barrier", 1090, 1100, .peer = -1, .match = 1);
	expect_waits(f,
	    "0 for 1 Wait at Barrier 90\n"
	    "0 for 1 Wait at File Collective 395\n"
	    "1 for -1 File Completion 220\n");
	fake_trace_free(f);
}

static void
a_request_on_a_file_waits_at_its_end(void)
{
	struct fake_trace *f = fake_trace_create(2);
	const int32_t peer = es_mpi_peer_of_id(3);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "File_iread_all", 100 + 400 * r, 110 + 400 * r,
		    .peer = peer, .match = 4, .tag = 9);
		FAKE_CALL(f, r, "Wait", 450 + 100 * r, 700, .peer = peer,
		    .match = 4, .tag = 9);
	}
	expect_waits(f, "0 for 1 Wait at File Collective 50\n");
	fake_trace_free(f);
}

/* As in older runs, or when the opening was not seen. */
static void
files_without_a_number_are_left_out(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "File_write_all", 100, 500, .peer = -1, .tag = -1);
	FAKE_CALL(f, 1, "File_write_all", 400, 500, .peer = -1, .tag = -1);
	FAKE_CALL(f, 0, "File_iread_all", 600, 610, .peer = -1, .match = 1,
	    .tag = -1);
	FAKE_CALL(f, 1, "File_iread_all", 600, 610, .peer = -1, .match = 1,
	    .tag = -1);
	expect_waits(f, "");
	fake_trace_free(f);
}

TEST_MAIN(a_member_waits_for_the_last_that_sends_to_it,
    a_member_waits_for_its_last_neighbour, all_members_are_as_in_n_to_n,
    all_members_wait_if_none_passes_bytes, members_without_a_set_are_left_out,
    ranks_that_are_no_members_are_left_out,
    a_part_of_the_world_has_ranks_of_its_own, groups_have_sources_in_each_other,
    a_request_has_the_sources_of_its_begin,
    members_wait_at_collectives_on_a_file, a_request_on_a_file_waits_at_its_end,
    files_without_a_number_are_left_out)
