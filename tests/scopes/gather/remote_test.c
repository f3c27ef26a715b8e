/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/gather/remote_test.c - proves gather trees over several
 * processes: two programs record, a server of each serves their spaces, and a
 * scope reads both through the tree
 */

#include "tests/scopes/gather/tree.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITES 5000u
#define PIPES 2

/* Two recording programs, two servers, a scope. */
static const char map_form[] =
    "pathmap 1 -silence off\n"
    "plugin libcollectors.so.0\n"
    "host h\n"
    "process p0 -host h\n"
    "process p1 -host h\n"
    "process s0 -host h -listen tcp:0\n"
    "process s1 -host h -listen tcp:0\n"
    "process root -host h\n"
    "thread t0 -process p0\n"
    "thread t1 -process p1\n"
    "thread scope -process root\n"
    "element e0 -process p0 -type u64 -keep 2 -full discard\n"
    "element e1 -process p1 -type u64 -keep 2 -full discard\n"
    "path t0 e0 {{collector -keep 16384} {element e0}}\n"
    "path t1 e1 {{collector -keep 16384} {element e1}}\n"
    "path scope view {{merge -wait %s -order %s {{proxy s0 -via %s} "
    "{spaces -process p0}} {{proxy s1 -via %s} {spaces -process p1}}}} "
    "-use read\n";

/* The first byte lets a program go on, the second lets it end. */
static int gates[PIPES][2];

static void
gate_wait(int n)
{
	char byte;

	EXPECT_EQ(1, read(gates[n][0], &byte, 1));
}

static void
gate_open(int n)
{
	EXPECT_EQ(1, write(gates[n][1], "", 1));
}

/* Records WRITES operations, then, when it is let, as many again. */
static int
program_main(struct paths_program *program, const char *process)
{
	int n = process[1] - '0';
	char thread[] = { 't', process[1], 0 };
	char element[] = { 'e', process[1], 0 };
	struct paths_path *path =
	    team_path(team_thread(program, thread), element);

	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < WRITES; i++)
			if (paths_path_write(path, &i, sizeof(i)) != PATHS_OK)
				return 1;
		gate_wait(n);
	}
	return 0;
}

struct subject {
	struct team *team;
	pid_t programs[2], servers[2];
	struct paths_program *root;
	struct paths_path *path;
	struct tree tree;
};

static void
subject_open(struct subject *s, const char *wait, const char *order,
    const char *via)
{
	static const char *const processes[2][2] = { { "p0", "s0" },
		{ "p1", "s1" } };
	char map[2048];

	memset(s, 0, sizeof(*s));
	tree_register();
	snprintf(map, sizeof(map), map_form, wait, order, via, via);
	s->team = team_open(map);
	for (int n = 0; n < 2; n++) {
		EXPECT_OK(pipe(gates[n]));
		s->programs[n] =
		    team_start(s->team, processes[n][0], program_main);
		s->servers[n] = team_start(s->team, processes[n][1], NULL);
	}
	s->root = team_join(s->team, "root");
	s->path = team_path(team_thread(s->root, "scope"), "view");
}

static void
subject_close(struct subject *s)
{
	paths_program_close(s->root);
	for (int n = 0; n < 2; n++) {
		if (s->servers[n] != 0)
			EXPECT_EQ(0, team_wait(s->servers[n]));
		close(gates[n][0]);
		close(gates[n][1]);
	}
	team_close(s->team);
	tree_fini(&s->tree);
}

/* Reads until that many tuples are there. */
static void
subject_read(struct subject *s, uint64_t tuples)
{
	while (TREE_SUM(&s->tree, tuples) < tuples) {
		tree_read_all(&s->tree, s->path);
		(void)poll(NULL, 0, 1);
	}
	EXPECT_EQ(tuples, TREE_SUM(&s->tree, tuples));
	EXPECT_EQ(0, TREE_SUM(&s->tree, lost));
	EXPECT_TRUE(!tree_is_torn(&s->tree));
}

static void
subject_end_program(struct subject *s, int n)
{
	gate_open(n);
	gate_open(n);
	EXPECT_EQ(0, team_wait(s->programs[n]));
}

