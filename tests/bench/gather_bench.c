/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/gather_bench.c - a gather tree with eight children over TCP
 *
 * Each of eight servers serves the same event space, in which this process
 * records between the rounds.  A round reads what is new, through each server,
 * in batches of 64 KiB.  The reference are eight processes that send 64 KiB for
 * each byte that they get, over blocking TCP connections: all are asked at
 * once, then all answers are read.  Each is printed as the time for a tuple of
 * 36 bytes, on one core.
 *
 *	gather_bench [2core]	one core by default
 */

#include "collectors/record.h"
#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN 8
#define ROUNDS 60
#define TUPLES 16384u /* that are recorded in a round */
#define BATCH 65536
#define TREES 4

static const struct {
	const char *name, *trust, *order;
} trees[TREES] = {
	{ "gather, network trusted", "-trust network", "none" },
	{ "gather", "", "none" },
	{ "gather, network trusted, ordered", "-trust network", "time" },
	{ "gather, ordered", "", "time" },
};

static int server_core;
static char tuple[BATCH + 4096];

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* --- raw TCP ------------------------------------------------------------- */

static void
raw_get(int fd, size_t count)
{
	while (count > 0) {
		ssize_t n = recv(fd, tuple, count, 0);

		if (n <= 0)
			_exit(0);
		count -= (size_t)n;
	}
}

static int
raw_open(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(sin);
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int one = 1;

	if (bind(listening, (struct sockaddr *)&sin, length) != 0 ||
	    listen(listening, 1) != 0 ||
	    getsockname(listening, (struct sockaddr *)&sin, &length) != 0)
		exit(1);
	if (fork() == 0) {
		close(fd);
		fd = accept(listening, NULL, NULL);
		bench_pin(server_core);
		for (;;) {
			raw_get(fd, 1);
			for (size_t at = 0; at < BATCH;) {
				ssize_t n =
				    send(fd, tuple, BATCH - at, MSG_NOSIGNAL);

				if (n <= 0)
					_exit(0);
				at += (size_t)n;
			}
		}
	}
	if (connect(fd, (struct sockaddr *)&sin, length) != 0)
		exit(1);
	close(listening);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

/* Returns ns for a tuple. */
static double
raw_round(const int fds[CHILDREN])
{
	unsigned pulls = TUPLES * 36 / BATCH;
	uint64_t from = now_ns();

	for (unsigned n = 0; n < pulls; n++) {
		for (int c = 0; c < CHILDREN; c++)
			if (send(fds[c], "p", 1, MSG_NOSIGNAL) != 1)
				exit(1);
		for (int c = 0; c < CHILDREN; c++)
			raw_get(fds[c], BATCH);
	}
	return (double)(now_ns() - from) /
	    ((double)pulls * CHILDREN * BATCH / 36);
}

/* --- trees --------------------------------------------------------------- */

struct tree {
	struct team *team;
	struct paths_program *program;
	struct paths_path *path;
	struct es_record *record;
	struct es_record_ring ring;
	uint32_t seq;
};

static int
serve(struct paths_program *program, const char *process)
{
	(void)process;
	bench_pin(server_core);
	paths_program_serve(program);
	return 0;
}

static void
tree_record(struct tree *t, unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		struct es_tuple_path *to = es_record_reserve(&t->ring);

		*to = (struct es_tuple_path){ .start = paths_clock_ticks(),
			.seq = t->seq++,
			.op = 1 };
		to->stop = paths_clock_ticks();
		es_record_fill(&t->ring);
		es_record_complete(&t->ring, to->stop);
	}
}

static void
tree_open_space(struct tree *t)
{
	const struct es_record_collector collector = { .mode = ES_MODE_TRACE,
		.type = es_tuple_type_find("path"),
		.capacity = 4 * TUPLES,
		.profile_ops = 5,
		.profile_classes = 1,
		.matrix_peers = 1,
		.matrix_categories = 5 };
	const struct es_record_spec spec = {
		.directory = team_run(t->team),
		.process_name = "recorded",
		.collector_count = 1,
		.map_text = "pathmap 1\n",
		.map_bytes = 10,
		.collectors = &collector,
	};

	if (es_record_open(&spec, &t->record) != PATHS_OK ||
	    es_record_ring(t->record, 0, &t->ring) != PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		exit(1);
	}
}

