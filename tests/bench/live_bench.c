/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/live_bench.c - a program beside `eventspace scope --live`
 *
 * This process writes on a path with a collector, on core 0, and works between
 * two writes for so long that it records a tuple each microsecond.  In two of
 * three measurements the command runs on core 1: it reads the run, or it copies
 * the event space into another run directory, through a gather tree.  The speed
 * of a shared machine changes from one second to the next, so the ratios are
 * those within a round of three measurements, whose order changes: their lower
 * quartile, median and upper quartile.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 24
#define WRITES 500000u
#define STEP_NS 1000

enum { ALONE, DIRECT, TREE, LOOPS };

static const char map[] =
    "pathmap 1\nplugin libcollectors.so.0\nhost h\nprocess p -host h\n"
    "thread t -process p\npath t total {{collector} {null}}\n";

static const char tree[] =
    "pathmap 1\nplugin libgather.so.0\nhost h\nprocess scope -host h\n"
    "process s0 -host h -listen tcp:0\nthread scope -process scope\n"
    "path scope view {{merge {{proxy s0 -via tcp} {spaces %s}} -order none}} "
    "-use read\n";

/* The directories of the run, and of its copy. */
static char run[PATH_MAX], copy[PATH_MAX];

static void
work(unsigned count)
{
	for (unsigned n = 0; n < count; n++)
		__asm__ volatile("" ::: "memory");
}

/* Returns the time that the core has worked for this thread, in ns: others may
   use the core, too. */
static double
now(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Writes, and works between two writes.  Returns ns for one of both. */
static double
record(struct paths_path *path, unsigned count, unsigned spins)
{
	double from = now();

	for (uint64_t tuple = 0; tuple < count; tuple++) {
		if (paths_path_write(path, &tuple, sizeof(tuple)) != PATHS_OK)
			exit(1);
		work(spins);
	}
	return (now() - from) / count;
}

/* Returns the work for a write each microsecond. */
static unsigned
calibrate(struct paths_path *path)
{
	unsigned spins = 100;

	for (int n = 0; n < 8; n++)
		spins = (unsigned)(spins * (double)STEP_NS /
		    record(path, WRITES / 10, spins));
	return spins;
}

static void
file_name(char file[PATH_MAX], const char *name)
{
	if (snprintf(file, PATH_MAX, "%s/%s", copy, name) >= PATH_MAX)
		exit(1);
}

/* Makes the directory of the copy, with the map of the tree. */
static void
make_copy(void)
{
	const char *top = getenv("TMPDIR");
	char file[PATH_MAX];
	FILE *to;

	snprintf(copy, sizeof(copy), "%.200s/live_bench.XXXXXX",
	    top != NULL ? top : "/tmp");
	if (mkdtemp(copy) == NULL)
		exit(1);
	file_name(file, "tree");
	to = fopen(file, "w");
	if (to == NULL || fprintf(to, tree, run) < 0 || fclose(to) != 0)
		exit(1);
}

static void
remove_copy(void)
{
	static const char *const names[] = { "tree", "p.space", "tree.log",
		"gather.notes" };
	char file[PATH_MAX];

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		file_name(file, names[n]);
		(void)unlink(file);
	}
	(void)rmdir(copy);
}

/* Starts the command on the other cores. */
static pid_t
start(const char *dir, const char *with_tree)
{
	const char *command = getenv("EVENTSPACE");
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	bench_pin(1);
	execlp(command != NULL ? command : "eventspace", "eventspace", "scope",
	    dir, "--live", "--quiet", with_tree != NULL ? "--tree" : NULL,
	    with_tree, (char *)NULL);
	_exit(127);
}

/* Waits until the command has computed views. */
static void
await(const char *dir)
{
	char file[PATH_MAX];
	struct stat about;

	if (snprintf(file, sizeof(file), "%s/view.db", dir) >= PATH_MAX)
		exit(1);
	for (int n = 0; n < 20000 && stat(file, &about) != 0; n++)
		(void)poll(NULL, 0, 1);
	if (unlink(file) != 0)
		exit(1);
}

/* Measures a round beside the command, or alone. */
static double
measure(struct paths_path *path, int how, unsigned spins)
{
	const char *dir = how == TREE ? copy : run;
	char file[PATH_MAX];
	double time;
	pid_t pid = 0;

	file_name(file, "tree");
	if (how != ALONE) {
		pid = start(dir, how == TREE ? file : NULL);
		await(dir);
	}
	time = record(path, WRITES, spins);
	if (pid != 0) {
		kill(pid, SIGTERM);
		(void)waitpid(pid, NULL, 0);
	}
	return time;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static const char *const names[LOOPS] = { "1 M tuples/s, alone",
	"1 M tuples/s, live scope", "1 M tuples/s, live gather tree" };

static void
print_ratios(double times[LOOPS][ROUNDS], int l)
{
	double ratios[ROUNDS];

	for (int r = 0; r < ROUNDS; r++)
		ratios[r] = times[l][r] / times[ALONE][r];
	qsort(ratios, ROUNDS, sizeof(double), compare);
	printf("%s / alone\tratio\t%d\t%.3f\t%.3f\t%.3f\n", names[l], ROUNDS,
	    ratios[ROUNDS / 4], ratios[ROUNDS / 2], ratios[ROUNDS * 3 / 4]);
}

static void
print(double times[LOOPS][ROUNDS])
{
	for (int l = ALONE + 1; l < LOOPS; l++)
		print_ratios(times, l);
	for (int l = 0; l < LOOPS; l++) {
		qsort(times[l], ROUNDS, sizeof(double), compare);
		printf("%s\tns\t%d\t%.1f\t%.1f\t%.1f\n", names[l], ROUNDS,
		    times[l][0], times[l][ROUNDS / 2], times[l][ROUNDS - 1]);
	}
}

int
main(void)
{
	static double times[LOOPS][ROUNDS];
	struct team *team = team_open(map);
	struct paths_program *program = team_join(team, "p");
	struct paths_path *path = team_path(team_thread(program, "t"), "total");
	unsigned spins;

	snprintf(run, sizeof(run), "%s", team_run(team));
	make_copy();
	bench_pin(0);
	spins = calibrate(path);
	for (int r = 0; r < ROUNDS; r++)
		for (int l = 0; l < LOOPS; l++) {
			int how = (r + l) % LOOPS;

			times[how][r] = measure(path, how, spins);
		}
	print(times);
	remove_copy();
	paths_program_close(program);
	team_close(team);
	return 0;
}
