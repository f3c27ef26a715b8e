/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/engine/carry_test.c - proves libpaths/engine/carry.c
 *
 * A master, thread m of p0, has reads under way on eight elements: two of its
 * own process and six behind proxies of each transport.  Thread w of p1 writes
 * to the element whose number the master sends it.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/team.h"
#include "tests/test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ELEMENTS 8u
#define NO_ELEMENT UINT32_MAX

static const char *const farm_map =
    "pathmap 1\n"
    "host h\n"
    "process p0 -host h -listen tcp:0\n"
    "process p1 -host h -listen tcp:0\n"
    "thread m -process p0\n"
    "thread other -process p0\n"
    "thread w -process p1\n"
    "element go -process p1 -type u32*1\n"
    "path m go {{proxy p1 -via tcp} {element go}} -use write\n"
    "path w go {{element go}} -use read\n"
    "element spare -process p0 -type u32*1\n"
    "path other spare {{element spare}}\n"
    "path m spare {{element spare}}\n"
    "element e0 -process p0 -type u32*1\n"
    "element e1 -process p0 -type u32*1\n"
    "path m e0 {{element e0}} -use read\n"
    "path m e1 {{element e1}} -use read\n"
    "path w e0 {{proxy p0 -via tcp} {element e0}} -use write\n"
    "path w e1 {{proxy p0 -via shm} {element e1}} -use write\n"
    "element e2 -process p1 -type u32*1\n"
    "element e3 -process p1 -type u32*1\n"
    "element e4 -process p1 -type u32*1\n"
    "element e5 -process p1 -type u32*1\n"
    "element e6 -process p1 -type u32*1\n"
    "element e7 -process p1 -type u32*1\n"
    "path m e2 {{proxy p1 -via tcp} {element e2}} -use read\n"
    "path m e3 {{proxy p1 -via tcp} {element e3}} -use read\n"
    "path m e4 {{proxy p1 -via unix} {element e4}} -use read\n"
    "path m e5 {{proxy p1 -via unix} {element e5}} -use read\n"
    "path m e6 {{proxy p1 -via shm} {element e6}} -use read\n"
    "path m e7 {{proxy p1 -via shm} {element e7}} -use read\n"
    "path w e2 {{element e2}} -use write\n"
    "path w e3 {{element e3}} -use write\n"
    "path w e4 {{element e4}} -use write\n"
    "path w e5 {{element e5}} -use write\n"
    "path w e6 {{element e6}} -use write\n"
    "path w e7 {{element e7}} -use write\n";

/* The order in which the elements get their tuples. */
static const uint32_t order[ELEMENTS] = { 5, 2, 7, 0, 6, 1, 4, 3 };

struct farm {
	struct team *team;
	pid_t p1;
	struct paths_program *p0;
	struct paths_thread *m;
	struct paths_path *go;
	struct paths_path *e[ELEMENTS];
	uint32_t tuple[ELEMENTS];
};

static struct paths_path *
path_to_number(struct paths_thread *thread, uint32_t n)
{
	char name[16];

	snprintf(name, sizeof(name), "e%u", n);
	return team_path(thread, name);
}

/* Runs thread w. */
static int
worker(struct paths_program *program, const char *process)
{
	struct paths_thread *w = team_thread(program, "w");
	struct paths_path *go, *e[ELEMENTS];
	uint32_t n;

	(void)process;
	go = team_path(w, "go");
	for (n = 0; n < ELEMENTS; n++)
		e[n] = path_to_number(w, n);
	while (paths_path_read(go, &n, sizeof(n)) == PATHS_OK && n < ELEMENTS)
		if (paths_path_write(e[n], &n, sizeof(n)) != PATHS_OK)
			return 1;
	return 0;
}

static void
farm_begin(struct farm *farm)
{
	memset(farm, 0, sizeof(*farm));
	farm->team = team_open(farm_map);
	farm->p1 = team_start(farm->team, "p1", worker);
	farm->p0 = team_join(farm->team, "p0");
	farm->m = team_thread(farm->p0, "m");
	farm->go = team_path(farm->m, "go");
	for (uint32_t n = 0; n < ELEMENTS; n++)
		farm->e[n] = path_to_number(farm->m, n);
}

static void
farm_send(struct farm *farm, uint32_t n)
{
	EXPECT_OK(paths_path_write(farm->go, &n, sizeof(n)));
}

static void
farm_end(struct farm *farm)
{
	farm_send(farm, NO_ELEMENT);
	paths_program_close(farm->p0);
	EXPECT_EQ(0, team_wait(farm->p1));
	team_close(farm->team);
}

static void
farm_start(struct farm *farm, uint32_t n)
{
	farm->tuple[n] = NO_ELEMENT;
	EXPECT_OK(paths_path_start(farm->e[n], PATHS_READ, &farm->tuple[n],
	    sizeof(farm->tuple[n])));
}

static void
wait_any_returns_the_operation_that_ended(void)
{
	struct farm farm;
	uint32_t which;

	farm_begin(&farm);
	for (int round = 0; round < 20; round++) {
		for (uint32_t n = 0; n < ELEMENTS; n++)
			farm_start(&farm, n);
		for (uint32_t i = 0; i < ELEMENTS; i++) {
			farm_send(&farm, order[i]);
			EXPECT_OK(
			    paths_path_wait_any(farm.e, ELEMENTS, &which));
			EXPECT_EQ(order[i], which);
			EXPECT_EQ(which, farm.tuple[which]);
		}
	}
	farm_end(&farm);
}

