/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/clock/timebase_test.c - stamps are converted piece by piece
 */

#include "scopes/timebase.h"

#include "tests/test.h"

#include <stdlib.h>

#define ONE ((int64_t)1 << 48)

/* Pieces that do not divide time evenly, one of them after a jump. */
static const struct es_time_piece pieces[] = {
	{ 1000, 5000, ONE },	   /* to 6000 at 2000 */
	{ 2000, 6000, 2 * ONE },   /* to 6200 at 2100 */
	{ 2100, 6300, ONE / 2 },   /* after a jump; to 10250 at 10000 */
	{ 10000, 10250, ONE },	   /* to 10251 at 10001 */
	{ 10001, 10251, 4 * ONE }, /* and on */
};

#define PIECES (uint32_t)(sizeof(pieces) / sizeof(pieces[0]))

/* Converts by trying all pieces. */
static int64_t
slow_ns(uint64_t ticks)
{
	uint32_t n = PIECES - 1;

	while (n > 0 && pieces[n].from > ticks)
		n--;
	return es_time_piece_ns(&pieces[n], ticks);
}

static void
each_stamp_has_the_piece_that_holds_for_it(void)
{
	struct es_timebase base;

	EXPECT_OK(es_timebase_init(&base, pieces, PIECES));
	for (uint64_t ticks = 0; ticks < 30000; ticks++)
		EXPECT_EQ(slow_ns(ticks), es_time_ns(&base, ticks));
	EXPECT_EQ(5000 - 1000, es_time_ns(&base, 0));
	EXPECT_EQ(10251 + 4 * 1000000, es_time_ns(&base, 10001 + 1000000));
	es_timebase_fini(&base);
}

static void
the_first_stamp_at_or_after_a_time_is_found(void)
{
	struct es_timebase base;

	EXPECT_OK(es_timebase_init(&base, pieces, PIECES));
	for (int64_t ns = 4100; ns < 20000; ns++) {
		uint64_t ticks = es_time_ticks(&base, ns);

		EXPECT_TRUE(es_time_ns(&base, ticks) >= ns);
		EXPECT_TRUE(es_time_ns(&base, ticks - 1) < ns);
	}
	es_timebase_fini(&base);
}

static void
pieces_that_go_back_are_refused(void)
{
	struct es_time_piece wrong[2] = { { 10, 100, ONE }, { 20, 109, ONE } };
	struct es_timebase base = { 0, 0, 0, NULL };

	EXPECT_EQ(PATHS_EINVAL, es_timebase_init(&base, wrong, 2));
	EXPECT_EQ(PATHS_EINVAL, es_timebase_init(&base, wrong, 0));
	wrong[1] = (struct es_time_piece){ 10, 200, ONE };
	EXPECT_EQ(PATHS_EINVAL, es_timebase_init(&base, wrong, 2));
	wrong[1] = (struct es_time_piece){ 20, 200, -ONE };
	EXPECT_EQ(PATHS_EINVAL, es_timebase_init(&base, wrong, 2));
	wrong[1] = (struct es_time_piece){ 20, 110, ONE };
	EXPECT_OK(es_timebase_init(&base, wrong, 2));
	es_timebase_fini(&base);
}

static void
pieces_can_be_appended_copied_and_shifted(void)
{
	struct es_timebase base = { 0, 0, 0, NULL }, copy;
	struct es_time_piece piece;

	for (uint32_t n = 0; n < PIECES; n++)
		EXPECT_OK(es_timebase_append(&base, &pieces[n]));
	EXPECT_EQ(PATHS_EINVAL, es_timebase_append(&base, &pieces[0]));
	EXPECT_OK(es_timebase_copy(&base, &copy));
	es_timebase_shift(&base, 7);
	EXPECT_EQ(slow_ns(5000) + 7, es_time_ns(&base, 5000));
	es_timebase_fini(&base);
	EXPECT_EQ(slow_ns(5000), es_time_ns(&copy, 5000));
	EXPECT_TRUE(es_timebase_piece(&copy, PIECES - 1, &piece));
	EXPECT_EQ(10251, piece.ns);
	EXPECT_TRUE(!es_timebase_piece(&copy, PIECES, &piece));
	/* The mean rate is that from the first piece to the last. */
	EXPECT_EQ(9000 * 5251 / 9001, es_time_span(&copy, 9000));
	es_timebase_fini(&copy);
}

/* Appends 4,096 pieces of uneven lengths, the last ones long; the curve is made
   anew a few times only, and finds the same pieces as one that is made at
   once. */
static void
many_pieces_are_appended_in_place(void)
{
	struct es_time_piece many[4096] = { { 1000, 0, ONE } }, piece;
	struct es_timebase grown = { 0, 0, 0, NULL }, whole;
	const struct es_time_curve *curve = NULL;
	uint32_t random = 1;
	unsigned made = 0;

	for (uint32_t n = 1; n < 4096; n++) {
		random = random * 1664525u + 1013904223u;
		many[n].from = many[n - 1].from + 1 + (random >> 20) +
		    (n > 4000 ? 1000000 : 0);
		many[n].mult = ONE + (random >> 8);
		many[n].ns = es_time_piece_ns(&many[n - 1], many[n].from);
	}
	for (uint32_t n = 0; n < 4096; n++) {
		EXPECT_OK(es_timebase_append(&grown, &many[n]));
		made += grown.curve != curve;
		curve = grown.curve;
		EXPECT_EQ(n, es_timebase_find(&grown, many[n].from));
	}
	EXPECT_TRUE(made < 64);
	EXPECT_OK(es_timebase_init(&whole, many, 4096));
	EXPECT_EQ(whole.mult, grown.mult);
	for (uint32_t n = 0; n < 4096; n++)
		for (int64_t away = -2; away <= 2; away++) {
			uint64_t ticks = many[n].from + (uint64_t)away;

			EXPECT_EQ(es_timebase_find(&whole, ticks),
			    es_timebase_find(&grown, ticks));
			EXPECT_EQ(es_time_ns(&whole, ticks),
			    es_time_ns(&grown, ticks));
		}
	EXPECT_TRUE(es_timebase_piece(&grown, 4095, &piece));
	EXPECT_EQ(PATHS_EINVAL, es_timebase_append(&grown, &many[0]));
	es_timebase_fini(&whole);
	es_timebase_fini(&grown);
}

TEST_MAIN(each_stamp_has_the_piece_that_holds_for_it,
    the_first_stamp_at_or_after_a_time_is_found,
    pieces_that_go_back_are_refused, pieces_can_be_appended_copied_and_shifted,
    many_pieces_are_appended_in_place)
