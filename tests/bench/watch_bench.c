/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/watch_bench.c - a recording process beside a scope that reads it
 *
 * This process records on core 0, as fast as it can, and one tuple each
 * microsecond.  A tuple server and a scope that reads it all the time are on
 * core 1.  In every second round the scope pauses.
 */

#include "collectors/record.h"
#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROUNDS 60
#define TUPLES 200000u
#define PACED 50000u

enum { FAST_ALONE, FAST_WATCHED, PACED_ALONE, PACED_WATCHED, LOOPS };

static const char map[] =
    "pathmap 1\nplugin libgather.so.0\nhost h\nprocess root -host h\n"
    "process s0 -host h -listen tcp:0\nthread t -process root\n"
    "path t view {{merge {{proxy s0 -via tcp} {spaces -batch 64K}}}} "
    "-use read\n";

/* Shared with the scope. */
struct shared {
	_Atomic int watches;
	_Atomic uint64_t bytes; /* that it has gathered */
};

static struct shared *shared;

static int
serve(struct paths_program *program, const char *process)
{
	(void)process;
	bench_pin(1);
	paths_program_serve(program);
	return 0;
}

static int
scope(struct paths_program *program, const char *process)
{
	static char batch[65536];
	struct paths_path *path = team_path(team_thread(program, "t"), "view");

	(void)process;
	bench_pin(1);
	for (;;) {
		uint32_t bytes = 0;

		if (atomic_load(&shared->watches) != 0) {
			if (paths_path_read(path, batch, sizeof(batch)) !=
			    PATHS_OK)
				return 1;
			bytes = paths_path_bytes(path);
			atomic_fetch_add(&shared->bytes, bytes);
		}
		if (bytes < sizeof(batch) / 2)
			(void)poll(NULL, 0, 1);
	}
}

static void
record(const struct es_record_ring *ring, unsigned count)
{
	static uint32_t seq;

	for (unsigned n = 0; n < count; n++) {
		struct es_tuple_path *to = es_record_reserve(ring);

		*to = (struct es_tuple_path){ .start = paths_clock_ticks(),
			.seq = seq++,
			.op = 1 };
		to->stop = paths_clock_ticks_ordered();
		es_record_fill(ring);
		es_record_complete(ring, to->stop);
	}
}

/* Records as fast as it can.  Returns ns for a tuple. */
static double
record_fast(const struct es_record_ring *ring)
{
	uint64_t from = paths_clock_ticks();

	record(ring, TUPLES);
	return (double)paths_clock_ticks_to_ns(paths_clock_ticks() - from) /
	    TUPLES;
}

/* Records a tuple each microsecond.  Returns ns for a tuple. */
static double
record_paced(const struct es_record_ring *ring)
{
	uint64_t step = paths_clock_ns_to_ticks(1000);
	uint64_t due = paths_clock_ticks(), sum = 0, from;

	for (unsigned n = 0; n < PACED; n++) {
		for (due += step; paths_clock_ticks() < due;)
			;
		from = paths_clock_ticks();
		record(ring, 1);
		sum += paths_clock_ticks() - from;
	}
	return (double)paths_clock_ticks_to_ns(sum) / PACED;
}

static struct es_record *
open_space(const char *directory)
{
	const struct es_record_collector collector = { .mode = ES_MODE_TRACE,
		.type = es_tuple_type_find("path"),
		.capacity = 65536,
		.profile_ops = 5,
		.profile_classes = 1,
		.matrix_peers = 1,
		.matrix_categories = 5 };
	const struct es_record_spec spec = { .directory = directory,
		.process_name = "recorded",
		.collector_count = 1,
		.map_text = "pathmap 1\n",
		.map_bytes = 10,
		.collectors = &collector };
	struct es_record *opened;

	if (es_record_open(&spec, &opened) == PATHS_OK)
		return opened;
	fprintf(stderr, "%s\n", paths_log_last());
	exit(1);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print(double times[LOOPS][ROUNDS])
{
	static const char *const names[LOOPS] = { "recording, alone",
		"recording, watched", "recording 1 M/s, alone",
		"recording 1 M/s, watched" };

	for (int l = 0; l < LOOPS; l++) {
		qsort(times[l], ROUNDS, sizeof(double), compare);
		printf("%s\tns a tuple\t%d\t%.2f\t%.2f\t%.2f\n", names[l],
		    ROUNDS, times[l][0], times[l][ROUNDS / 2],
		    times[l][ROUNDS * 99 / 100]);
		if (l % 2 == 1)
			printf("%s / alone\tratio\t%d\t%.3f\t%.3f\t-\n",
			    names[l], ROUNDS, times[l][0] / times[l - 1][0],
			    times[l][ROUNDS / 2] / times[l - 1][ROUNDS / 2]);
	}
}

int
main(void)
{
	static double times[LOOPS][ROUNDS];
	struct team *team = team_open(map);
	struct es_record_ring ring;
	bool opened;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	opened = shared != MAP_FAILED &&
	    es_record_ring(open_space(team_run(team)), 0, &ring) == PATHS_OK;
	if (!opened)
		return 1;
	team_start(team, "s0", serve);
	team_start(team, "root", scope);
	bench_pin(0);
	for (int r = 0; r < ROUNDS; r++)
		for (int watched = 0; watched < 2; watched++) {
			atomic_store(&shared->watches, watched);
			(void)poll(NULL, 0, 20);
			times[FAST_ALONE + watched][r] = record_fast(&ring);
			times[PACED_ALONE + watched][r] = record_paced(&ring);
		}
	print(times);
	printf("gathered\tMB\t1\t%.0f\t-\t-\n",
	    (double)atomic_load(&shared->bytes) / 1e6);
	fflush(stdout);
	/* Server and scope end with this process. */
	_exit(atomic_load(&shared->bytes) > 0 ? 0 : 1);
}
