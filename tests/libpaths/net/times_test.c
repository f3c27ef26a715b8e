/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/times_test.c - proves libpaths/net/times.c
 *
 * The times are made: the other clock is ahead by AHEAD and faster by a rate,
 * and frames travel LEAST, or longer.
 */

#include "libpaths/net/times_private.h"

#include "libpaths/clock.h"
#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AHEAD 1000000000000
#define LEAST 10000u
#define BEGIN UINT64_C(5000000000)
#define RECORDS (PATHS__TIMES_REGION_BYTES / sizeof(struct paths__times_record))

static char folder[] = "/tmp/times_test.XXXXXX";
static struct paths__times_record kept[4 * RECORDS];

/* Opens the region of a new file. */
static void
times_begin(struct paths__times *times)
{
	EXPECT_TRUE(mkdtemp(strcpy(folder, "/tmp/times_test.XXXXXX")) != NULL);
	paths__times_open(times, folder, "p", 7);
	EXPECT_TRUE(times->records != NULL);
}

/* Closes the region, and reads the file into `kept`; returns the number of its
   records. */
static size_t
times_end(struct paths__times *times)
{
	char file[64];
	ssize_t n;
	int fd;

	paths__times_close(times);
	snprintf(file, sizeof(file), "%s/p" PATHS__TIMES_FILE, folder);
	fd = open(file, O_RDONLY);
	EXPECT_TRUE(fd >= 0);
	n = read(fd, kept, sizeof(kept));
	close(fd);
	unlink(file);
	rmdir(folder);
	EXPECT_TRUE(n > 0 && (size_t)n % PATHS__TIMES_REGION_BYTES == 0);
	return (size_t)n / sizeof(kept[0]);
}

/* The stamp of the other clock at a time. */
static uint64_t
other(uint64_t at, double rate)
{
	return at + AHEAD + (uint64_t)(rate * (double)(at - BEGIN));
}

/* Adds an operation that begins at a time and takes longer by `there` and
   `back`. */
static void
times_trip(struct paths__times *times, uint64_t at, uint64_t there,
    uint64_t back, double rate)
{
	const uint64_t arrives = at + LEAST + there, left = arrives + 500;

	paths__times_add(times,
	    &(struct paths__times_four){ .t1 = at,
		.t2 = other(arrives, rate),
		.t3 = other(left, rate),
		.t4 = left + LEAST + back,
		.bytes = 36 });
}

static void
a_window_keeps_the_quickest_in_each_direction(void)
{
	struct paths__times times;

	times_begin(&times);
	times_trip(&times, BEGIN, 900, 800, 0);
	times_trip(&times, BEGIN + 50000, 0, 700, 0);
	times_trip(&times, BEGIN + 100000, 600, 0, 0);
	times_trip(&times, BEGIN + 150000, 500, 500, 0);
	EXPECT_EQ(RECORDS, times_end(&times));
	EXPECT_EQ(PATHS__TIMES_MAGIC, kept[0].check);
	EXPECT_EQ(7, kept[0].process);
	for (int n = 1; n <= 2; n++)
		EXPECT_EQ(paths__times_check(&kept[n]), kept[n].check);
	EXPECT_EQ(BEGIN + 50000, kept[1].sent);
	EXPECT_EQ(LEAST + AHEAD, kept[1].received - kept[1].sent);
	EXPECT_EQ(36, kept[1].bytes);
	EXPECT_EQ(LEAST, kept[2].received + AHEAD - kept[2].sent);
	EXPECT_EQ(BEGIN + 100000 + 2 * LEAST + 600 + 500, kept[2].received);
	EXPECT_EQ(0, kept[2].bytes);
	EXPECT_TRUE(paths__times_check(&kept[3]) != kept[3].check);
}

/* One operation and one answer of four windows are quick.  When there is
   no more room, these stay, although the other clock parts by more than they
   are quicker: by 100 us in a second. */
static void
longer_windows_keep_the_quickest_of_all(void)
{
	const uint64_t window = paths_clock_ns_to_ticks(PATHS__TIMES_WINDOW_NS);
	const uint32_t windows = 4 * PATHS__TIMES_WINDOWS;
	const double rate = 100e-6;
	struct paths__times times;
	size_t count = 0;

	times_begin(&times);
	for (uint32_t n = 0; n < windows; n++)
		times_trip(&times, BEGIN + n * (window + 100000),
		    n % 4 == 1 ? 0 : 20000, n % 4 == 2 ? 0 : 20000, rate);
	EXPECT_EQ(RECORDS, times_end(&times));
	for (size_t n = 1; n + 1 < RECORDS; n += 2, count++) {
		const double there =
		    (double)(int64_t)(kept[n].received - kept[n].sent - AHEAD) -
		    rate * (double)(kept[n].received - AHEAD - BEGIN);
		const double back = (double)(int64_t)(kept[n + 1].received +
					AHEAD - kept[n + 1].sent) +
		    rate * (double)(kept[n + 1].received - BEGIN);

		if (kept[n].check == 0)
			break;
		EXPECT_EQ(paths__times_check(&kept[n]), kept[n].check);
		/* The last windows may not have met all their neighbours. */
		if (kept[n].sent > BEGIN + (windows - 16) * window)
			continue;
		EXPECT_TRUE(there < LEAST + 1000);
		EXPECT_TRUE(back < LEAST + 1000);
	}
	EXPECT_TRUE(count > PATHS__TIMES_WINDOWS / 2 - 2);
}

