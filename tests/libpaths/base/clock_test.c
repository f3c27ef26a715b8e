/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/clock_test.c - proves libpaths/base/clock.c
 */

#include "libpaths/clock.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t
monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void
ticks_never_go_back(void)
{
	uint64_t last = paths_clock_ticks_ordered();

	for (int i = 0; i < 100000; i++) {
		uint64_t now = paths_clock_ticks_ordered();

		EXPECT_TRUE(now >= last);
		last = now;
	}
}

/* Compares 50 ms with another clock, within 1 %, on a busy machine, too. */
static void
a_second_has_the_measured_count_of_ticks(void)
{
	uint64_t ns = monotonic_ns();
	uint64_t ticks = paths_clock_ticks_ordered();

	while (monotonic_ns() - ns < 50000000)
		;
	ticks = paths_clock_ticks_ordered() - ticks;
	ns = monotonic_ns() - ns;
	EXPECT_NEAR((double)ns, (double)paths_clock_ticks_to_ns(ticks),
	    (double)ns * 0.01);
}

static void
durations_convert_there_and_back(void)
{
	static const uint64_t ns[] = { 0, 1000, 2000000, 3600000000000u };

	for (unsigned i = 0; i < sizeof(ns) / sizeof(*ns); i++)
		EXPECT_NEAR((double)ns[i],
		    (double)paths_clock_ticks_to_ns(
			paths_clock_ns_to_ticks(ns[i])),
		    2);
}

static void
a_pair_is_one_moment_on_three_clocks(void)
{
	struct paths_clock_pair a, b;
	uint64_t before = monotonic_ns();

	paths_clock_pair(&a);
	paths_clock_pair(&b);
	EXPECT_TRUE(a.monotonic_ns >= before);
	EXPECT_TRUE(b.monotonic_ns <= monotonic_ns());
	EXPECT_TRUE(b.ticks > a.ticks);
	EXPECT_TRUE(b.monotonic_ns > a.monotonic_ns);
}

/* --- PATHS_CLOCK is read once, so these cases start other processes ------ */

struct moved {
	struct paths_clock_pair pair;
	uint64_t monotonic_ns; /* of the true clock, just after */
	char domain[160];
};

/* Prints a pair of clocks; moved_by executes this case with PATHS_CLOCK set. */
static void
print_a_pair(void)
{
	struct moved m = { .monotonic_ns = 0 };
	const char *file = getenv("TELL_A_PAIR");
	FILE *f;

	if (!file)
		return;
	paths_clock_pair(&m.pair);
	m.monotonic_ns = monotonic_ns();
	snprintf(m.domain, sizeof(m.domain), "%s", paths_clock_domain());
	f = fopen(file, "w");
	EXPECT_TRUE(f && fwrite(&m, sizeof(m), 1, f) == 1);
	EXPECT_EQ(0, fclose(f));
}

