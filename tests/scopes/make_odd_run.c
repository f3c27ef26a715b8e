/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/make_odd_run.c - make_odd_run CASE: makes runs that are hard to
 * export
 *
 * Prints the name of a new run directory.
 *
 *	early	the clock of the second host is so uncertain that its first
 *		operation seems to be before the run
 *	crossed	passes on one thread overlap, and are not nested
 *	inside	some operations did not return
 *	other	tuples are of a type that no view reads
 *	windows	MPI: one-sided communication with locks, in an epoch and
 *		between fences, on a window of all ranks
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define US UINT64_C(1000)

static const char map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process q\n"
	     "element a -process p -type f64 -keep 16\n"
	     "element b -process q -type f64 -keep 16\n"
	     "path t0 a {{collector} {collector} {element a}}\n"
	     "path t0 b {{collector} {proxy q} {collector} {element b}}\n"
	     "path t1 b {{collector} {element b}}\n";

enum { A0, A1, B0, B2, OWN };

static void
made(struct fake_run *run)
{
	fake_run_end(run, FAKE_RUN_ENDED);
	puts(fake_run_dir(run));
	fake_run_forget(run);
}

/* Only one operation aligns the clocks; it was slow on its way down. */
static void
early(void)
{
	struct fake_run *run = fake_run_create(map, 64);

	fake_run_clock(run, 1, 5000 * (int64_t)US, 0.0);
	FAKE_OP(run, OWN, WRITE, 0, 1, 2 * US);
	FAKE_OP(run, B0, WRITE, 0, 10 * US, 900 * US);
	FAKE_OP(run, B2, WRITE, 0, 850 * US, 890 * US);
	FAKE_OP(run, OWN, WRITE, 1, 900 * US, 950 * US);
	made(run);
}

static void
crossed(void)
{
	struct fake_run *run = fake_run_create(map, 64);

	for (uint32_t n = 0; n < 10; n++) {
		uint64_t at = (n + 1) * 100 * US;

		FAKE_OP(run, A0, WRITE, n, at, at + 50 * US);
		FAKE_OP(run, A1, WRITE, n, at + 10 * US, at + 60 * US);
		FAKE_OP(run, B0, READ, n, at + 20 * US, at + 70 * US);
		FAKE_OP(run, B2, READ, n, at + 30 * US, at + 65 * US);
	}
	/* An operation that begins when another ends is not nested in it. */
	FAKE_OP(run, A0, WRITE, 10, 2000 * US, 2010 * US);
	FAKE_OP(run, B0, READ, 10, 2010 * US, 2020 * US);
	FAKE_OP(run, A1, WRITE, 10, 2020 * US, 2020 * US);
	made(run);
}

static void
inside(void)
{
	struct fake_run *run = fake_run_create(map, 64);

	FAKE_OP(run, A0, WRITE, 0, 10 * US, 50 * US);
	FAKE_OP(run, A1, WRITE, 0, 20 * US, 40 * US);
	FAKE_OP(run, A0, EXCHANGE, 1, 60 * US, 0);
	FAKE_OP(run, A1, EXCHANGE, 1, 70 * US, 0);
	FAKE_OP(run, OWN, READ, 0, 100 * US, 110 * US);
	FAKE_OP(run, OWN, READ, 1, 120 * US, 0);
	made(run);
}

/* Has field names that are words of other languages, gaps, and each kind of
   field. */
struct odd {
	uint64_t start;
	int8_t stream;
	uint8_t gap;
	uint16_t op;
	float event;
	double align;
	int64_t integer;
	uint64_t seen;
	int32_t string;
	uint32_t pad;
} __attribute__((packed, aligned(4)));

#define FIELD(member, of, unit_of) FIELD_AS(member, #member, of, unit_of)
#define FIELD_AS(member, called, of, unit_of) \
	{ \
		.name = called, .kind = PATHS_TYPE_##of, \
		.offset = offsetof(struct odd, member), \
		.bytes = sizeof(((struct odd *)0)->member), .unit = unit_of, \
		.about = "a field" \
	}

static const struct es_tuple_field odd_fields[] = {
	FIELD(start, U64, "ticks"),
	FIELD(integer, I64, ""),
	FIELD(stream, I8, ""),
	FIELD(op, U16, ""),
	FIELD(event, F32, ""),
	FIELD(align, F64, "K"),
	FIELD(seen, U64, "ticks"),
	FIELD_AS(string, "a \"b", I32, "bytes"),
};

