/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/program/cancel_test.c - threads that are canceled before a
 * call: pthread_cancel(3) takes effect after the call, not in it
 *
 * A thread that ended in a call would keep the lock of its connection.
 */

#include "libpaths/path.h"
#include "libpaths/program.h"
#include "tests/team.h"
#include "tests/test.h"

#include <pthread.h>

#define CANCEL_MAP(via) \
	"pathmap 1\n" \
	"host h\n" \
	"process q -host h -listen tcp:0\n" \
	"process r -host h\n" \
	"thread u -process q\n" \
	"thread v -process r\n" \
	"element e -process q -type u32*1 -keep 8\n" \
	"path u e {{element e}}\n" \
	"path v e {{proxy q -via " via "} {element e}}\n"

/* Ways to wait for a started operation. */
enum way { BY_TEST, BY_ANY, BY_ALL, BY_WAIT, WAYS };

/* Why a call of the canceled thread failed.  EXPECT_OK prints, which would end
   the thread. */
struct canceled {
	struct paths_path *path;
	paths_status st;
	int calls;
};

static bool
call_ends(struct canceled *c, paths_status st)
{
	c->st = st;
	c->calls += st == PATHS_OK;
	return st == PATHS_OK;
}

static paths_status
wait_in_way(struct paths_path *path, enum way way)
{
	bool ended = false;
	uint32_t which;

	switch (way) {
	case BY_TEST:
		while (!ended)
			if (paths_path_test(path, &ended) != PATHS_OK)
				break;
		return paths_path_wait(path);
	case BY_ANY:
		return paths_path_wait_any(&path, 1, &which);
	case BY_ALL:
		return paths_path_wait_all(&path, 1, NULL);
	default:
		return paths_path_wait(path);
	}
}

#define CALLS_IN_ROUND 5

/* Calls each function of a path, with a cancellation that is due. */
static bool
call_all(struct canceled *c, enum way way)
{
	struct paths_path *path = c->path;
	uint32_t value = 7;

	return call_ends(c, paths_path_write(path, &value, sizeof(value))) &&
	    call_ends(c,
		paths_path_start(path, PATHS_READ, &value, sizeof(value))) &&
	    call_ends(c, wait_in_way(path, way)) &&
	    call_ends(c, paths_path_exchange(path, &value, sizeof(value))) &&
	    call_ends(c, paths_path_delete(path, paths_path_index(path) + 1));
}

static void *
canceled_main(void *arg)
{
	struct canceled *c = arg;

	pthread_cancel(pthread_self());
	for (enum way way = BY_TEST; way < WAYS; way++)
		if (!call_all(c, way))
			break;
	paths_path_close(c->path);
	pthread_testcancel();
	return NULL;
}

static void
canceled_over(const char *map)
{
	struct team *team = team_open(map);
	pid_t q = team_start(team, "q", NULL);
	struct paths_program *r = team_join(team, "r");
	struct canceled c = { .path = team_path(team_thread(r, "v"), "e") };
	pthread_t other;
	void *result;

	EXPECT_EQ(0, pthread_create(&other, NULL, canceled_main, &c));
	pthread_join(other, &result);
	EXPECT_TRUE(result == PTHREAD_CANCELED);
	EXPECT_OK(c.st);
	EXPECT_EQ(WAYS * CALLS_IN_ROUND, c.calls);
	paths_program_close(r);
	EXPECT_EQ(0, team_wait(q));
	team_close(team);
}

static void
a_cancel_waits_for_each_call_over_a_socket(void)
{
	canceled_over(CANCEL_MAP("unix"));
	canceled_over(CANCEL_MAP("tcp"));
}

static void
a_cancel_waits_for_each_call_over_shared_memory(void)
{
	canceled_over(CANCEL_MAP("shm"));
}

TEST_MAIN(a_cancel_waits_for_each_call_over_a_socket,
    a_cancel_waits_for_each_call_over_shared_memory)
