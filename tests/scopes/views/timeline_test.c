/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/timeline_test.c - multi-resolution summary for timelines
 */

#include "scopes/timeline.h"

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include "collectors/mpi_function.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

static const char map_text[] =
    FAKE_MAP_THREADS "path v e {{collector} {proxy p} {element e}}\n";

/* Rows by number: the threads; process p, which is host a too; the run.
   Process q and host b share the row of thread v. */
enum { T, U, V, P, RUN };

/* Sums over one level of one row. */
struct level {
	double covered_ns; /* of one thread */
	uint64_t starts;
	uint32_t longest_ns;
	uint64_t buckets;
};

static struct level
level_of(const struct memory_sink *sink, int64_t row, int64_t level)
{
	double width = (double)(memory_sink_int(sink, "timeline_row",
				    (size_t)row, "bucket_ns")
	    << level);
	size_t rows = memory_sink_rows(sink, "timeline_level");
	struct level sum = { 0 };

	for (size_t n = 0; n < rows; n++) {
		const struct es_timeline_bucket *b;
		size_t bytes;

		if (memory_sink_int(sink, "timeline_level", n, "row") != row ||
		    memory_sink_int(sink, "timeline_level", n, "level") !=
			level)
			continue;
		EXPECT_EQ((int64_t)(sum.buckets / ES_TIMELINE_CHUNK),
		    memory_sink_int(sink, "timeline_level", n, "chunk"));
		b = memory_sink_blob(sink, "timeline_level", n, "data", &bytes);
		for (size_t i = 0; i < bytes / sizeof(*b); i++) {
			uint32_t longest = le32toh(b[i].longest_ns);

			sum.covered_ns += le16toh(b[i].covered) * width / 65535;
			sum.starts += le16toh(b[i].starts);
			if (longest > sum.longest_ns)
				sum.longest_ns = longest;
			sum.buckets++;
		}
	}
	return sum;
}

/* Returns the buckets of a level; the caller frees them. */
static struct es_timeline_bucket *
buckets_of(const struct memory_sink *sink, int64_t row, int64_t level)
{
	size_t rows = memory_sink_rows(sink, "timeline_level");
	struct es_timeline_bucket *all = calloc(1 << 17, sizeof(*all));

	EXPECT_TRUE(all != NULL);
	for (size_t n = 0; n < rows; n++) {
		const void *blob;
		int64_t chunk;
		size_t bytes;

		if (memory_sink_int(sink, "timeline_level", n, "row") != row ||
		    memory_sink_int(sink, "timeline_level", n, "level") !=
			level)
			continue;
		chunk = memory_sink_int(sink, "timeline_level", n, "chunk");
		blob =
		    memory_sink_blob(sink, "timeline_level", n, "data", &bytes);
		memcpy(&all[chunk * ES_TIMELINE_CHUNK], blob, bytes);
	}
	return all;
}

static void
check_next_level(const struct memory_sink *sink, int64_t row, int64_t level)
{
	struct es_timeline_bucket *low = buckets_of(sink, row, level);
	struct es_timeline_bucket *high = buckets_of(sink, row, level + 1);
	uint64_t buckets =
	    (uint64_t)memory_sink_int(sink, "timeline_row", 0, "buckets");

	for (uint64_t n = 0; n <= buckets >> (level + 1); n++) {
		const struct es_timeline_bucket *a = &low[2 * n];
		uint32_t longest = le32toh(a[0].longest_ns);

		if (le32toh(a[1].longest_ns) > longest)
			longest = le32toh(a[1].longest_ns);
		EXPECT_EQ(longest, le32toh(high[n].longest_ns));
		EXPECT_EQ(le16toh(a[0].starts) + le16toh(a[1].starts),
		    le16toh(high[n].starts));
		EXPECT_NEAR((le16toh(a[0].covered) + le16toh(a[1].covered)) /
			2.0,
		    le16toh(high[n].covered), 1);
	}
	free(low);
	free(high);
}

