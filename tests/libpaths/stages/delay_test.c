/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/delay_test.c - proves libpaths/stages/delay.c,
 * throttle.c and null.c
 *
 * The tests check the delays by the counters of the stage.  They check elapsed
 * time only against a lower bound, because a thread can wake up late.
 */

#include "libpaths/clock.h"

#include "tests/libpaths/stages/help.h"

#define MS_NS UINT64_C(1000000)

struct delay_world {
	struct paths_program *program;
	struct paths_path *path;
};

static struct delay_world
world_open(const char *chain)
{
	struct delay_world w;
	char map[256];

	snprintf(map, sizeof(map),
	    "%sthread t -process p\npath t e {%s {element e}}\n"
	    "element e -process p -type u8*1000 -full discard\n",
	    HELP_HEAD, chain);
	w.program = help_open(map);
	w.path = help_path(w.program, "t", "e");
	return w;
}

/* Writes a count of tuples.  Returns the ticks that this took. */
static uint64_t
world_write(struct delay_world *w, int count)
{
	static const unsigned char tuple[1000];
	uint64_t start = paths_clock_ticks_ordered();

	for (int n = 0; n < count; n++)
		EXPECT_OK(paths_path_write(w->path, tuple, sizeof(tuple)));
	return paths_clock_ticks_ordered() - start;
}

static void
a_delay_lasts_at_least_its_time(void)
{
	struct delay_world w = world_open("{delay 1ms}");

	EXPECT_TRUE(world_write(&w, 3) >= 3 * paths_clock_ns_to_ticks(MS_NS));
	EXPECT_EQ(3, help_stat(w.path, 0, 0));
	EXPECT_EQ(3 * paths_clock_ns_to_ticks(MS_NS), help_stat(w.path, 0, 1));
	paths_program_close(w.program);
}

static void
a_delay_of_0_does_not_wait(void)
{
	struct delay_world w = world_open("{delay 0}");

	world_write(&w, 10);
	EXPECT_EQ(0, help_stat(w.path, 0, 1));
	paths_program_close(w.program);
}

static void
every_third_is_delayed_beginning_with_the_first(void)
{
	struct delay_world w = world_open("{delay 1us -every 3}");

	world_write(&w, 1);
	EXPECT_EQ(1, help_stat(w.path, 0, 0));
	world_write(&w, 2);
	EXPECT_EQ(1, help_stat(w.path, 0, 0));
	world_write(&w, 1);
	EXPECT_EQ(2, help_stat(w.path, 0, 0));
	paths_program_close(w.program);
	EXPECT_EQ(PATHS_ESYNTAX,
	    help_refused(HELP_HEAD "thread t -process p\n"
				   "path t e {{delay 1us -every 0} {null}}\n"));
}

static double
mean_of(const char *chain, int count)
{
	struct delay_world w = world_open(chain);
	double ns;

	world_write(&w, count);
	ns = (double)paths_clock_ticks_to_ns(help_stat(w.path, 0, 1)) / count;
	paths_program_close(w.program);
	return ns;
}

/* The seed is fixed, so the numbers are the same every time. */
static void
random_delays_have_the_mean_they_are_given(void)
{
	EXPECT_NEAR(2000, mean_of("{delay 2us -random uniform}", 2000), 60);
	EXPECT_NEAR(2000, mean_of("{delay 2us -random exponential}", 2000),
	    150);
}

static void
a_seed_gives_the_same_delays_again(void)
{
	double one = mean_of("{delay 1us -random uniform -seed 7}", 100);

	EXPECT_TRUE(one == mean_of("{delay 1us -random uniform -seed 7}", 100));
	EXPECT_TRUE(one != mean_of("{delay 1us -random uniform -seed 8}", 100));
	EXPECT_TRUE(mean_of("{delay 1us -random uniform -seed 0}", 100) > 0);
}

static void
a_deadline_ends_an_operation_that_is_delayed(void)
{
	struct delay_world w = world_open("{delay 1000s}");
	unsigned char tuple[1000] = { 0 };

	paths_path_deadline(w.path, MS_NS);
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_write(w.path, tuple, sizeof(tuple)));
	EXPECT_EQ(0, help_stat(w.path, 1, 0));
	paths_program_close(w.program);
}

/* A tuple of 1000 bytes takes 1 ms at 1 MB/s.  Each of the 4 delays is rounded
   down by up to one tick. */
static void
a_throttle_keeps_to_its_rate(void)
{
	struct delay_world w = world_open("{throttle 1M}");

	EXPECT_TRUE(
	    world_write(&w, 4) >= 4 * paths_clock_ns_to_ticks(MS_NS) - 4);
	EXPECT_EQ(4, help_stat(w.path, 0, 0));
	paths_program_close(w.program);
}

/* A burst of 3000 bytes lets three tuples pass at once.  The fourth would wait
   about 10 s, so the deadline of 1 ms ends it. */
static void
an_idle_throttle_passes_a_burst_at_once(void)
{
	struct delay_world w = world_open("{throttle 100 -burst 3000}");
	unsigned char tuple[1000] = { 0 };

	world_write(&w, 3);
	EXPECT_EQ(0, help_stat(w.path, 0, 0));
	paths_path_deadline(w.path, MS_NS);
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_write(w.path, tuple, sizeof(tuple)));
	EXPECT_EQ(1, help_stat(w.path, 0, 0));
	paths_program_close(w.program);
}

static void
a_throttle_with_rate_0_is_refused(void)
{
	EXPECT_EQ(PATHS_ESYNTAX,
	    help_refused(HELP_HEAD "thread t -process p\n"
				   "path t e {{throttle 0} {null}}\n"));
}

static void
null_takes_writes_and_refuses_reads(void)
{
	struct paths_program *program = help_open(HELP_HEAD
	    "thread t -process p\npath t e {{j}}\n"
	    "stage j barrier -process p -inputs 1 -type u8*4 -next {{null}}\n");
	struct paths_path *path = help_path(program, "t", "e");
	char tuple[4] = "abc";

	EXPECT_OK(paths_path_write(path, tuple, 4));
	EXPECT_OK(paths_path_exchange(path, tuple, 4));
	EXPECT_STR_EQ("abc", tuple);
	EXPECT_EQ(PATHS_EINVAL, paths_path_read(path, tuple, 4));
	EXPECT_TRUE(help_reason_has(path, "takes no read"));
	paths_program_close(program);
}

TEST_MAIN(a_delay_lasts_at_least_its_time, a_delay_of_0_does_not_wait,
    every_third_is_delayed_beginning_with_the_first,
    random_delays_have_the_mean_they_are_given,
    a_seed_gives_the_same_delays_again,
    a_deadline_ends_an_operation_that_is_delayed, a_throttle_keeps_to_its_rate,
    an_idle_throttle_passes_a_burst_at_once, a_throttle_with_rate_0_is_refused,
    null_takes_writes_and_refuses_reads)
