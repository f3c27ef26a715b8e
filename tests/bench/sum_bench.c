/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/sum_bench.c - a sum over 8 threads of one process, and of two
 *
 * The reference is Open MPI's allreduce of 8 ranks over shared memory and over
 * TCP, if sum_mpi is built (see its first comment) and mpirun is installed.
 */

#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS 8
#define SUMS 20000
#define ROUNDS 9

struct adder {
	pthread_t thread;
	struct paths_program *program;
	char name[8];
	double ns; /* of a sum */
};

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void *
add(void *arg)
{
	struct adder *a = arg;
	struct paths_thread *t;
	struct paths_path *p;
	int64_t value;
	double start = 0;

	if (paths_thread_open(a->program, a->name, &t) != PATHS_OK ||
	    paths_path_open(t, "total", &p) != PATHS_OK)
		exit(1);
	for (unsigned i = 0; i < SUMS + SUMS / 10; i++) {
		value = i;
		if (paths_path_exchange(p, &value, sizeof(value)) != PATHS_OK ||
		    value != (int64_t)i * THREADS)
			exit(1);
		if (i == SUMS / 10)
			start = now_ns();
	}
	a->ns = (now_ns() - start) / SUMS;
	return NULL;
}

/* Runs the threads of a process; returns their mean. */
static int
add_all(struct paths_program *program, const char *process)
{
	const struct paths_map *map = paths_program_map(program);
	struct adder adders[THREADS];
	unsigned n = 0;

	(void)process;
	for (uint32_t i = 0; i < map->thread_count; i++) {
		if (map->threads[i].process != paths_program_process(program))
			continue;
		adders[n].program = program;
		snprintf(adders[n].name, sizeof(adders[n].name), "%s",
		    map->threads[i].name);
		pthread_create(&adders[n].thread, NULL, add, &adders[n]);
		n++;
	}
	for (unsigned i = 0; i < n; i++)
		pthread_join(adders[i].thread, NULL);
	if (paths_program_process(program) == 0)
		printf(
		    "sum, 8 threads, %u process%s\tns\t%u\t%.0f\t%.0f\t%.0f\n",
		    map->process_count, map->process_count > 1 ? "es, tcp" : "",
		    SUMS, adders[0].ns, adders[0].ns, adders[0].ns);
	fflush(stdout);
	return 0;
}

static void
bench_processes(unsigned processes)
{
	char map[4096];
	struct team *team;
	pid_t pid[2];
	int n;

	n = sprintf(map,
	    "pathmap 1\nhost h\nelement total -process p0 "
	    "-type i64*1 -full discard\n");
	for (unsigned p = 0; p < processes; p++)
		n += sprintf(map + n, "process p%u -host h%s\n", p,
		    p == 0 && processes > 1 ? " -listen tcp:0" : "");
	for (unsigned t = 0; t < THREADS; t++)
		n += sprintf(map + n,
		    "thread t%u -process p%u\npath t%u total {{sum%u}}\n", t,
		    t * processes / THREADS, t, t * processes / THREADS);
	for (unsigned p = 0; p < processes; p++)
		n += sprintf(map + n,
		    "stage sum%u reduce -process p%u -op sum -type i64*1 "
		    "-inputs %u -next {%s}\n",
		    p, p, THREADS / processes,
		    processes == 1 ? "{element total}" :
			p == 0	   ? "{root}" :
				     "{proxy p0 -via tcp} {root}");
	if (processes > 1)
		sprintf(map + n,
		    "stage root reduce -process p0 -op sum -type "
		    "i64*1 -inputs 2 -next {{element total}}\n");
	team = team_open(map);
	for (unsigned p = 0; p < processes; p++)
		pid[p] = team_start(team, p == 0 ? "p0" : "p1", add_all);
	for (unsigned p = 0; p < processes; p++)
		if (team_wait(pid[p]) != 0)
			exit(1);
	team_close(team);
}

static void
bench_peer(const char *what, const char *transport)
{
	char command[512];

	fflush(stdout);
	snprintf(command, sizeof(command),
	    "test -x tests/bench/sum_mpi && command -v mpirun >/dev/null && "
	    "mpirun --allow-run-as-root --oversubscribe -n 8 --mca btl %s "
	    "tests/bench/sum_mpi '%s' 2>/dev/null",
	    transport, what);
	if (system(command) != 0)
		printf("# %s: not measured\n", what);
}

int
main(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		bench_processes(1);
		bench_peer("Open MPI allreduce, 8 ranks, shared memory",
		    "self,vader");
		bench_processes(2);
		bench_peer("Open MPI allreduce, 8 ranks, tcp", "self,tcp");
	}
	return 0;
}
