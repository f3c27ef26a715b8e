/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/program/program_test.c - proves libpaths/program
 */

#include "libpaths/program.h"

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/team.h"
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char map[] = "pathmap 1\n"
			  "host h\n"
			  "process p -host h\n"
			  "process q -host h\n"
			  "thread t -process p -core 0\n"
			  "thread u -process q\n"
			  "thread far -process p -core 4000\n"
			  "element e -process p -type u32*2 -keep 4\n"
			  "element w -process p -type u8*1 -full discard\n"
			  "element f -process q -type u8*1\n"
			  "path t e {{element e}}\n"
			  "path t w {{element w}} -use write\n"
			  "path far e {{element e}}\n"
			  "path u f {{element f}}\n";

static struct team *team;

static struct paths_program *
opened(void)
{
	team = team_open(map);
	return team_join(team, "p");
}

static void
closed(struct paths_program *p)
{
	paths_program_close(p);
	team_close(team);
}

static void
a_program_knows_its_process_and_run(void)
{
	struct paths_program *p = opened();

	EXPECT_EQ(0, paths_program_process(p));
	EXPECT_STR_EQ(team_run(team), paths_program_run(p));
	EXPECT_EQ(3, paths_program_map(p)->thread_count);
	closed(p);
}

static void
the_topology_is_kept_in_the_run_directory(void)
{
	struct paths_program *p = opened();
	struct stat sb;
	char file[128];

	snprintf(file, sizeof(file), "%s/p.topology", team_run(team));
	EXPECT_EQ(0, stat(file, &sb));
	EXPECT_TRUE(sb.st_size > 100);
	closed(p);
}

static void
a_missing_map_is_named(void)
{
	struct paths_program *p;

	team = team_open(map);
	team_close(team);
	unsetenv("PATHS_MAP");
	unsetenv("PATHS_PROCESS");
	EXPECT_EQ(PATHS_EINVAL, paths_program_open(NULL, NULL, &p));
	EXPECT_TRUE(strstr(paths_log_last(), "PATHS_MAP") != NULL);
	EXPECT_EQ(PATHS_ENOENT, paths_program_open("/nowhere", NULL, &p));
	EXPECT_TRUE(strstr(paths_log_last(), "/nowhere") != NULL);
}

static void
a_process_is_chosen_by_its_name(void)
{
	struct paths_program *p;
	char file[128];

	team = team_open(map);
	snprintf(file, sizeof(file), "%s/map", team_run(team));
	/* An earlier case may have set these variables. */
	unsetenv("PATHS_PROCESS");
	unsetenv("PATHS_RUN");
	unsetenv("PATHS_SECRET_FILE");
	EXPECT_EQ(PATHS_EINVAL, paths_program_open(file, NULL, &p));
	EXPECT_EQ(PATHS_ENOENT, paths_program_open(file, "r", &p));
	EXPECT_TRUE(strstr(paths_log_last(), "no process r") != NULL);
	EXPECT_OK(paths_program_open(file, "q", &p));
	EXPECT_EQ(1, paths_program_process(p));
	closed(p);
}

static void
a_thread_of_this_process_opens_once(void)
{
	struct paths_program *p = opened();
	struct paths_thread *t, *again;

	EXPECT_EQ(PATHS_ENOENT, paths_thread_open(p, "u", &t));
	EXPECT_EQ(PATHS_ENOENT, paths_thread_open(p, "nobody", &t));
	EXPECT_OK(paths_thread_open(p, "t", &t));
	EXPECT_EQ(PATHS_EBUSY, paths_thread_open(p, "t", &again));
	closed(p);
}

static void
a_thread_runs_on_the_core_of_the_map(void)
{
	struct paths_program *p = opened();
	struct paths_thread *t;
	cpu_set_t before, after;

	EXPECT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
	EXPECT_OK(paths_thread_open(p, "t", &t));
	EXPECT_EQ(0, sched_getaffinity(0, sizeof(after), &after));
	EXPECT_TRUE(CPU_COUNT(&after) <= CPU_COUNT(&before));
	EXPECT_TRUE(CPU_ISSET(sched_getcpu(), &after));
	sched_setaffinity(0, sizeof(before), &before);
	/* A core that the machine does not have is only a warning. */
	EXPECT_OK(paths_thread_open(p, "far", &t));
	closed(p);
}

static void *
bind_other(void *thread)
{
	EXPECT_EQ(PATHS_EINVAL, paths_thread_bind(thread, 0));
	return NULL;
}