static void
tree_open(struct tree *t, int which)
{
	char *map = NULL;
	size_t bytes;
	FILE *to = open_memstream(&map, &bytes);

	fprintf(to,
	    "pathmap 1 %s\nplugin libgather.so.0\nhost h\n"
	    "process root -host h\nthread t -process root\n",
	    trees[which].trust);
	for (int c = 0; c < CHILDREN; c++)
		fprintf(to, "process s%d -host h -listen tcp:0\n", c);
	fprintf(to, "path t view {{merge -order %s", trees[which].order);
	for (int c = 0; c < CHILDREN; c++)
		fprintf(to, " {{proxy s%d -via tcp} {spaces -batch 66K}}", c);
	fprintf(to, "}} -use read\n");
	fclose(to);
	t->team = team_open(map);
	free(map);
	tree_open_space(t);
	for (int c = 0; c < CHILDREN; c++) {
		char name[8];

		snprintf(name, sizeof(name), "s%d", c);
		team_start(t->team, name, serve);
	}
	t->program = team_join(t->team, "root");
	t->path = team_path(team_thread(t->program, "t"), "view");
}

/* Reads what is there.  Returns ns for a tuple. */
static double
tree_round(struct tree *t)
{
	const double bytes = 36.0 * TUPLES * CHILDREN;
	double got = 0;
	uint64_t from;

	tree_record(t, TUPLES);
	from = now_ns();
	/* Heads of records are few bytes; those of ordered tuples more. */
	while (got < bytes) {
		if (paths_path_read(t->path, tuple,
			paths_path_type(t->path)->bytes) != PATHS_OK) {
			fprintf(stderr, "%s\n", paths_path_why(t->path));
			exit(1);
		}
		got += paths_path_bytes(t->path);
	}
	return (double)(now_ns() - from) / (TUPLES * CHILDREN);
}

/* --- output -------------------------------------------------------------- */

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
print(const char *what, const char *unit, double times[ROUNDS])
{
	qsort(times, ROUNDS, sizeof(times[0]), compare);
	printf("%s\t%s\t%d\t%.2f\t%.2f\t%.2f\n", what, unit, ROUNDS, times[0],
	    times[ROUNDS / 2], times[ROUNDS * 99 / 100]);
	return times[0];
}

int
main(int argc, char **argv)
{
	static double times[TREES + 1][ROUNDS];
	struct tree t[TREES];
	int raw[CHILDREN];
	double reference;

	(void)argv;
	if (paths_stage_load(".libs/libgather.so.0") != PATHS_OK) {
		fprintf(stderr, "%s\n", paths_log_last());
		return 1;
	}
	memset(t, 0, sizeof(t));
	server_core = argc > 1 ? 1 : 0;
	for (int c = 0; c < CHILDREN; c++)
		raw[c] = raw_open();
	for (int n = 0; n < TREES; n++)
		tree_open(&t[n], n);
	bench_pin(0);
	/* Opens the spaces, and fetches their definitions. */
	for (int n = 0; n < TREES; n++)
		(void)tree_round(&t[n]);
	for (int r = 0; r < ROUNDS; r++) {
		times[TREES][r] = raw_round(raw);
		for (int n = 0; n < TREES; n++)
			times[n][r] = tree_round(&t[n]);
	}
	reference = print("raw TCP", "ns a tuple", times[TREES]);
	for (int n = 0; n < TREES; n++) {
		double least = print(trees[n].name, "ns a tuple", times[n]);

		printf("%s / raw TCP\tratio\t%d\t%.2f\t-\t-\n", trees[n].name,
		    ROUNDS, least / reference);
	}
	fflush(stdout);
	/* The servers end with this process. */
	_exit(0);
}
