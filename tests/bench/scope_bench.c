/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/scope_bench.c - cost of computing views of a run
 *
 *	scope_bench [-e | -l] [-k] [-s] [-v VIEW]... [CALLS | RUN]...
 *
 * CALLS makes an MPI trace of that many calls in TMPDIR, by default 1 and 10
 * million; RUN is the directory of a run, such as make_run makes one. Does what
 * `eventspace scope` does: opens the run, computes views with one thread, and
 * writes them to a file, which is view.db in a trace that was made.  The
 * reference is a pass over the same mapped tuples, in the same process, that
 * adds up stop - start.  Prints for each run the CPU time of both, operations
 * and tuples for each CPU second, and the largest private memory (RssAnon, read
 * each millisecond).  All of it is on one core.
 *
 *	-e	each rank leaves all its collectives before the next one enters
 *		the first: they are all open at the same time
 *	-k	keep the runs that were made, and print their names
 *	-l	a rank has no core for some of its time, so delays are followed
 *	-s	replay the run, too, and print how many times as long one with a
 *		change, and one with a slope, takes as one without
 *	-v VIEW	compute this view, instead of all
 */

#include "scopes/analysis.h"
#include "scopes/run.h"
#include "scopes/store.h"
#include "scopes/whatif/run_private.h"
#include "scopes/whatif/sense_private.h"

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

/* Adds up the durations of tuples, each of which begins with two stamps. */
static uint64_t
plain_sum(const uint8_t *tuples, uint64_t count, uint32_t bytes)
{
	uint64_t sum = 0, stamps[2];

	for (uint64_t n = 0; n < count; n++) {
		memcpy(stamps, tuples + n * bytes, sizeof(stamps));
		sum += stamps[1] - stamps[0];
	}
	return sum;
}

/* Adds up the durations of all tuples of a run. */
static uint64_t
plain_pass(struct es_run *run)
{
	const struct es_collector *c;
	uint64_t sum = 0;

	for (uint32_t n = 0; (c = es_run_collector(run, n)) != NULL; n++)
		if (c->type != NULL)
			sum += plain_sum(c->older, c->older_count,
				   c->type->bytes) +
			    plain_sum(c->newer, c->count - c->older_count,
				c->type->bytes);
	return sum;
}

/* Options of the command. */
struct asked {
	bool early, lost, keep, slopes;
	const char *const *views; /* empty: all */
	size_t view_count;
};

/* Returns view n of those that are asked for; NULL: there are no more. */
static const struct es_view *
asked_view(const struct asked *asked, size_t n)
{
	if (asked->view_count == 0)
		return es_view_get(n);
	return n < asked->view_count ? es_view_find(asked->views[n]) : NULL;
}

static void
scope(const struct asked *asked, struct es_analysis *analysis, const char *file)
{
	struct es_store *store;
	const struct es_view *view;

	must(es_store_create(file, &store));
	must(es_store_run(store, analysis));
	for (size_t n = 0; (view = asked_view(asked, n)) != NULL; n++)
		must(es_view_plan(view, analysis));
	for (size_t n = 0; (view = asked_view(asked, n)) != NULL; n++) {
		must(es_store_view(store, view));
		must(es_view_fill(view, analysis, es_store_sink(store)));
	}
	must(es_store_commit(store));
	es_store_close(store);
}

static void
print(const char *name, double value, const char *unit)
{
	printf("%s\t%s\t1\t%.3f\t%.3f\t%.3f\n", name, unit, value, value,
	    value);
}

/* A run, and what it took. */
struct measured {
	const char *name;
	uint64_t calls, tuples;
	double plain, cpu; /* CPU seconds */
	unsigned long kib;
};

static void
print_all(const struct measured *m)
{
	double calls = (double)m->calls, tuples = (double)m->tuples;
	char what[128];

	snprintf(what, sizeof(what), "%s: %.0f calls, plain pass", m->name,
	    calls);
	print(what, m->plain, "s");
	snprintf(what, sizeof(what), "%s: %.0f calls, views", m->name, calls);
	print(what, m->cpu, "s");
	print(what, m->cpu / m->plain, "x plain");
	print(what, calls / m->cpu * 1e-6, "M calls/s");
	print(what, tuples / m->cpu * 1e-6, "M tuples/s");
	print(what, (double)m->kib / 1024, "MiB private");
}

/* ---- replays */

#define REPLAYS 7

/* Returns the CPU time of the quickest replay. */
static double
replay(const struct es__whatif_run *run, const struct es__whatif_setting *how,
    const struct es__whatif_parameter *slope)
{
	double least = 0;

	for (int n = 0; n < REPLAYS; n++) {
		struct es__whatif_point point = { .value_ns = 0 };
		struct es__whatif_times times = { .end_ns = NULL };
		double cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);

		if (slope != NULL)
			must(es__whatif_slope(&run->model, how, slope, &point));
		else
			must(es__whatif_pass(&run->model, how, &times));
		cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		least = n == 0 || cpu < least ? cpu : least;
		free(times.end_ns);
	}
	return least;
}

/* Replays the run of an analysis without a change, with one, and with a
   slope. */