/* Checks all levels of a run with `count` operations of each thread. */
static void
check_all_levels(struct memory_sink *sink, uint64_t count,
    const double covered_ns[3])
{
	int64_t levels = memory_sink_int(sink, "timeline_row", 0, "levels");
	double all_ns = covered_ns[T] + covered_ns[U] + covered_ns[V];

	for (int64_t l = 0; l < levels; l++) {
		struct level p = level_of(sink, P, l);
		struct level run = level_of(sink, RUN, l);

		for (int64_t row = T; row <= V; row++) {
			struct level t = level_of(sink, row, l);

			EXPECT_NEAR(covered_ns[row], t.covered_ns, 10000);
			EXPECT_EQ(count, t.starts);
		}
		EXPECT_NEAR((covered_ns[T] + covered_ns[U]) / 2, p.covered_ns,
		    10000);
		EXPECT_NEAR(all_ns / 3, run.covered_ns, 10000);
		EXPECT_EQ(2 * count, p.starts);
		EXPECT_EQ(3 * count, run.starts);
		EXPECT_EQ(3000000, level_of(sink, U, l).longest_ns);
		EXPECT_EQ(3000000, p.longest_ns);
		EXPECT_EQ(3000000, run.longest_ns);
		if (l + 1 < levels) {
			check_next_level(sink, T, l);
			check_next_level(sink, RUN, l);
		}
		EXPECT_TRUE(l + 1 < levels ? p.buckets > ES_TIMELINE_TOP :
					     p.buckets <= ES_TIMELINE_TOP);
	}
}