static struct moved
moved_by(const char *clock)
{
	char file[] = "/tmp/paths-clock-XXXXXX";
	struct moved m;
	int fd = mkstemp(file);
	pid_t pid = fork();
	int status;

	EXPECT_TRUE(fd >= 0 && pid >= 0);
	if (pid == 0) {
		setenv("PATHS_CLOCK", clock, 1);
		setenv("TELL_A_PAIR", file, 1);
		if (!freopen("/dev/null", "w", stdout))
			_exit(1);
		execl("/proc/self/exe", "clock_test", "print_a_pair",
		    (char *)NULL);
		_exit(1);
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(sizeof(m), read(fd, &m, sizeof(m)));
	close(fd);
	unlink(file);
	return m;
}

static void
a_moved_clock_has_the_given_error(void)
{
	struct moved m = moved_by("5000000000,0");
	struct paths_clock_pair now;
	int64_t ns;

	paths_clock_pair(&now);
	/* Its ticks are 5 s ahead of ours, read a moment later. */
	EXPECT_TRUE(m.pair.ticks > now.ticks);
	ns = (int64_t)paths_clock_ticks_to_ns(m.pair.ticks - now.ticks);
	EXPECT_TRUE(ns <= 5000000000 + 1000000);
	ns = (int64_t)(m.pair.monotonic_ns - m.monotonic_ns);
	EXPECT_TRUE(ns <= 5000000000 && ns > 4000000000);
}

static void
a_moved_clock_has_another_domain(void)
{
	struct moved m = moved_by("-1000,20.5");

	EXPECT_TRUE(strstr(m.domain, "/-1000,20.5") != NULL);
	EXPECT_TRUE(strcmp(m.domain, paths_clock_domain()) != 0);
	EXPECT_EQ(0,
	    strncmp(m.domain, paths_clock_domain(),
		strlen(paths_clock_domain())));
}

/* Returns the wave of PATHS_CLOCK after so many turns. */
static double
parabolas(double turns)
{
	double turn = turns - floor(turns);
	double half = turn < 0.5 ? turn : turn - 0.5;

	return (turn < 0.5 ? 16 : -16) * half * (0.5 - half);
}

/* Processes with one base and rate read one clock to the tick. */
static void
a_base_is_common_to_processes(void)
{
	char value[128];
	struct paths_clock_pair now;
	struct moved one, two;
	double since_s, wave, true_ns;

	paths_clock_pair(&now);
	snprintf(value, sizeof(value), "3000000,50,2000000,0.5@%llu,%llu",
	    (unsigned long long)now.ticks,
	    (unsigned long long)paths_clock_hz());
	one = moved_by(value);
	two = moved_by(value);
	EXPECT_STR_EQ(one.domain, two.domain);
	for (int n = 0; n < 2; n++) {
		const struct moved *m = n == 0 ? &one : &two;

		/* The true ticks, from the moved ones. */
		true_ns = (double)(int64_t)(m->pair.ticks - now.ticks) * 1e9 /
		    (double)paths_clock_hz();
		since_s = (true_ns - 3000000) / 1e9;
		wave = 0;
		for (int i = 0; i < 50; i++) {
			wave = 2000000 * parabolas(since_s / 0.5);
			since_s =
			    (true_ns - 3000000 - wave) / 1e9 / (1 + 50e-6);
		}
		/* Monotonic time is moved by as much. */
		EXPECT_NEAR(3000000 + since_s * 50000 + wave,
		    (double)(int64_t)(m->pair.monotonic_ns - now.monotonic_ns) -
			since_s * 1e9,
		    20000 + since_s * 1e9 * 1e-4);
	}
}

static void
a_malformed_setting_moves_nothing(void)
{
	static const char *const wrong[] = { "tomorrow", "1,2,3", "", "1", "1,",
		",1", " 1,2", "1, 2", "1,nan", "1,inf", "1,100001", "1,-1e9",
		"1000000000000000001,0", "-9223372036854775808,0",
		"99999999999999999999,0", "1,2,3,", "1,2,3,4,5", "1,2,1e9,1",
		"1,2,nan,1", "1,2@", "1,2@5", "1,2@5,6", "1,2@-5,1000000000",
		"1,2@5,1000000000x", "1,2,3,0" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct moved m = moved_by(wrong[i]);

		EXPECT_STR_EQ(paths_clock_domain(), m.domain);
	}
}

static void
a_clock_is_moved_by_thirty_years(void)
{
	struct moved m = moved_by("1000000000000000000,0");

	EXPECT_TRUE(strstr(m.domain, "/1000000000000000000,0") != NULL);
	/* The pair was read a moment before. */
	EXPECT_TRUE(
	    m.pair.monotonic_ns - m.monotonic_ns <= 1000000000000000000u);
	EXPECT_TRUE(m.pair.monotonic_ns - m.monotonic_ns > 900000000000000000u);
}

TEST_MAIN(ticks_never_go_back, a_second_has_the_measured_count_of_ticks,
    durations_convert_there_and_back, a_pair_is_one_moment_on_three_clocks,
    print_a_pair, a_moved_clock_has_the_given_error,
    a_moved_clock_has_another_domain, a_base_is_common_to_processes,
    a_malformed_setting_moves_nothing, a_clock_is_moved_by_thirty_years)
