/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/seek_test.c - tuples are found by number and by time
 */

#include "scopes/run.h"

#include "libpaths/op.h"

#include "tests/test.h"

#include <string.h>

/* Returns a collector whose tuples lie in two spans. */
static struct es_collector
collector_of(const struct es_tuple_path *tuples, uint64_t count, uint64_t older)
{
	return (struct es_collector){ .type = es_tuple_type_find("path"),
		.count = count,
		.older = (const uint8_t *)tuples,
		.newer = (const uint8_t *)(tuples + older),
		.older_count = older };
}

/* Searches from the first tuple on. */
static uint64_t
plain_seek(const struct es_tuple_path *tuples, uint64_t count, uint32_t seq)
{
	uint64_t n = 0;

	while (n < count && tuples[n].seq < seq)
		n++;
	return n;
}

static void
check_all(const uint32_t *seqs, uint64_t count)
{
	struct es_tuple_path tuples[32] = { 0 };

	for (uint64_t n = 0; n < count; n++)
		tuples[n].seq = seqs[n];
	for (uint64_t older = 0; older <= count; older++) {
		struct es_collector c = collector_of(tuples, count, older);

		for (uint32_t seq = 0; seq < 40; seq++)
			EXPECT_EQ(plain_seek(tuples, count, seq),
			    es_collector_seek(&c, seq));
	}
}

static void
dense_numbers_with_gaps_and_repeats_are_found(void)
{
	check_all((const uint32_t[]){ 0 }, 0);
	check_all((const uint32_t[]){ 7 }, 1);
	check_all((const uint32_t[]){ 3, 4, 5, 6, 7, 8, 9 }, 7);
	check_all((const uint32_t[]){ 3, 4, 4, 4, 5, 6, 6, 7 }, 8);
	check_all((const uint32_t[]){ 1, 2, 10, 11, 12, 30, 31 }, 7);
	check_all((const uint32_t[]){ 5, 5, 5, 20, 20, 21 }, 6);
}

static void
a_start_is_found(void)
{
	struct es_tuple_path tuples[3] = { { .start = 10 }, { .start = 20 },
		{ .start = 30 } };
	struct es_collector c = collector_of(tuples, 3, 1);

	EXPECT_EQ(0, es_collector_seek_start(&c, 0));
	EXPECT_EQ(0, es_collector_seek_start(&c, 10));
	EXPECT_EQ(1, es_collector_seek_start(&c, 11));
	EXPECT_EQ(2, es_collector_seek_start(&c, 30));
	EXPECT_EQ(3, es_collector_seek_start(&c, 31));
}

/* Tuples start together in groups, and groups lie further and further apart. */
static void
starts_that_are_far_from_regular_are_found(void)
{
	enum { COUNT = 700 };
	static struct es_tuple_path tuples[COUNT];
	struct es_collector c = collector_of(tuples, COUNT, COUNT / 3);

	for (unsigned size = 1; size < 6; size++) {
		for (uint64_t n = 0; n < COUNT; n++) {
			tuples[n].start = 10;
			for (unsigned power = 0; power < size; power++)
				tuples[n].start *= n / size + 1;
		}
		for (uint64_t n = 0; n < COUNT; n++) {
			uint64_t start = tuples[n].start;
			uint64_t first = n / size * size, next = first + size;

			EXPECT_EQ(first, es_collector_seek_start(&c, start));
			EXPECT_EQ(first,
			    es_collector_seek_start(&c, start - 1));
			EXPECT_EQ(next < COUNT ? next : COUNT,
			    es_collector_seek_start(&c, start + 1));
		}
	}
}

/* Tuples are regular but for a break anywhere, so the guess is off by any
   distance. */
static void
starts_are_found_near_and_far(void)
{
	enum { COUNT = 300 };
	static struct es_tuple_path tuples[COUNT];
	struct es_collector c = collector_of(tuples, COUNT, COUNT / 3);

	for (uint64_t gap = 0; gap <= COUNT; gap++) {
		for (uint64_t n = 0; n < COUNT; n++)
			tuples[n].start = 10 * n + (n < gap ? 0 : 4000);
		for (uint64_t n = 0; n < COUNT; n++)
			EXPECT_EQ(n,
			    es_collector_seek_start(&c, tuples[n].start));
	}
}

static void
a_collector_without_a_space_has_no_tuples(void)
{
	struct es_collector c = { .type = NULL };

	EXPECT_EQ(0, es_collector_seek(&c, 5));
	EXPECT_EQ(0, es_collector_seek_start(&c, 5));
}

TEST_MAIN(dense_numbers_with_gaps_and_repeats_are_found, a_start_is_found,
    starts_that_are_far_from_regular_are_found, starts_are_found_near_and_far,
    a_collector_without_a_space_has_no_tuples)