static void
wait_any_keeps_the_deadline_of_each_operation(void)
{
	struct farm farm;
	uint32_t which;

	farm_begin(&farm);
	paths_path_deadline(farm.e[6], 20000000);
	farm_start(&farm, 0);
	farm_start(&farm, 2);
	farm_start(&farm, 6);
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_wait_any(farm.e, ELEMENTS, &which));
	EXPECT_EQ(6, which);
	farm_send(&farm, 2);
	EXPECT_OK(paths_path_wait_any(farm.e, ELEMENTS, &which));
	EXPECT_EQ(2, which);
	farm_send(&farm, 0);
	EXPECT_OK(paths_path_wait_any(farm.e, ELEMENTS, &which));
	EXPECT_EQ(0, which);
	farm_end(&farm);
}

/* The thread sleeps on another operation, which no process ends. */
static void
wait_any_sees_that_a_process_was_killed(void)
{
	for (uint32_t n = 2; n < ELEMENTS; n += 2) {
		struct paths_path *paths[2];
		struct farm farm;
		uint32_t which, tuple;

		farm_begin(&farm);
		/* The other process has opened its paths. */
		farm_start(&farm, 1);
		farm_send(&farm, 1);
		EXPECT_OK(paths_path_wait(farm.e[1]));
		paths[0] = team_path(farm.m, "spare");
		paths[1] = farm.e[n];
		EXPECT_OK(paths_path_start(paths[0], PATHS_READ, &tuple,
		    sizeof(tuple)));
		farm_start(&farm, n);
		EXPECT_OK(kill(farm.p1, SIGKILL));
		EXPECT_EQ(PATHS_ELOST, paths_path_wait_any(paths, 2, &which));
		EXPECT_EQ(1, which);
		printf("# %s\n", paths_path_why(paths[1]));
		/* It is not lost because of its silence, after 5 s. */
		EXPECT_TRUE(strstr(paths_path_why(paths[1]), "silent") == NULL);
		paths_program_close(farm.p0);
		EXPECT_EQ(1000 + SIGKILL, team_wait(farm.p1));
		team_close(farm.team);
	}
}

static void
wait_any_refuses_paths_without_an_operation(void)
{
	struct paths_path *paths[2];
	struct farm farm;
	uint32_t which = 0;

	farm_begin(&farm);
	EXPECT_EQ(PATHS_EINVAL, paths_path_wait_any(farm.e, ELEMENTS, &which));
	EXPECT_EQ(ELEMENTS, which);
	EXPECT_EQ(PATHS_EINVAL, paths_path_wait_any(NULL, 0, &which));
	EXPECT_EQ(0, which);
	farm_start(&farm, 1);
	paths[0] = farm.e[1];
	paths[1] = team_path(team_thread(farm.p0, "other"), "spare");
	EXPECT_EQ(PATHS_EINVAL, paths_path_wait_any(paths, 2, &which));
	EXPECT_EQ(2, which);
	farm_send(&farm, 1);
	EXPECT_OK(paths_path_wait(farm.e[1]));
	farm_end(&farm);
}

static void
wait_all_returns_the_first_failure_and_all_statuses(void)
{
	paths_status statuses[ELEMENTS];
	struct farm farm;

	farm_begin(&farm);
	paths_path_deadline(farm.e[3], 1);
	paths_path_deadline(farm.e[6], 1);
	for (uint32_t n = 0; n < ELEMENTS - 1; n++) {
		farm_start(&farm, n);
		if (n != 3 && n != 6)
			farm_send(&farm, n);
	}
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_wait_all(farm.e, ELEMENTS, statuses));
	for (uint32_t n = 0; n < ELEMENTS; n++)
		EXPECT_EQ(n == 3 || n == 6 ? PATHS_ETIMEDOUT : PATHS_OK,
		    statuses[n]);
	EXPECT_EQ(5, farm.tuple[5]);
	EXPECT_OK(paths_path_wait_all(farm.e, ELEMENTS, NULL));
	farm_end(&farm);
}

static void
test_tells_when_an_operation_has_ended(void)
{
	const struct timespec pause = { 0, 100000 };
	struct farm farm;
	bool ended = true;

	farm_begin(&farm);
	EXPECT_EQ(PATHS_EINVAL, paths_path_test(farm.e[4], &ended));
	for (uint32_t n = 0; n < ELEMENTS; n++) {
		farm_start(&farm, n);
		EXPECT_OK(paths_path_test(farm.e[n], &ended));
		EXPECT_TRUE(!ended);
		farm_send(&farm, n);
		while (!ended) {
			EXPECT_OK(paths_path_test(farm.e[n], &ended));
			nanosleep(&pause, NULL);
		}
		EXPECT_OK(paths_path_wait(farm.e[n]));
		EXPECT_EQ(n, farm.tuple[n]);
	}
	farm_end(&farm);
}

TEST_MAIN(wait_any_returns_the_operation_that_ended,
    wait_any_keeps_the_deadline_of_each_operation,
    wait_any_sees_that_a_process_was_killed,
    wait_any_refuses_paths_without_an_operation,
    wait_all_returns_the_first_failure_and_all_statuses,
    test_tells_when_an_operation_has_ended)