static void
a_tree_gathers_from_live_programs_until_they_end(void)
{
	static const char *const vias[] = { "tcp", "unix", "shm" };

	for (int v = 0; v < 3; v++) {
		struct subject s;

		subject_open(&s, "60s", v == 0 ? "time" : "none", vias[v]);
		subject_read(&s, 2 * WRITES);
		EXPECT_EQ(2, s.tree.spaces);
		EXPECT_EQ(0, s.tree.closed);
		subject_end_program(&s, 0);
		subject_read(&s, 3 * WRITES);
		subject_end_program(&s, 1);
		subject_read(&s, 4 * WRITES);
		while (s.tree.closed < 2) {
			tree_read_all(&s.tree, s.path);
			(void)poll(NULL, 0, 1);
		}
		EXPECT_EQ(4 * WRITES, TREE_SUM(&s.tree, tuples));
		EXPECT_STR_EQ("", s.tree.notes);
		subject_close(&s);
	}
}

static void
a_killed_program_loses_nothing(void)
{
	struct subject s;

	subject_open(&s, "60s", "time", "tcp");
	subject_read(&s, 2 * WRITES);
	kill(s.programs[0], SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, team_wait(s.programs[0]));
	subject_end_program(&s, 1);
	subject_read(&s, 3 * WRITES);
	while (s.tree.killed < 1 || s.tree.closed < 1) {
		tree_read_all(&s.tree, s.path);
		(void)poll(NULL, 0, 1);
	}
	EXPECT_EQ(3 * WRITES, TREE_SUM(&s.tree, tuples));
	subject_close(&s);
}

static void
a_dead_child_is_reported_and_the_others_go_on(void)
{
	struct subject s;

	subject_open(&s, "60s", "time", "tcp");
	subject_read(&s, 2 * WRITES);
	kill(s.servers[0], SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, team_wait(s.servers[0]));
	s.servers[0] = 0;
	subject_end_program(&s, 0);
	subject_end_program(&s, 1);
	subject_read(&s, 3 * WRITES);
	while (strstr(s.tree.notes, "s0: ") == NULL)
		tree_read_all(&s.tree, s.path);
	EXPECT_TRUE(strstr(s.tree.notes, "lost process s0") != NULL);
	kill(s.servers[1], SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, team_wait(s.servers[1]));
	s.servers[1] = 0;
	while (tree_read(&s.tree, s.path) == PATHS_OK)
		(void)poll(NULL, 0, 1);
	EXPECT_TRUE(
	    strstr(paths_path_why(s.path), "all chains are lost") != NULL);
	subject_close(&s);
}

static void
slow_child(const char *order)
{
	struct subject s;
	int status;

	subject_open(&s, "50ms", order, "tcp");
	while (TREE_SUM(&s.tree, tuples) < 2 * WRITES)
		tree_read_all(&s.tree, s.path);
	s.tree.notes[0] = '\0';
	kill(s.servers[0], SIGSTOP);
	EXPECT_EQ(s.servers[0], waitpid(s.servers[0], &status, WUNTRACED));
	/* A batch of the stopped child may have promised more. */
	tree_read_all(&s.tree, s.path);
	subject_end_program(&s, 1);
	while (TREE_SUM(&s.tree, tuples) < 3 * WRITES ||
	    strstr(s.tree.notes, "s0: no answer for 0.05 s") == NULL)
		tree_read_all(&s.tree, s.path);
	kill(s.servers[0], SIGCONT);
	subject_end_program(&s, 0);
	while (TREE_SUM(&s.tree, tuples) < 4 * WRITES ||
	    strstr(s.tree.notes, "s0: answers again") == NULL)
		tree_read_all(&s.tree, s.path);
	EXPECT_TRUE(!tree_is_torn(&s.tree));
	subject_close(&s);
}

static void
a_slow_child_is_reported_and_not_waited_for(void)
{
	slow_child("time");
	slow_child("none");
}

/* The scope ends while a child has not answered. */
static void
a_tree_closes_while_a_child_is_stopped(void)
{
	struct subject s;

	subject_open(&s, "10ms", "time", "tcp");
	kill(s.servers[0], SIGSTOP);
	while (strstr(s.tree.notes, "s0: no answer") == NULL)
		tree_read_all(&s.tree, s.path);
	for (int n = 0; n < 2; n++)
		subject_end_program(&s, n);
	paths_path_close(s.path);
	kill(s.servers[0], SIGCONT);
	subject_close(&s);
}

TEST_MAIN(a_tree_gathers_from_live_programs_until_they_end,
    a_killed_program_loses_nothing,
    a_dead_child_is_reported_and_the_others_go_on,
    a_slow_child_is_reported_and_not_waited_for,
    a_tree_closes_while_a_child_is_stopped)