static void
slopes(struct es_analysis *analysis)
{
	struct es__whatif_run run;
	struct es__whatif_setting plain = { .eager_bytes = 0 }, late;
	struct es__whatif_parameter latency = { .bytes = false,
		.links = { true, true } };
	double least;

	must(es__whatif_run_open(analysis, NULL, NULL, &run));
	late = plain;
	late.travel[ES__WHATIF_INSIDE].latency_ns = 1000;
	late.travel[ES__WHATIF_BETWEEN].latency_ns = 1000;
	least = replay(&run, &plain, NULL);
	print("replay without a change", least, "s");
	print("replay with a latency", replay(&run, &late, NULL) / least,
	    "x without");
	print("replay with a slope", replay(&run, &plain, &latency) / least,
	    "x without");
	es__whatif_run_fini(&run);
}

/* ---- runs */

/* Returns the operations that a run retains. */
static uint64_t
run_tuples(struct es_run *run)
{
	const struct es_collector *c;
	uint64_t count = 0;

	for (uint32_t n = 0; (c = es_run_collector(run, n)) != NULL; n++)
		count += c->count;
	return count;
}

/* Measures a run, in a process of its own.  m: calls 0: those of paths, a tuple
   each. */
static void
measure(const struct asked *asked, struct measured *m, const char *dir,
    const char *file)
{
	struct watch watch = { .most = 0 };
	double open = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
	struct es_analysis *analysis;
	struct es_run *run;
	volatile uint64_t kept;

	must(es_run_open(dir, &run));
	open = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - open;
	if (m->calls == 0)
		m->calls = m->tuples = run_tuples(run);
	kept = plain_pass(run); /* the pages are mapped */
	m->plain = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
	kept = plain_pass(run);
	m->plain = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - m->plain;
	(void)kept;
	m->cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (pthread_create(&watch.thread, NULL, watch_run, &watch) != 0)
		exit(1);
	must(es_analysis_open(run, 1, NULL, &analysis));
	scope(asked, analysis, file);
	/* Relaxed: the join orders. */
	atomic_store_explicit(&watch.stop, true, memory_order_relaxed);
	pthread_join(watch.thread, NULL);
	m->cpu =
	    cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - m->cpu + open - watch.cpu;
	m->kib = watch.most;
	print_all(m);
	if (asked->slopes)
		slopes(analysis);
	es_analysis_close(analysis);
	es_run_close(run);
}

static void
measure_apart(const struct asked *asked, struct measured *m, const char *dir,
    const char *file)
{
	int status = 1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		measure(asked, m, dir, file);
		fflush(stdout);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		exit(1);
}

/* Makes a run of at least so many calls. */
static struct fake_mpi *
made(const struct asked *asked, uint64_t calls, struct measured *m)
{
	if (asked->early) {
		m->name = "early";
		m->calls = m->tuples = mpi_made_early_calls(calls);
		return mpi_made_early(calls);
	}
	m->name = asked->lost ? "lost cores" : "trace";
	m->calls = mpi_made_calls(calls);
	m->tuples = mpi_made_tuples(calls);
	return mpi_made(calls, asked->lost);
}

static void
bench_made(const struct asked *asked, uint64_t calls)
{
	struct measured m = { .calls = 0 };
	struct fake_mpi *fake = made(asked, calls, &m);
	char file[512];

	snprintf(file, sizeof(file), "%s/view.db", fake_mpi_dir(fake));
	measure_apart(asked, &m, fake_mpi_dir(fake), file);
	if (asked->keep) {
		puts(fake_mpi_dir(fake));
		fake_mpi_forget(fake);
	} else {
		fake_mpi_remove(fake);
	}
}

/* Measures a run that exists, and does not change it. */
static void
bench_run_of(const struct asked *asked, const char *dir)
{
	const char *tmp = getenv("TMPDIR");
	struct measured m = { .name = "run" };
	char file[512];
	int fd;

	snprintf(file, sizeof(file), "%s/scope_bench.XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	fd = mkstemp(file);
	if (fd < 0)
		exit(1);
	close(fd);
	measure_apart(asked, &m, dir, file);
	unlink(file);
}

static void
bench(const struct asked *asked, const char *text)
{
	char *end;
	uint64_t calls = strtoull(text, &end, 10);

	if (*end == '\0' && calls > 0)
		bench_made(asked, calls);
	else
		bench_run_of(asked, text);
}

int
main(int argc, char **argv)
{
	const char *views[64];
	struct asked asked = { .views = views };
	int option;

	while ((option = getopt(argc, argv, "eklsv:")) != -1) {
		asked.early |= option == 'e';
		asked.keep |= option == 'k';
		asked.lost |= option == 'l';
		asked.slopes |= option == 's';
		if (option == 'v' && asked.view_count < 64 &&
		    es_view_find(optarg) != NULL)
			views[asked.view_count++] = optarg;
		else if (option == '?' || option == 'v')
			return 2;
	}
	bench_pin(0);
	if (optind == argc) {
		bench(&asked, "1000000");
		bench(&asked, "10000000");
	}
	for (int n = optind; n < argc; n++)
		bench(&asked, argv[n]);
	return 0;
}
