/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/join_remote_test.c - proves libpaths/stages/join.c with
 * a second process: below the join, and at one of its inputs
 */

#include "tests/libpaths/stages/help.h"
#include "tests/team.h"

#include <pthread.h>

/* The kinds of connection between two processes of a machine. */
static const char *const vias[] = { "shm", "unix", "tcp" };
#define VIAS 3

/* A time in which the other inputs have most likely arrived. */
#define PATIENCE_NS 50000000

#define TEAM_HEAD \
	"pathmap 1\nhost h\nprocess p0 -host h\n" \
	"process p1 -host h -listen tcp:0\n" \
	"element e -process p1 -type i32 -keep 1\n"

struct remote_waiter {
	struct paths_path *path;
	int32_t tuple;
	paths_status status;
	pthread_t thread;
};

static void *
waiter_run(void *arg)
{
	struct remote_waiter *w = arg;

	w->status = paths_path_write(w->path, &w->tuple, sizeof(w->tuple));
	return NULL;
}

/* One thread carries the sum of both; the deadline of the other passes. */
static void
a_deadline_ends_an_operation_that_another_thread_carries(void)
{
	for (int v = 0; v < VIAS; v++) {
		char map[512];
		struct team *team;
		struct paths_program *p0;
		struct paths_path *path;
		struct remote_waiter w = { .tuple = 1 };
		int32_t t = 2;
		pid_t p1;

		snprintf(map, sizeof(map),
		    TEAM_HEAD "thread t0 -process p0\npath t0 e {{j}}\n"
			      "thread t1 -process p0\npath t1 e {{j}}\n"
			      "stage j reduce -op sum -type i32 -process p0 "
			      "-inputs 2 -next {{proxy p1 -via %s} "
			      "{element e}}\n",
		    vias[v]);
		team = team_open(map);
		p1 = team_start(team, "p1", NULL);
		p0 = team_join(team, "p0");
		path = help_path(p0, "t0", "e");
		w.path = help_path(p0, "t1", "e");
		/* The element takes the first sum and is then full. */
		for (int n = 0; n < 2; n++) {
			EXPECT_OK(
			    paths_path_start(path, PATHS_WRITE, &t, sizeof(t)));
			pthread_create(&w.thread, NULL, waiter_run, &w);
			EXPECT_EQ(n == 0 ? PATHS_OK : PATHS_ETIMEDOUT,
			    paths_path_wait(path));
			paths_path_deadline(path, PATIENCE_NS);
			if (n > 0)
				paths_path_close(path);
			pthread_join(w.thread, NULL);
		}
		EXPECT_TRUE(
		    w.status == PATHS_ETIMEDOUT || w.status == PATHS_ECLOSED);
		paths_program_close(p0);
		EXPECT_EQ(0, team_wait(p1));
		team_close(team);
	}
}

/* Runs in the process of the join, whose element has room for one sum. */
static int
local_main(struct paths_program *program, const char *process)
{
	struct paths_path *path = help_path(program, "t1", "e");
	int32_t t = 1;
	bool timed_out;

	(void)process;
	if (paths_path_write(path, &t, sizeof(t)) != PATHS_OK)
		return 1;
	paths_path_deadline(path, PATIENCE_NS);
	timed_out = paths_path_write(path, &t, sizeof(t)) == PATHS_ETIMEDOUT;
	paths_path_close(path);
	return timed_out ? 0 : 2;
}

/* The operation of the other process carries or waits; both end. */
static void
a_deadline_ends_an_operation_that_another_process_carries(void)
{
	for (int v = 0; v < VIAS; v++) {
		char map[512];
		struct team *team;
		struct paths_program *p0;
		struct paths_path *path;
		int32_t t = 2;
		paths_status st;
		pid_t p1;

		snprintf(map, sizeof(map),
		    TEAM_HEAD "thread t0 -process p0\n"
			      "path t0 e {{proxy p1 -via %s} {j}}\n"
			      "thread t1 -process p1\npath t1 e {{j}}\n"
			      "stage j reduce -op sum -type i32 -process p1 "
			      "-inputs 2 -next {{element e}}\n",
		    vias[v]);
		team = team_open(map);
		p1 = team_start(team, "p1", local_main);
		p0 = team_join(team, "p0");
		path = help_path(p0, "t0", "e");
		EXPECT_OK(paths_path_write(path, &t, sizeof(t)));
		st = paths_path_write(path, &t, sizeof(t));
		EXPECT_TRUE(st == PATHS_ETIMEDOUT || st == PATHS_ECLOSED);
		EXPECT_TRUE(help_reason_has(path, "process p1"));
		paths_program_close(p0);
		EXPECT_EQ(0, team_wait(p1));
		team_close(team);
	}
}

TEST_MAIN(a_deadline_ends_an_operation_that_another_thread_carries,
    a_deadline_ends_an_operation_that_another_process_carries)
