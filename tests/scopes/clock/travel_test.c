/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/clock/travel_test.c - proves scopes/clock/travel.c: the times
 * that sockets measured bound the clocks of hosts
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "libpaths/base/times.h"
#include "scopes/run.h"

#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Collectors: above the proxy 0 (host a), below it 1 (host b). */
static const char pair_map[] =
    FAKE_MAP "thread t -process p\n"
	     "element e -process q -type f64 -keep 16\n"
	     "path t e {{collector} {proxy q} {collector} {element e}}\n";

#define OPERATIONS 50u
#define EVERY_NS UINT64_C(1000000)
#define AHEAD_NS INT64_C(123456789)
/* Travel of an operation and of its answer: as collectors see it, and as the
   sockets do. */
#define SLOW_NS INT64_C(40000)
#define QUICK_NS INT64_C(5000)

/* Makes a run of operations that take long, because threads have to wake up. */
static struct fake_run *
slow_run(void)
{
	struct fake_run *run = fake_run_create(pair_map, 64);

	fake_run_clock(run, 1, AHEAD_NS, 0);
	for (uint32_t seq = 0; seq < OPERATIONS; seq++) {
		uint64_t at = EVERY_NS * (seq + 1u);

		FAKE_OP(run, 0, WRITE, seq, at, at + 2 * SLOW_NS + 20);
		FAKE_OP(run, 1, WRITE, seq, at + SLOW_NS, at + SLOW_NS + 20);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

/* Writes the times of quick operations of process p into a folder. */
static void
write_times(const char *folder)
{
	static struct paths__times_record
	    r[PATHS__TIMES_REGION_BYTES / sizeof(struct paths__times_record)];
	const struct fake_clock a = { .offset_ns = 0 },
				b = { .offset_ns = AHEAD_NS };
	char file[300];
	FILE *out;

	r[0] = (struct paths__times_record){ .process = 1,
		.check = PATHS__TIMES_MAGIC };
	for (uint32_t n = 0; n < OPERATIONS; n++) {
		uint64_t there = EVERY_NS * (n + 1u);
		uint64_t back = there + 30000;

		r[1 + 2 * n] = (struct paths__times_record){ .process = 1,
			.sent = fake_clock_ticks(&a, there),
			.received = fake_clock_ticks(&b, there + QUICK_NS) };
		r[2 + 2 * n] = (struct paths__times_record){ .process = 1,
			.sent = fake_clock_ticks(&b, back),
			.received = fake_clock_ticks(&a, back + QUICK_NS) };
	}
	for (uint32_t n = 1; n <= 2 * OPERATIONS; n++)
		r[n].check = paths__times_check(&r[n]);
	snprintf(file, sizeof(file), "%s/p" PATHS__TIMES_FILE, folder);
	out = fopen(file, "w");
	EXPECT_TRUE(out != NULL);
	EXPECT_EQ(1, fwrite(r, sizeof(r), 1, out));
	EXPECT_OK(fclose(out));
}

/* Returns the bound of the clock of host b in the first window that has
   messages, behind the row of host a and the time before. */
static int64_t
bound_of(const struct fake_run *run)
{
	struct memory_sink *sink =
	    memory_sink_align(fake_run_dir(run), "clock", "network");
	int64_t bound = memory_sink_int(sink, "clock", 2, "bound_ns");

	EXPECT_EQ(AHEAD_NS, memory_sink_int(sink, "clock", 2, "offset_ns"));
	memory_sink_free(sink);
	return bound;
}

/* A window begins with a message there.  Until the first one back a rate may
   add a little to the error. */
static void
expect_bound(const struct fake_run *run, int64_t ns)
{
	int64_t bound = bound_of(run);

	EXPECT_TRUE(bound >= ns && bound <= ns + ns / 50);
}

static void
times_of_sockets_make_the_bound_narrow(void)
{
	struct fake_run *run = slow_run();

	expect_bound(run, SLOW_NS);
	write_times(fake_run_dir(run));
	expect_bound(run, QUICK_NS);
	fake_run_remove(run);
}

/* A live scope has the file of a process on another host in its folder of
   copies. */
static void
the_copy_of_the_file_is_read_where_the_run_has_none(void)
{
	struct fake_run *run = slow_run();
	char copies[] = "/tmp/travel.XXXXXX", file[64];

	EXPECT_TRUE(mkdtemp(copies) != NULL);
	write_times(copies);
	expect_bound(run, SLOW_NS);
	EXPECT_OK(es_run_use_copies(copies));
	expect_bound(run, QUICK_NS);
	EXPECT_OK(es_run_use_copies(NULL));
	snprintf(file, sizeof(file), "%s/p" PATHS__TIMES_FILE, copies);
	EXPECT_OK(unlink(file));
	EXPECT_OK(rmdir(copies));
	fake_run_remove(run);
}

TEST_MAIN(times_of_sockets_make_the_bound_narrow,
    the_copy_of_the_file_is_read_where_the_run_has_none)
