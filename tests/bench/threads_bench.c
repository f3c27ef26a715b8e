/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/threads_bench.c - writes of two threads that share nothing
 *
 * Each thread has a path, collectors and an element of its own, and a core of
 * its own.  The reference is one thread that writes while the other one is
 * parked.  Two threads write the same number of tuples each; they share no
 * state if they take as long as one.
 */

#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define WRITES 20000u
#define ROUNDS 400u

static struct paths_path *paths[2];
static _Atomic unsigned asked; /* rounds that the second thread begins */
static _Atomic unsigned ended;
static _Atomic bool over;

static void
write_all(struct paths_path *path, unsigned n)
{
	uint64_t tuple[4] = { 0 };

	while (n-- > 0)
		if (paths_path_write(path, tuple, sizeof(tuple)) != PATHS_OK)
			exit(EXIT_FAILURE);
}

static void
one_loop(void *to, unsigned n)
{
	(void)to;
	write_all(paths[0], n);
}

static void
two_loop(void *to, unsigned n)
{
	unsigned round = atomic_fetch_add(&asked, 1) + 1;

	(void)to;
	write_all(paths[0], n);
	while (atomic_load(&ended) != round)
		;
}

static void *
second(void *arg)
{
	unsigned round = 0;

	(void)arg;
	bench_pin(1);
	while (!atomic_load(&over)) {
		if (atomic_load(&asked) == round)
			continue;
		/* The first round of bench_run is a tenth of the others. */
		write_all(paths[1], round == 0 ? WRITES / 10 + 1 : WRITES);
		atomic_store(&ended, ++round);
	}
	return NULL;
}

static struct paths_path *
path_of(struct paths_program *program, const char *thread, const char *element)
{
	struct paths_thread *t;
	struct paths_path *path;

	if (paths_thread_open(program, thread, &t) != PATHS_OK ||
	    paths_path_open(t, element, &path) != PATHS_OK)
		exit(EXIT_FAILURE);
	return path;
}

int
main(void)
{
	static const struct bench loops[] = {
		{ "write, one thread", one_loop, NULL, WRITES },
		{ "write, each of two threads", two_loop, NULL, WRITES },
	};
	struct team *team = team_open(
	    "pathmap 1\nplugin libcollectors.so.0\nhost h\nprocess p -host h\n"
	    "thread t0 -process p\nthread t1 -process p\n"
	    "element e0 -process p -type u64*4 -full discard\n"
	    "element e1 -process p -type u64*4 -full discard\n"
	    "path t0 e0 {{collector} {collector} {element e0}}\n"
	    "path t1 e1 {{collector} {collector} {element e1}}\n");
	struct paths_program *program = team_join(team, "p");
	pthread_t thread;

	paths[0] = path_of(program, "t0", "e0");
	paths[1] = path_of(program, "t1", "e1");
	bench_pin(0);
	if (pthread_create(&thread, NULL, second, NULL) != 0)
		return EXIT_FAILURE;
	bench_run(loops, 2, ROUNDS);
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	paths_program_close(program);
	team_close(team);
	return 0;
}
