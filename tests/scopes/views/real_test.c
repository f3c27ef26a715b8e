/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/real_test.c - views of recorded runs of two processes
 */

#include "libpaths/path.h"

#include "tests/scopes/memory_sink.h"
#include "tests/team.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 300 };

static const char map_text[] =
    "pathmap 1\n"
    "plugin libcollectors.so.0\n"
    "host h\n"
    "process p -host h\n"
    "process q -host h -listen tcp:0\n"
    "thread t -process p\n"
    "thread u -process q\n"
    "element e -process q -type f64 -keep 1000\n"
    "element f -process p -type f64 -keep 1000\n"
    "element g -process q -type f64*4 -keep 1000\n"
    "path t e {{collector} {proxy q -via tcp} {collector} {element e}}\n"
    "path u e {{collector} {element e}}\n"
    "path t f {{collector -mode profile} {element f}}\n"
    "path t g {{collector -mode matrix} {proxy q -via tcp} "
    "{collector -mode matrix} {element g}}\n";

static int
write_all(struct paths_program *program, const char *process)
{
	static const char *const elements[] = { "e", "f", "g" };
	double tuple[4] = { 1 };
	struct paths_thread *thread;

	(void)process;
	if (paths_thread_open(program, "t", &thread) != PATHS_OK)
		return 1;
	for (int n = 0; n < 3; n++) {
		struct paths_path *path;

		if (paths_path_open(thread, elements[n], &path) != PATHS_OK)
			return 1;
		for (int i = 0; i < COUNT; i++) {
			if (paths_path_write(path, tuple, n == 2 ? 32 : 8) !=
			    PATHS_OK)
				return 1;
		}
		paths_path_close(path);
	}
	paths_thread_close(thread);
	return 0;
}

static int
read_all(struct paths_program *program, const char *process)
{
	struct paths_thread *thread;
	struct paths_path *path;
	double tuple;

	(void)process;
	if (paths_thread_open(program, "u", &thread) != PATHS_OK ||
	    paths_path_open(thread, "e", &path) != PATHS_OK)
		return 1;
	for (int i = 0; i < COUNT; i++) {
		if (paths_path_read(path, &tuple, sizeof(tuple)) != PATHS_OK)
			return 1;
	}
	paths_path_close(path);
	paths_thread_close(thread);
	return 0;
}

static struct memory_sink *
views_of_a_run(struct team **team)
{
	pid_t p, q;

	*team = team_open(map_text);
	q = team_start(*team, "q", read_all);
	p = team_start(*team, "p", write_all);
	EXPECT_EQ(0, team_wait(p));
	EXPECT_EQ(0, team_wait(q));
	return memory_sink_compute(team_run(*team), NULL, 0);
}

/* The collectors are: 0 and 1 from t to e, 2 from u to e, 3 from t to f, 4 and
   5 from t to g. */
static void
every_operation_is_in_the_views(void)
{
	struct team *team;
	struct memory_sink *sink = views_of_a_run(&team);

	for (size_t n = 0; n < 3; n++)
		EXPECT_EQ(COUNT,
		    memory_sink_int(sink, "collector", n, "tuples"));
	EXPECT_EQ(COUNT,
	    memory_sink_int(sink, "load_balance", 0, "operations"));
	EXPECT_EQ(COUNT,
	    memory_sink_int(sink, "load_balance", 1, "operations"));
	EXPECT_EQ(memory_sink_sum(sink, "load_balance", "communication_ns"),
	    memory_sink_sum(sink, "breakdown", "own_ns") +
		memory_sink_sum(sink, "breakdown", "wait_ns"));
	EXPECT_TRUE(
	    memory_sink_int(sink, "wrapper_latency", 0, "latency_ns_min") > 0);
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	team_close(team);
}

/* The times of a collector lie within those of the collector above. */
static void
times_of_two_processes_are_on_one_clock(void)
{
	struct team *team;
	struct memory_sink *sink = views_of_a_run(&team);

	EXPECT_EQ(1, memory_sink_rows(sink, "clock"));
	EXPECT_TRUE(memory_sink_int(sink, "collector", 0, "first_ns") > 0);
	EXPECT_TRUE(memory_sink_int(sink, "collector", 0, "first_ns") <
	    memory_sink_int(sink, "collector", 1, "first_ns"));
	EXPECT_TRUE(memory_sink_int(sink, "collector", 1, "last_ns") <
	    memory_sink_int(sink, "collector", 0, "last_ns"));
	EXPECT_TRUE(
	    memory_sink_real(sink, "wrapper_latency", 0, "down_ns_mean") > 0);
	EXPECT_TRUE(
	    memory_sink_real(sink, "wrapper_latency", 0, "up_ns_mean") > 0);
	memory_sink_free(sink);
	team_close(team);
}

static void
counts_of_collectors_without_tuples_are_shown(void)
{
	struct team *team;
	struct memory_sink *sink = views_of_a_run(&team);

	EXPECT_EQ(1, memory_sink_rows(sink, "profile"));
	EXPECT_EQ(3, memory_sink_int(sink, "profile", 0, "collector"));
	EXPECT_EQ(COUNT, memory_sink_int(sink, "profile", 0, "operations"));
	EXPECT_TRUE(memory_sink_int(sink, "profile", 0, "time_ns") >=
	    memory_sink_int(sink, "profile", 0, "max_ns"));
	EXPECT_TRUE(memory_sink_int(sink, "profile", 0, "max_ns") >=
	    memory_sink_int(sink, "profile", 0, "min_ns"));
	/* Messages from p to q count once, though two collectors have them. */
	EXPECT_STR_EQ("0|1|write|300|9600\n",
	    memory_sink_text(sink, "comm_matrix"));
	EXPECT_STR_EQ("0|1|write|6|300\n",
	    memory_sink_text(sink, "size_histogram"));
	memory_sink_free(sink);
	team_close(team);
}

static int64_t
realtime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* One second more than the run is allowed for steps of the clock. */
static void
the_start_is_a_time_of_day(void)
{
	int64_t before = realtime_ns(), start;
	struct team *team;
	struct memory_sink *sink = views_of_a_run(&team);
	const char *row =
	    strstr(memory_sink_text(sink, "meta"), "start_realtime_ns|");

	EXPECT_TRUE(row != NULL);
	start = strtoll(strchr(row, '|') + 1, NULL, 10);
	EXPECT_TRUE(start > before - 1000000000);
	EXPECT_TRUE(start < realtime_ns() + 1000000000);
	memory_sink_free(sink);
	team_close(team);
}

TEST_MAIN(every_operation_is_in_the_views,
    times_of_two_processes_are_on_one_clock, the_start_is_a_time_of_day,
    counts_of_collectors_without_tuples_are_shown)
