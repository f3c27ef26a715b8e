/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/monitor_test.c - proves collectors/stage/monitor.c
 */

#include "tests/collectors/program.h"

#include <stdlib.h>
#include <unistd.h>

/* Two paths: the first has a collector before and after a delay, the second has
   one collector. */
static const char map_of_three[] =
    PROGRAM_HEAD "thread t0 -process p0\n"
		 "element e0 -process p0 -type u64 -full discard\n"
		 "element e1 -process p0 -type u64 -full discard\n"
		 "path t0 e0 {{collector} {delay 0} {collector} {element e0}}\n"
		 "path t0 e1 {{collector} {element e1}}\n";

struct three {
	struct program p;
	struct paths_path *other;
	struct es_monitor *monitor;
};

static struct three
three_open(void)
{
	struct three t;

	t.p.team = team_open(map_of_three);
	t.p.program = team_join(t.p.team, "p0");
	EXPECT_OK(paths_thread_open(t.p.program, "t0", &t.p.thread));
	EXPECT_OK(paths_path_open(t.p.thread, "e0", &t.p.path));
	EXPECT_OK(paths_path_open(t.p.thread, "e1", &t.other));
	EXPECT_OK(es_monitor_open(t.p.program, &t.monitor));
	return t;
}

static void
three_close(struct three *t)
{
	es_monitor_close(t->monitor);
	program_close(&t->p);
}

static uint64_t
three_count(struct three *t, uint32_t n)
{
	struct es_space_collector c;

	EXPECT_OK(es_space_collector(es_monitor_space(t->monitor), n, &c));
	return c.count - c.reset;
}

static void
collectors_have_the_names_of_the_map(void)
{
	struct three t = three_open();
	const struct paths_map *map = paths_program_map(t.p.program);
	struct es_space_collector c;

	for (uint32_t n = 0; n < 3; n++) {
		EXPECT_OK(
		    es_space_collector(es_monitor_space(t.monitor), n, &c));
		EXPECT_STR_EQ(map->instances[c.instance].name,
		    es_monitor_name(t.monitor, n));
	}
	EXPECT_TRUE(es_monitor_name(t.monitor, 3) == NULL);
	three_close(&t);
}

/* Uses the collectors of its parent in every way. */
static int
child_main(struct three *t)
{
	struct es_monitor *monitor;
	uint64_t value = 99;

	if (paths_path_write(t->p.path, &value, sizeof(value)) == PATHS_OK)
		return 1;
	if (es_monitor_mode(t->monitor, "*", ES_MODE_OFF, NULL) != PATHS_EINVAL)
		return 2;
	es_monitor_reset(t->monitor, "*", NULL);
	if (es_monitor_open(t->p.program, &monitor) != PATHS_ENOENT)
		return 3;
	paths_path_close(t->p.path);
	paths_thread_close(t->p.thread);
	paths_program_close(t->p.program);
	return 7;
}

static void
a_child_of_the_program_changes_nothing(void)
{
	struct three t = three_open();
	struct es_space_info info;
	pid_t child;

	program_write(&t.p, 1);
	fflush(NULL);
	child = fork();
	if (child == 0)
		exit(child_main(&t));
	EXPECT_EQ(7, team_wait(child));
	es_space_info(es_monitor_space(t.monitor), &info);
	EXPECT_TRUE(!info.closed);
	EXPECT_EQ(-1, info.exit_status);
	program_write(&t.p, 2);
	EXPECT_EQ(2, three_count(&t, 0));
	three_close(&t);
}

static void
patterns_find_collectors_in_order(void)
{
	struct three t = three_open();

	EXPECT_EQ(0, es_monitor_find(t.monitor, "*", 0));
	EXPECT_EQ(1, es_monitor_find(t.monitor, "*", 1));
	EXPECT_EQ(2, es_monitor_find(t.monitor, "t0/e1*", 0));
	EXPECT_EQ(UINT32_MAX, es_monitor_find(t.monitor, "t0/e1*", 3));
	EXPECT_EQ(UINT32_MAX, es_monitor_find(t.monitor, "t1*", 0));
	three_close(&t);
}

static void
modes_are_switched_by_pattern(void)
{
	struct three t = three_open();
	uint32_t matched = 99;

	EXPECT_OK(es_monitor_mode(t.monitor, "t0/e0*", ES_MODE_OFF, &matched));
	EXPECT_EQ(2, matched);
	EXPECT_EQ(PATHS_EINVAL, es_monitor_mode(t.monitor, "*", 8, &matched));
	EXPECT_OK(es_monitor_mode(t.monitor, "none", ES_MODE_OFF, NULL));
	program_write(&t.p, 1);
	EXPECT_OK(paths_path_write(t.other, "12345678", 8));
	EXPECT_EQ(0, three_count(&t, 0));
	EXPECT_EQ(0, three_count(&t, 1));
	EXPECT_EQ(1, three_count(&t, 2));
	EXPECT_OK(es_monitor_mode(t.monitor, "*", ES_MODE_TRACE, &matched));
	EXPECT_EQ(3, matched);
	program_write(&t.p, 1);
	EXPECT_EQ(1, three_count(&t, 0));
	three_close(&t);
}

static void
a_reset_lets_collectors_begin_anew(void)
{
	struct three t = three_open();
	struct es_profile profile;
	uint32_t matched = 99;

	EXPECT_OK(es_monitor_mode(t.monitor, "*",
	    ES_MODE_TRACE | ES_MODE_PROFILE, NULL));
	for (uint64_t n = 0; n < 5; n++)
		program_write(&t.p, n);
	es_monitor_reset(t.monitor, "t0/e0.0*", &matched);
	EXPECT_EQ(1, matched);
	EXPECT_EQ(0, three_count(&t, 0));
	EXPECT_EQ(5, three_count(&t, 1));
	program_write(&t.p, 5);
	EXPECT_EQ(1, three_count(&t, 0));
	EXPECT_EQ(6, three_count(&t, 1));
	EXPECT_OK(es_space_profile(es_monitor_space(t.monitor), 0, PATHS_WRITE,
	    &profile));
	EXPECT_EQ(1, profile.count);
	EXPECT_OK(es_space_profile(es_monitor_space(t.monitor), 1, PATHS_WRITE,
	    &profile));
	EXPECT_EQ(6, profile.count);
	three_close(&t);
}

static void
a_process_without_collectors_has_no_monitor(void)
{
	struct team *team = team_open("pathmap 1\nhost h0\n"
				      "process p0 -host h0\n");
	struct paths_program *program = team_join(team, "p0");
	struct es_monitor *monitor;

	EXPECT_EQ(PATHS_ENOENT, es_monitor_open(program, &monitor));
	es_monitor_close(NULL);
	paths_program_close(program);
	team_close(team);
}

static void
a_monitor_may_outlive_its_program(void)
{
	struct three t = three_open();
	struct es_space_info info;

	program_write(&t.p, 1);
	program_close(&t.p);
	es_space_info(es_monitor_space(t.monitor), &info);
	EXPECT_TRUE(info.closed);
	EXPECT_EQ(1, three_count(&t, 0));
	EXPECT_OK(es_monitor_mode(t.monitor, "*", ES_MODE_OFF, NULL));
	es_monitor_close(t.monitor);
}

TEST_MAIN(collectors_have_the_names_of_the_map,
    a_child_of_the_program_changes_nothing, patterns_find_collectors_in_order,
    modes_are_switched_by_pattern, a_reset_lets_collectors_begin_anew,
    a_process_without_collectors_has_no_monitor,
    a_monitor_may_outlive_its_program)