static const struct es_tuple_type odd_type = {
	.name = "odd",
	.about = "a type for tests",
	.bytes = sizeof(struct odd),
	.field_count = sizeof(odd_fields) / sizeof(odd_fields[0]),
	.fields = odd_fields,
};

static void
other(void)
{
	struct fake_run *run;

	EXPECT_OK(es_tuple_type_register(&odd_type));
	run = fake_run_create_of(map, 64, &odd_type);
	for (uint32_t n = 0; n < 5; n++)
		fake_run_add_raw(run, A0,
		    &(struct odd){ .start = (n + 1) * US,
			.stream = -1,
			.gap = 255,
			.op = 7,
			.event = 0.5F * (float)n,
			.align = 0.25 - n,
			.integer = -INT64_C(5000000000) - n,
			.string = -3,
			.pad = UINT32_MAX });
	made(run);
}

#define RANKS 3u

/* Adds a call on window 1. */
#define WINDOW(rank, function, from, to, ...) \
	FAKE_MPI_CALL(run, rank, function, (from)*US, (to)*US, .tag = 1, \
	    __VA_ARGS__)

/* r0 locks the memory of r1.  Each access is completed by another call. */
static void
windows_locked(struct fake_mpi *run)
{
	WINDOW(0, "Win_lock", 30, 31, .peer = 1,
	    .match = ES_MPI_LOCK_EXCLUSIVE);
	WINDOW(0, "Put", 40, 41, .peer = 1, .bytes = 64);
	WINDOW(0, "Rget", 50, 51, .peer = 1, .bytes = 32, .match = 7);
	WINDOW(0, "Wait", 55, 56, .peer = 1, .match = 7);
	WINDOW(0, "Win_flush_local", 60, 61, .peer = 1);
	WINDOW(0, "Put", 65, 66, .peer = 1, .bytes = 16);
	WINDOW(0, "Win_unlock", 80, 82, .peer = 1);
}

/* Defines the set of one rank.  Returns the peer that stands for it. */
static int32_t
windows_group(struct fake_mpi *run, uint32_t rank, int32_t member)
{
	struct {
		struct es_mpi_rank_set set;
		struct es_mpi_ranks ranks;
	} group = { { .id = 1, .kind = ES_MPI_RANKS_GROUP, .runs = 1 },
		{ member, 1, 1 } };

	fake_mpi_log(run, rank, ES_MPI_ENTRY_RANK_SET, &group, sizeof(group));
	return es_mpi_peer_of_id(1);
}

/* r1 accesses the memory of r2. */
static void
windows_epoch(struct fake_mpi *run)
{
	WINDOW(1, "Win_start", 100, 101, .peer = windows_group(run, 1, 2));
	WINDOW(1, "Accumulate", 110, 111, .peer = 2, .bytes = 8);
	WINDOW(1, "Win_complete", 120, 121, .peer = ES_MPI_PEER_NONE);
	WINDOW(1, "Put", 140, 141, .peer = ES_MPI_PEER_PROC_NULL);
	WINDOW(2, "Win_post", 95, 96, .peer = windows_group(run, 2, 1));
	WINDOW(2, "Win_test", 97, 98, .peer = ES_MPI_PEER_NONE);
	WINDOW(2, "Win_test", 130, 131, .peer = ES_MPI_PEER_NONE, .match = 1);
}

static void
windows(void)
{
	struct fake_mpi *run = fake_mpi_create(RANKS, 64);

	for (uint32_t rank = 0; rank < RANKS; rank++)
		WINDOW(rank, "Win_allocate", 10 + rank, 20,
		    .peer = ES_MPI_PEER_NONE, .match = 1);
	windows_locked(run);
	windows_epoch(run);
	WINDOW(2, "Fetch_and_op", 150, 151, .peer = 0, .bytes = 4);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		WINDOW(rank, "Win_fence", 200 + rank, 210,
		    .peer = ES_MPI_PEER_NONE, .match = 2);
		WINDOW(rank, "Win_free", 300 + rank, 310,
		    .peer = ES_MPI_PEER_NONE, .match = 3);
	}
	WINDOW(0, "Win_sync", 320, 321, .peer = ES_MPI_PEER_NONE);
	/* It did not return. */
	WINDOW(0, "Win_fence", 400, 0, .peer = ES_MPI_PEER_NONE, .match = 4);
	fake_mpi_last(run, 1000 * US);
	fake_mpi_end(run, FAKE_RUN_KILLED);
	puts(fake_mpi_dir(run));
	fake_mpi_forget(run);
}

TEST_MAIN(early, crossed, inside, other, windows)
