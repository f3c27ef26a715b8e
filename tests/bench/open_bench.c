/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/open_bench.c - time to open a program with many paths
 *
 * A thread has 10, 100, ... 10,000 paths, each to an element of its own, in its
 * own process or over TCP in another one.  `program` is paths_program_open, as
 * a whole; `path` is paths_path_open, for each path.  The paths are opened in
 * an order that has nothing to do with their order in the map.
 */

#include "libpaths/clock.h"
#include "libpaths/path.h"
#include "tests/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST 10000u
#define ROUNDS 5

struct open_cost {
	double program_ns, path_ns;
};

static int ready[2]; /* pipe in which the server writes that it is open */

static double
ns_since(uint64_t ticks)
{
	return (double)paths_clock_ticks_to_ns(paths_clock_ticks() - ticks);
}

static int
open_order(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : 1;
}

static void
open_print(const char *where, const char *what, unsigned paths, double *ns)
{
	qsort(ns, ROUNDS, sizeof(*ns), open_order);
	printf("%s, %u paths: %s\tns\t%d\t%.0f\t%.0f\t%.0f\n", where, paths,
	    what, ROUNDS, ns[0], ns[ROUNDS / 2], ns[ROUNDS - 1]);
}

static char *
open_map(unsigned paths, bool remote)
{
	char *map = malloc(paths * (size_t)160 + 256);
	int n;

	if (map == NULL)
		exit(EXIT_FAILURE);
	n = sprintf(map,
	    "pathmap 1\nhost h\nprocess c -host h\n%sthread t -process c\n",
	    remote ? "process s -host h -listen tcp:0\n" : "");
	for (unsigned i = 0; i < paths; i++)
		n += sprintf(map + n,
		    "element e%u -process %s -type u8*36 -keep 1\n"
		    "path t e%u {%s{element e%u}}\n",
		    i, remote ? "s" : "c", i,
		    remote ? "{proxy s -via tcp} " : "", i);
	return map;
}

static int
serve(struct paths_program *program, const char *process)
{
	(void)program;
	(void)process;
	return write(ready[1], "", 1) == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Starts the server, and waits until it is open. */
static pid_t
serve_open(struct team *team)
{
	pid_t pid = team_start(team, "s", serve);
	char byte;

	if (read(ready[0], &byte, 1) != 1)
		exit(EXIT_FAILURE);
	return pid;
}

static void
open_paths(struct paths_program *program, unsigned paths)
{
	struct paths_thread *thread;
	struct paths_path *path;
	char name[16];

	if (paths_thread_open(program, "t", &thread) != PATHS_OK)
		exit(EXIT_FAILURE);
	for (unsigned i = 0; i < paths; i++) {
		snprintf(name, sizeof(name), "e%u",
		    (unsigned)((uint64_t)i * 7919 % paths));
		if (paths_path_open(thread, name, &path) != PATHS_OK)
			exit(EXIT_FAILURE);
	}
}

static struct open_cost
open_once(const char *map, unsigned paths, bool remote)
{
	struct team *team = team_open(map);
	pid_t pid = remote ? serve_open(team) : 0;
	struct paths_program *program;
	struct open_cost cost;
	uint64_t begin;

	begin = paths_clock_ticks();
	program = team_join(team, "c");
	cost.program_ns = ns_since(begin);
	begin = paths_clock_ticks();
	open_paths(program, paths);
	cost.path_ns = ns_since(begin) / paths;
	paths_program_close(program);
	if (remote && team_wait(pid) != 0)
		exit(EXIT_FAILURE);
	team_close(team);
	return cost;
}

int
main(void)
{
	if (pipe(ready) != 0)
		return EXIT_FAILURE;
	for (int remote = 0; remote < 2; remote++)
		for (unsigned paths = 10; paths <= MOST; paths *= 10) {
			char *map = open_map(paths, remote);
			double program[ROUNDS], path[ROUNDS];

			for (int i = 0; i < ROUNDS; i++) {
				struct open_cost cost =
				    open_once(map, paths, remote);

				program[i] = cost.program_ns;
				path[i] = cost.path_ns;
			}
			open_print(remote ? "tcp" : "local", "program", paths,
			    program);
			open_print(remote ? "tcp" : "local", "path", paths,
			    path);
			free(map);
		}
	return EXIT_SUCCESS;
}
