/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/mpi_scope_bench.c - cost of computing all views of an MPI trace
 *
 *	mpi_scope_bench [-e | -l] [-k] [CALLS...]
 *
 * Makes a run of each number of calls, by default 1 and 10 million, in TMPDIR,
 * and does what `eventspace scope` does: opens the run, computes all views with
 * one thread, and writes them to view.db.  The reference is a pass over the
 * same mapped tuples, in the same process, that adds up stop - start.  Prints
 * for each run the CPU time of both, calls and tuples for each CPU second, and
 * the largest private memory (RssAnon, read each millisecond).  All of it is on
 * one core.
 *
 *	-e	each rank leaves all its collectives before the next one enters
 *		the first: they are all open at the same time
 *	-k	keep the runs, and print their names
 *	-l	a rank has no core for some of its time, so delays are followed
 */

#include "scopes/analysis.h"
#include "scopes/run.h"
#include "scopes/store.h"

#include "tests/bench/bench.h"
#include "tests/bench/mpi_made.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
must(paths_status st)
{
	if (st != PATHS_OK)
		exit(1);
}

static double
cpu_seconds(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Reads the private memory of this process, in KiB. */
static unsigned long
private_kib(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	unsigned long kib = 0;
	char line[256];

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "RssAnon: %lu", &kib) == 1)
			break;
	if (status != NULL)
		fclose(status);
	return kib;
}

/* The thread that watches memory. */
struct watch {
	pthread_t thread;
	_Atomic bool stop;
	unsigned long most;
	double cpu; /* time that the thread took itself */
};

static void *
watch_run(void *arg)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct watch *watch = arg;

	/* Relaxed: only the join orders anything. */
	while (!atomic_load_explicit(&watch->stop, memory_order_relaxed)) {
		unsigned long kib = private_kib();

		watch->most = kib > watch->most ? kib : watch->most;
		nanosleep(&pause, NULL);
	}
	watch->cpu = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static uint64_t
plain_sum(const struct es_tuple_mpi *tuples, uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t n = 0; n < count; n++)
		sum += tuples[n].stop - tuples[n].start;
	return sum;
}

/* Adds up the durations of all tuples of a run. */
static uint64_t
plain_pass(struct es_run *run)
{
	const struct es_collector *c;
	uint64_t sum = 0;

	for (uint32_t n = 0; (c = es_run_collector(run, n)) != NULL; n++)
		sum += plain_sum((const void *)c->older, c->older_count) +
		    plain_sum((const void *)c->newer,
			c->count - c->older_count);
	return sum;
}

static void
scope(struct es_run *run, const char *file)
{
	struct es_analysis *analysis;
	struct es_store *store;
	const struct es_view *view;

	must(es_analysis_open(run, 1, NULL, &analysis));
	must(es_store_create(file, &store));
	must(es_store_run(store, analysis));
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		must(es_view_plan(view, analysis));
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++) {
		must(es_store_view(store, view));
		must(es_view_fill(view, analysis, es_store_sink(store)));
	}
	must(es_store_commit(store));
	es_store_close(store);
	es_analysis_close(analysis);
}

static void
print(const char *name, double value, const char *unit)
{
	printf("%s\t%s\t1\t%.3f\t%.3f\t%.3f\n", name, unit, value, value,
	    value);
}

/* A run that is made. */
struct shape {
	const char *name;
	bool early, lost, keep;
	uint64_t calls, tuples;
};

static void
print_all(const struct shape *shape, double plain, double cpu,
    unsigned long kib)
{
	double calls = (double)shape->calls, tuples = (double)shape->tuples;
	char what[128];

	snprintf(what, sizeof(what), "%s: %.0f calls, plain pass", shape->name,
	    calls);
	print(what, plain, "s");
	snprintf(what, sizeof(what), "%s: %.0f calls, all views", shape->name,
	    calls);
	print(what, cpu, "s");
	print(what, cpu / plain, "x plain");
	print(what, calls / cpu * 1e-6, "M calls/s");
	print(what, tuples / cpu * 1e-6, "M tuples/s");
	print(what, (double)kib / 1024, "MiB private");
}

/* Measures a run, in a process of its own. */
static void
measure(const struct shape *shape, const char *dir)
{
	struct watch watch = { .most = 0 };
	double plain, open = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), cpu;
	struct es_run *run;
	volatile uint64_t kept;
	char file[512];

	snprintf(file, sizeof(file), "%s/view.db", dir);
	must(es_run_open(dir, &run));
	open = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - open;
	kept = plain_pass(run); /* the pages are mapped */
	plain = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
	kept = plain_pass(run);
	plain = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - plain;
	(void)kept;
	cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (pthread_create(&watch.thread, NULL, watch_run, &watch) != 0)
		exit(1);
	scope(run, file);
	/* Relaxed: the join orders. */
	atomic_store_explicit(&watch.stop, true, memory_order_relaxed);
	pthread_join(watch.thread, NULL);
	cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu + open - watch.cpu;
	es_run_close(run);
	print_all(shape, plain, cpu, watch.most);
}

/* Makes a run of a shape, of at least so many calls. */
static struct fake_mpi *
made(struct shape *shape, uint64_t calls)
{
	if (shape->early) {
		shape->name = "early";
		shape->calls = shape->tuples = mpi_made_early_calls(calls);
		return mpi_made_early(calls);
	}
	shape->name = shape->lost ? "lost cores" : "trace";
	shape->calls = mpi_made_calls(calls);
	shape->tuples = mpi_made_tuples(calls);
	return mpi_made(calls, shape->lost);
}

static void
bench(struct shape *shape, uint64_t calls)
{
	struct fake_mpi *fake = made(shape, calls);
	int status = 1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		measure(shape, fake_mpi_dir(fake));
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		exit(1);
	if (shape->keep) {
		puts(fake_mpi_dir(fake));
		fake_mpi_forget(fake);
	} else {
		fake_mpi_remove(fake);
	}
}

int
main(int argc, char **argv)
{
	struct shape shape = { .keep = false };
	int option;

	while ((option = getopt(argc, argv, "ekl")) != -1) {
		shape.early |= option == 'e';
		shape.keep |= option == 'k';
		shape.lost |= option == 'l';
		if (option == '?')
			return 2;
	}
	bench_pin(0);
	if (optind == argc) {
		bench(&shape, 1000000);
		bench(&shape, 10000000);
	}
	for (int n = optind; n < argc; n++)
		bench(&shape, strtoull(argv[n], NULL, 10));
	return 0;
}
