/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/recorder.h - collectors driven without a path, and the
 * least that recording can cost
 */

#ifndef TESTS_BENCH_RECORDER_H
#define TESTS_BENCH_RECORDER_H

#include "collectors/record.h"

#include "libpaths/path.h"

#include "tests/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP 8192u /* tuples in a ring */

/* The reference: the collector's tuple and ring, nothing else. */
struct limit {
	struct es_tuple_path *tuples;
	uint64_t next;
	uint8_t pad[ES_SPACE_ALIGN - 16];
	_Atomic uint64_t head;
};

/* A collector of the program that is called without its path. */
struct driven {
	const struct paths_stage_ops *ops;
	void *self;
	uint64_t slot;
	struct paths_op op;
};

/* A program and its collectors, in modes trace, profile, matrix, off, trace. */
struct recorder {
	struct team *team;
	struct paths_program *program;
	struct driven driven[5];
};

/* Returns the time, ordered against the code before and after. */
static inline uint64_t
bench_now(void)
{
	uint64_t now = paths_clock_ticks_ordered();

#if defined(__x86_64__)
	_mm_lfence();
#endif
	return now;
}

static inline int
bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline void
bench_print(const char *what, const char *unit, unsigned n,
    const double *sorted, unsigned count)
{
	printf("%s\t%s\t%u\t%.4g\t%.4g\t%.4g\n", what, unit, n, sorted[0],
	    sorted[count / 2], sorted[count * 99 / 100]);
	(void)fflush(stdout);
}

/* Sorts the values. */
static inline void
bench_line(const char *what, const char *unit, unsigned n, double *values,
    unsigned count)
{
	qsort(values, count, sizeof(*values), bench_compare);
	bench_print(what, unit, n, values, count);
}

static inline void
limit_fill(struct limit *l, uint64_t start, uint64_t stop)
{
	struct es_tuple_path *t = &l->tuples[l->next];

	*t = (struct es_tuple_path){ .start = start,
		.stop = stop,
		.seq = (uint32_t)l->next,
		.op = 1,
		.element = 2,
		.bytes = 3,
		.step = 4 };
	l->next = l->next + 1 == KEEP ? 0 : l->next + 1;
	atomic_store_explicit(&l->head, l->next, memory_order_release);
}

static inline void
limit_open(struct limit *l)
{
	memset(l, 0, sizeof(*l));
	l->tuples = aligned_alloc(4096, KEEP * 64);
	memset(l->tuples, 0, KEEP * 64);
}

/* Opens the n-th collector of the map once more. */
static inline void
driven_open(struct driven *d, struct paths_program *program, uint32_t n)
{
	const struct paths_map *map = paths_program_map(program);
	struct paths_stage_env env = { .program = program, .instance = n };

	env.item = &map->items[map->instances[n].item];
	memset(d, 0, sizeof(*d));
	d->ops = map->instances[n].ops;
	d->op.kind = PATHS_WRITE;
	d->op.bytes = 8;
	d->self = calloc(1, d->ops->size);
	if (d->ops->open(d->self, &env) != PATHS_OK)
		exit(EXIT_FAILURE);
}

static inline void
driven_close(struct driven *d)
{
	d->ops->close(d->self);
	free(d->self);
}

static inline void
driven_loop(void *to, unsigned pairs)
{
	struct driven *d = to;

	while (pairs-- > 0) {
		d->ops->down(d->self, &d->op, &d->slot);
		d->ops->up(d->self, &d->op, &d->slot);
	}
}

/* The path to `modes` is never opened; its collectors are called directly. */
static const char recorder_map[] =
    "pathmap 1\n"
    "plugin libcollectors.so.0\n"
    "host h0\n"
    "process p0 -host h0\n"
    "thread t0 -process p0\n"
    "element bare -process p0 -type u64 -full discard\n"
    "element watched -process p0 -type u64 -full discard\n"
    "element off -process p0 -type u64 -full discard\n"
    "element modes -process p0 -type u64 -full discard\n"
    "path t0 modes {{collector -keep 8192} {collector -mode profile}"
    " {collector -mode matrix} {collector -mode off}"
    " {collector -keep 8192} {element modes}}\n"
    "path t0 bare {{element bare}}\n"
    "path t0 watched {{collector -keep 8192} {element watched}}\n"
    "path t0 off {{collector -mode off} {collector -mode off}"
    " {element off}}\n";

static inline void
recorder_open(struct recorder *r)
{
	const struct paths_map *map;
	unsigned n = 0;

	r->team = team_open(recorder_map);
	r->program = team_join(r->team, "p0");
	map = paths_program_map(r->program);
	for (uint32_t i = 0; i < map->instance_count && n < 5; i++) {
		if (strcmp(map->instances[i].ops->name, "collector") == 0)
			driven_open(&r->driven[n++], r->program, i);
	}
}

static inline void
recorder_close(struct recorder *r)
{
	for (unsigned i = 0; i < 5; i++)
		driven_close(&r->driven[i]);
	paths_program_close(r->program);
	team_close(r->team);
}

#endif
