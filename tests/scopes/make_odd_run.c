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
 */

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

TEST_MAIN(early, crossed, inside, other)