/* There are so many operations that a row has several blocks. */
static void
every_level_has_all_time_all_starts_and_the_longest(void)
{
	enum { COUNT = 200000 };
	struct fake_run *run = fake_run_create(map_text, COUNT);
	struct memory_sink *sink, *threads;
	double covered_ns[3] = { 0 };
	uint64_t at[3] = { 10, 10, 10 };
	char *text;

	srand(3);
	for (uint32_t n = 0; n < 3 * COUNT; n++) {
		uint32_t row = n % 3;
		uint64_t time = 1 + (uint64_t)(rand() % 1000);

		/* One long wait lies across the end of the first block. */
		if (row == U && at[U] < 66000000 && at[U] + 3000000 > 68000000)
			time = 3000000;
		FAKE_OP(run, row, WRITE, n / 3, at[row], at[row] + time);
		covered_ns[row] += (double)time;
		at[row] += time + (uint64_t)(rand() % 1000);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "timeline", 2);
	EXPECT_EQ(4096, memory_sink_int(sink, "timeline_row", 0, "bucket_ns"));
	check_all_levels(sink, COUNT, covered_ns);
	threads = memory_sink_compute(fake_run_dir(run), "timeline", 1);
	text = strdup(memory_sink_text(sink, "timeline_level"));
	EXPECT_STR_EQ(text, memory_sink_text(threads, "timeline_level"));
	free(text);
	memory_sink_free(threads);
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* A bucket is u16 covered, u16 starts, u32 longest, little-endian. */
static void
buckets_have_the_format_of_the_header(void)
{
	static const uint8_t want[9][8] = {
		[2] = { 0xff, 0xff, 1, 0, 2, 0, 0, 0 },
		[3] = { 0xff, 0xff, 0, 0, 2, 0, 0, 0 },
		[5] = { 0, 0, 1, 0, 1, 0, 0, 0 }, /* of no duration */
		[7] = { 0xff, 0xff, 1, 0, 1, 0, 0, 0 },
	};
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;
	const void *blob;
	size_t bytes;

	FAKE_OP(run, 0, WRITE, 0, 2, 4);
	FAKE_OP(run, 0, WRITE, 1, 5, 5);
	FAKE_OP(run, 0, WRITE, 2, 7, 8);
	FAKE_OP(run, 1, WRITE, 0, 0, 8);
	FAKE_OP(run, 2, WRITE, 0, 0, 8);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "timeline", 1);
	EXPECT_STR_EQ("0|thread|0|1|1|9|1|write\n"
		      "1|thread|1|1|1|9|1|write\n"
		      "2|thread|2|1|1|9|1|write\n"
		      "3|process|0|2|1|9|1|write\n"
		      "2|process|1|1|1|9|1|write\n"
		      "3|host|0|2|1|9|1|write\n"
		      "2|host|1|1|1|9|1|write\n"
		      "4|run|0|3|1|9|1|write\n",
	    memory_sink_text(sink, "timeline_row"));
	blob = memory_sink_blob(sink, "timeline_level", 0, "data", &bytes);
	EXPECT_EQ(sizeof(want), bytes);
	EXPECT_MEM_EQ(want, blob, sizeof(want));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
add_call(struct fake_run *run, uint32_t seq, uint16_t op, uint64_t start,
    uint64_t stop)
{
	struct es_tuple_mpi tuple = { .start = start,
		.stop = stop,
		.seq = seq,
		.op = op };

	fake_run_add_raw(run, 0, &tuple);
}

/* The tuple before the second block is a completed request, not the call. */
static void
a_call_with_completions_is_counted_across_blocks(void)
{
	enum { COUNT = 100000, STEP = 1000 };
	struct fake_run *run =
	    fake_run_create_of(map_text, COUNT + 3, es_tuple_type_find("mpi"));
	struct memory_sink *sink;
	int64_t block_ns;
	uint64_t wait_at;

	/* Buckets of 4096 ns are enough, so the length of a block is known. */
	block_ns = INT64_C(4096) * 16 * ES_TIMELINE_CHUNK;
	wait_at = (uint64_t)block_ns / STEP - 100;
	for (uint32_t seq = 0; seq < COUNT; seq++) {
		uint64_t at = (uint64_t)seq * STEP;

		if (seq == wait_at) {
			add_call(run, seq, 2, at, at + 200 * STEP);
			for (int n = 0; n < 3; n++)
				add_call(run, seq, ES_MPI_COMPLETED, at,
				    at + 200 * STEP);
		} else if (seq < wait_at || seq > wait_at + 200) {
			add_call(run, seq, 2, at, at + STEP / 2);
		}
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "timeline", 1);
	EXPECT_EQ(4096, memory_sink_int(sink, "timeline_row", 0, "bucket_ns"));
	EXPECT_NEAR((COUNT - 201) * (STEP / 2) + 200 * STEP,
	    level_of(sink, 0, 0).covered_ns, 10000);
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Returns the time of a class in a row, at a level. */
static double
class_of(const struct memory_sink *sink, const char *table, int64_t row,
    const char *class, int64_t level)
{
	size_t rows = memory_sink_rows(sink, table);
	double width =
	    (double)(memory_sink_int(sink, "timeline_row", 0, "bucket_ns")
		<< level);
	double sum = 0;

	for (size_t n = 0; n < rows; n++) {
		const char *of = memory_sink_string(sink, table, n, "class");
		size_t bytes;
		const uint16_t *shares =
		    memory_sink_blob(sink, table, n, "data", &bytes);

		if (memory_sink_int(sink, table, n, "row") != row ||
		    memory_sink_int(sink, table, n, "level") != level ||
		    strcmp(of, class) != 0)
			continue;
		for (size_t i = 0; i < bytes / 2; i++)
			sum += le16toh(shares[i]) * width / 65535;
	}
	return sum;
}

/* The shares of groups have the time of each kind of operation, and those of
   waits the time that a read waited for its write, at all levels. */
static void
classes_have_the_time_of_groups_and_of_waits(void)
{
	enum { COUNT = 100000, STEP = 1000 };
	static const char text[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "path t e {{collector} {element e}}\n"
		     "path u e {{collector} {element e}}\n";
	struct fake_run *run = fake_run_create(text, COUNT);
	uint64_t waited = 0, read = 0, written = 0;
	struct memory_sink *sink;

	srand(7);
	for (uint32_t n = 0; n < COUNT; n++) {
		uint64_t at = (uint64_t)n * STEP;
		uint64_t wait = (uint64_t)(rand() % 400);
		uint64_t rest = 1 + (uint64_t)(rand() % 100);

		/* The end of its write ends the wait of a read. */
		FAKE_OP(run, T, WRITE, n, at + wait, at + wait + 50);
		FAKE_OP(run, U, READ, n, at, at + wait + rest);
		waited += wait + (rest < 50 ? rest : 50);
		read += wait + rest;
		written += 50;
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	EXPECT_EQ((int64_t)waited,
	    memory_sink_sum(sink, "waits_for", "wait_ns"));
	for (int64_t l = 1;
	     l < memory_sink_int(sink, "timeline_row", 0, "levels"); l++) {
		/* Process p, row 2, has the mean over its threads. */
		EXPECT_NEAR((double)written,
		    2 * class_of(sink, "timeline_group", 2, "write", l), 9000);
		EXPECT_NEAR((double)read,
		    2 * class_of(sink, "timeline_group", 2, "read", l), 9000);
		EXPECT_NEAR((double)waited,
		    class_of(sink, "timeline_wait", 1, "read", l), 9000);
		EXPECT_NEAR((double)waited,
		    2 * class_of(sink, "timeline_wait", 2, "read", l), 9000);
	}
	/* Threads with one kind of operations need no shares. */
	EXPECT_TRUE(class_of(sink, "timeline_group", 1, "read", 1) == 0);
	EXPECT_EQ(COUNT, memory_sink_sum(sink, "timeline_span", "waits"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
an_operation_that_has_not_returned_lasts_to_the_end(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	FAKE_OP(run, T, WRITE, 0, 0, 1000);
	FAKE_OP(run, T, WRITE, 1, 20000, 0);
	FAKE_OP(run, U, WRITE, 0, 0, 100000);
	/* An operation that others follow may have returned at any time. */
	FAKE_OP(run, V, WRITE, 0, 5000, 0);
	FAKE_OP(run, V, WRITE, 1, 7000, 8000);
	fake_run_end(run, FAKE_RUN_KILLED);
	sink = memory_sink_compute(fake_run_dir(run), "timeline", 1);
	for (int64_t l = 0;
	     l < memory_sink_int(sink, "timeline_row", 0, "levels"); l++) {
		struct level t = level_of(sink, T, l);

		EXPECT_NEAR(81000, t.covered_ns, 10);
		EXPECT_EQ(2, t.starts);
		EXPECT_EQ(80000, t.longest_ns);
		EXPECT_NEAR(1000, level_of(sink, V, l).covered_ns, 10);
		EXPECT_NEAR((81000 + 100000) / 2,
		    level_of(sink, P, l).covered_ns, 10);
	}
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* The last operation may begin after all others ended. */
static void
the_run_lasts_to_the_last_start(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	FAKE_OP(run, U, WRITE, 0, 0, 1000);
	FAKE_OP(run, T, WRITE, 0, 5000, 0);
	fake_run_end(run, FAKE_RUN_KILLED);
	sink = memory_sink_compute(fake_run_dir(run), "timeline", 1);
	EXPECT_EQ(5000 / memory_sink_int(sink, "timeline_row", 0, "bucket_ns") +
		1,
	    memory_sink_int(sink, "timeline_row", 0, "buckets"));
	EXPECT_EQ(1, level_of(sink, T, 0).starts);
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(every_level_has_all_time_all_starts_and_the_longest,
    buckets_have_the_format_of_the_header,
    a_call_with_completions_is_counted_across_blocks,
    classes_have_the_time_of_groups_and_of_waits,
    an_operation_that_has_not_returned_lasts_to_the_end,
    the_run_lasts_to_the_last_start)