/* Asks the kernel after each binding, on machines with several cores. */
static void
a_thread_is_bound_anew_while_it_runs(void)
{
	struct paths_program *p = opened();
	cpu_set_t before, first, last;
	struct paths_thread *t;
	uint32_t cores = 1;
	pthread_t other;

	EXPECT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
	EXPECT_OK(paths_thread_open(p, "t", &t));
	EXPECT_EQ(PATHS_ERANGE, paths_thread_bind(t, UINT32_MAX / 2));
	EXPECT_OK(paths_thread_bind(t, 0));
	EXPECT_EQ(0, sched_getaffinity(0, sizeof(first), &first));
	EXPECT_TRUE(CPU_ISSET(sched_getcpu(), &first));
	while (paths_thread_bind(t, cores) == PATHS_OK)
		cores++;
	EXPECT_EQ(0, sched_getaffinity(0, sizeof(last), &last));
	CPU_AND(&first, &first, &last);
	EXPECT_TRUE(cores == 1 || CPU_COUNT(&first) == 0);
	EXPECT_EQ(0, pthread_create(&other, NULL, bind_other, t));
	EXPECT_EQ(0, pthread_join(other, NULL));
	sched_setaffinity(0, sizeof(before), &before);
	closed(p);
}

static void
a_path_opens_once_and_on_its_thread(void)
{
	struct paths_program *p = opened();
	struct paths_thread *t;
	struct paths_path *e, *again;

	EXPECT_OK(paths_thread_open(p, "t", &t));
	EXPECT_EQ(PATHS_ENOENT, paths_path_open(t, "f", &e));
	EXPECT_OK(paths_path_open(t, "e", &e));
	EXPECT_EQ(8, paths_path_type(e)->bytes);
	EXPECT_EQ(PATHS_EBUSY, paths_path_open(t, "e", &again));
	closed(p);
}

/* --- operations ---------------------------------------------------------- */

static void
an_operation_is_refused_with_its_reason(void)
{
	struct paths_program *p = opened();
	struct paths_thread *t;
	struct paths_path *e, *w;
	uint32_t tuple[2] = { 1, 2 };

	EXPECT_OK(paths_thread_open(p, "t", &t));
	EXPECT_OK(paths_path_open(t, "e", &e));
	EXPECT_OK(paths_path_open(t, "w", &w));
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(e, tuple, 4));
	EXPECT_TRUE(strstr(paths_path_why(e), "4 bytes") != NULL);
	EXPECT_EQ(PATHS_EINVAL, paths_path_read(w, tuple, 1));
	EXPECT_TRUE(strstr(paths_path_why(w), "-use") != NULL);
	EXPECT_EQ(PATHS_EINVAL, paths_path_wait(e));
	EXPECT_OK(paths_path_start(e, PATHS_READ, tuple, sizeof(tuple)));
	EXPECT_EQ(PATHS_EBUSY, paths_path_write(e, tuple, sizeof(tuple)));
	/* The close cancels the read. */
	closed(p);
}

static void
a_deadline_ends_an_operation_and_the_next_one_works(void)
{
	struct paths_program *p = opened();
	struct paths_thread *t;
	struct paths_path *e;
	uint32_t tuple[2] = { 1, 2 };

	EXPECT_OK(paths_thread_open(p, "t", &t));
	EXPECT_OK(paths_path_open(t, "e", &e));
	paths_path_deadline(e, 2000000);
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_read(e, tuple, sizeof(tuple)));
	EXPECT_TRUE(strstr(paths_path_why(e), "deadline passed") != NULL);
	EXPECT_OK(paths_path_exchange(e, tuple, sizeof(tuple)));
	EXPECT_EQ(0, paths_path_index(e));
	EXPECT_STR_EQ("", paths_path_why(e));
	EXPECT_EQ(2, tuple[1]);
	closed(p);
}

TEST_MAIN(a_program_knows_its_process_and_run,
    the_topology_is_kept_in_the_run_directory, a_missing_map_is_named,
    a_process_is_chosen_by_its_name, a_thread_of_this_process_opens_once,
    a_thread_runs_on_the_core_of_the_map, a_thread_is_bound_anew_while_it_runs,
    a_path_opens_once_and_on_its_thread,
    an_operation_is_refused_with_its_reason,
    a_deadline_ends_an_operation_and_the_next_one_works)