static void
times_that_cannot_be_are_not_kept(void)
{
	static const struct paths__times_four wrong[] = {
		{ .t1 = BEGIN + 1, .t2 = 1, .t3 = 2, .t4 = BEGIN },
		{ .t1 = BEGIN, .t2 = 2, .t3 = 1, .t4 = BEGIN + 10 },
		{ .t1 = BEGIN, .t2 = 1, .t3 = 12, .t4 = BEGIN + 10 },
	};
	struct paths__times times;

	times_begin(&times);
	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++)
		paths__times_add(&times, &wrong[n]);
	EXPECT_EQ(RECORDS, times_end(&times));
	EXPECT_EQ(0, kept[1].check);
}

/* An operation that left 700 after it was put, and its answer 300 after. */
static struct paths__times_trip
left_late(uint64_t at, uint32_t serial)
{
	return (struct paths__times_trip){
		.four = { .t1 = at,
		    .t2 = other(at + LEAST + 700, 0),
		    .t3 = other(at + LEAST + 1000, 0),
		    .t4 = at + 2 * LEAST + 1300,
		    .bytes = 36 },
		.left = at + 700,
		.hop = 2,
		.serial = serial,
	};
}

/* Expects an operation that seems to travel longer by `late`, and its answer
   that does so by `answer_late`, among the records of one window. */
static void
expect_travels(uint64_t late, uint64_t answer_late)
{
	EXPECT_EQ(LEAST + late + AHEAD, kept[1].received - kept[1].sent);
	EXPECT_EQ(LEAST + answer_late, kept[2].received + AHEAD - kept[2].sent);
}

static void
stamps_of_the_kernel_are_used_in_both_directions_or_none(void)
{
	const uint64_t left = other(BEGIN + LEAST + 1300, 0);
	struct paths__times_trip trip = left_late(BEGIN, 5);
	struct paths__times times;

	times_begin(&times);
	paths__times_put(&times, &trip);
	paths__times_left(&times, 2, 5, left);
	times_end(&times);
	expect_travels(0, 0);

	/* Stamps of other operations change nothing. */
	times_begin(&times);
	paths__times_put(&times, &trip);
	paths__times_left(&times, 3, 5, left);
	paths__times_left(&times, 2, 4, left);
	times_end(&times);
	expect_travels(700, 300);

	times_begin(&times);
	trip.left = 0;
	paths__times_put(&times, &trip);
	paths__times_left(&times, 2, 5, left);
	times_end(&times);
	expect_travels(700, 300);
}

/* A large operation has no stamp, and its travel is not used.  Its answer may
   have one. */
static void
the_answer_to_a_large_operation_has_its_stamp(void)
{
	struct paths__times_trip trip = left_late(BEGIN, 5);
	struct paths__times times;

	times_begin(&times);
	trip.left = 0;
	trip.four.bytes = PATHS__TIMES_BYTES_MAX + 1;
	paths__times_put(&times, &trip);
	paths__times_left(&times, 2, 5, other(BEGIN + LEAST + 1300, 0));
	times_end(&times);
	expect_travels(700, 0);
}

static void
an_operation_is_kept_whether_or_not_its_answer_gets_a_stamp(void)
{
	const struct paths__times_trip one = left_late(BEGIN, 5);
	const struct paths__times_trip two = left_late(BEGIN + 200000000, 6);
	struct paths__times times;

	times_begin(&times);
	paths__times_put(&times, &one);
	paths__times_put(&times, &two);
	/* Too late, and one that the server cannot have. */
	paths__times_left(&times, 2, 5, one.four.t3 + 300);
	paths__times_left(&times, 2, 6, two.four.t3 - 1);
	times_end(&times);
	expect_travels(700, 300);
	EXPECT_EQ(BEGIN + 200000000, kept[3].sent);
	EXPECT_EQ(paths__times_check(&kept[4]), kept[4].check);
	EXPECT_TRUE(paths__times_check(&kept[5]) != kept[5].check);
}

static void
each_connection_has_a_region(void)
{
	struct paths__times one, two;

	times_begin(&one);
	paths__times_open(&two, folder, "p", 8);
	times_trip(&one, BEGIN, 0, 0, 0);
	times_trip(&two, BEGIN + 5, 0, 0, 0);
	paths__times_close(&two);
	EXPECT_EQ(2 * RECORDS, times_end(&one));
	EXPECT_EQ(7, kept[0].process);
	EXPECT_EQ(BEGIN, kept[1].sent);
	EXPECT_EQ(8, kept[RECORDS].process);
	EXPECT_EQ(BEGIN + 5, kept[RECORDS + 1].sent);
}

static void
without_a_file_nothing_is_kept(void)
{
	struct paths__times times;

	paths__times_open(&times, "/dev/null/none", "p", 1);
	EXPECT_TRUE(times.records == NULL);
	times_trip(&times, BEGIN, 0, 0, 0);
	paths__times_close(&times);
}

TEST_MAIN(a_window_keeps_the_quickest_in_each_direction,
    longer_windows_keep_the_quickest_of_all, times_that_cannot_be_are_not_kept,
    stamps_of_the_kernel_are_used_in_both_directions_or_none,
    the_answer_to_a_large_operation_has_its_stamp,
    an_operation_is_kept_whether_or_not_its_answer_gets_a_stamp,
    each_connection_has_a_region, without_a_file_nothing_is_kept)
