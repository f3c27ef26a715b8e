/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/due_test.c - proves libpaths/net/due.c
 */

#include "libpaths/net/due_private.h"

#include "libpaths/clock.h"
#include "tests/test.h"

#include <poll.h>
#include <sys/timerfd.h>

#define COUNT 200u

static struct paths_op ops[COUNT];

/* Spreads COUNT numbers over their range. */
static uint32_t
spread(uint32_t n)
{
	return n * 77 % COUNT;
}

static void
operations_come_out_in_the_order_of_their_times(void)
{
	struct paths__due due;

	EXPECT_EQ(0, paths__due_init(&due));
	for (uint32_t n = 0; n < COUNT; n++)
		EXPECT_TRUE(
		    paths__due_add(&due, &ops[spread(n)], spread(n) + 1));
	for (uint32_t n = 0; n < COUNT; n++)
		EXPECT_TRUE(paths__due_take(&due) == &ops[n]);
	EXPECT_TRUE(paths__due_take(&due) == NULL);
	paths__due_fini(&due);
}

static void
a_removed_operation_does_not_come_out(void)
{
	struct paths__due due;

	EXPECT_EQ(0, paths__due_init(&due));
	for (uint32_t n = 0; n < COUNT; n++)
		EXPECT_TRUE(
		    paths__due_add(&due, &ops[spread(n)], spread(n) + 1));
	for (uint32_t n = 0; n < COUNT; n += 2)
		EXPECT_TRUE(paths__due_remove(&due, &ops[n]));
	EXPECT_TRUE(!paths__due_remove(&due, &ops[0]));
	for (uint32_t n = 1; n < COUNT; n += 2)
		EXPECT_TRUE(paths__due_take(&due) == &ops[n]);
	EXPECT_TRUE(paths__due_take(&due) == NULL);
	paths__due_fini(&due);
}

static void
an_operation_does_not_come_out_before_its_time(void)
{
	struct paths_op *out;
	struct paths__due due;
	uint64_t at, before;
	struct pollfd p = { .events = POLLIN };

	EXPECT_EQ(0, paths__due_init(&due));
	/* A busy machine may come too late to look before the time. */
	do {
		at = paths_clock_ticks() + paths_clock_ns_to_ticks(3000000);
		EXPECT_TRUE(paths__due_add(&due, &ops[0], at));
		out = paths__due_take(&due);
		EXPECT_TRUE(out == NULL || paths_clock_ticks() >= at);
	} while (out != NULL);
	p.fd = due.fd;
	EXPECT_EQ(1, poll(&p, 1, 60000));
	/* The timer may expire a little early; it is set again then. */
	do {
		before = paths_clock_ticks();
		out = paths__due_take(&due);
		EXPECT_TRUE(out != NULL || before < at + paths_clock_hz());
	} while (out == NULL);
	EXPECT_TRUE(paths_clock_ticks() >= at);
	paths__due_fini(&due);
}

/* Sets the timer so often that one remainder is 999999999 ns.  The time does
   not come meanwhile. */
static void
the_timer_is_set_for_every_remainder(void)
{
	struct itimerspec when;
	struct paths__due due;

	EXPECT_EQ(0, paths__due_init(&due));
	for (uint32_t n = 0; n < 20000; n++) {
		EXPECT_TRUE(paths__due_add(&due, &ops[0],
		    paths_clock_ticks() +
			paths_clock_ns_to_ticks(
			    UINT64_C(100000000000) + n % 400)));
		EXPECT_EQ(0, timerfd_gettime(due.fd, &when));
		EXPECT_TRUE(
		    when.it_value.tv_sec > 0 || when.it_value.tv_nsec > 0);
		EXPECT_TRUE(paths__due_remove(&due, &ops[0]));
		EXPECT_TRUE(paths__due_take(&due) == NULL);
	}
	paths__due_fini(&due);
}

TEST_MAIN(operations_come_out_in_the_order_of_their_times,
    a_removed_operation_does_not_come_out,
    an_operation_does_not_come_out_before_its_time,
    the_timer_is_set_for_every_remainder)
