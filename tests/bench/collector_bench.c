/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/collector_bench.c - what recording an operation costs
 *
 * Beside it, in the same process and in turn, the least that it can cost: two
 * stamps and a record of 36 bytes in a ring, all inline ("limit"), and the
 * same with the stop ordered after the operation ("limit-t").  A ratio is that
 * of two rounds that follow each other.
 *
 *	tight	pairs of passes back to back
 *	tp	around 768 independent additions, without what those cost:
 *		a processor hides much of a tight loop behind its stamps
 *	two	by two threads at once; a round counts when they really were
 *	reader	while another thread pulls all tuples every millisecond
 */

#include "collectors/record.h"

#include "libpaths/path.h"

#include "tests/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAIRS 20000u
#define ROUNDS 200u
#define KEEP 8192u
#define TWO_PAIRS 1500u
#define TWO_ROUNDS 400u

/* What the limit writes: the collector's own tuple and ring, nothing else. */
struct limit {
	struct es_tuple_path *tuples;
	uint64_t next;
	uint8_t pad[ES_SPACE_ALIGN - 16];
	_Atomic uint64_t head;
};

/* A collector of the program, driven by hand. */
struct driven {
	const struct paths_stage_ops *ops;
	void *self;
	uint64_t slot;
	struct paths_op op;
};

typedef void bench_loop(void *to, unsigned pairs);

struct loop {
	const char *what;
	bench_loop *run;
	void *to;
	double ns[ROUNDS]; /* for each pair */
};

/* Now, before anything that follows and after all that came before. */
static uint64_t
bench_now(void)
{
	uint64_t now = paths_clock_ticks_ordered();

#if defined(__x86_64__)
	_mm_lfence();
#endif
	return now;
}

static int
bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
bench_print(const char *what, const char *unit, unsigned n,
    const double *sorted, unsigned count)
{
	printf("%s\t%s\t%u\t%.4g\t%.4g\t%.4g\n", what, unit, n, sorted[0],
	    sorted[count / 2], sorted[count * 99 / 100]);
	(void)fflush(stdout);
}

/* Sorts the values. */
static void
bench_line(const char *what, const char *unit, unsigned n, double *values,
    unsigned count)
{
	qsort(values, count, sizeof(*values), bench_compare);
	bench_print(what, unit, n, values, count);
}

/* The least of a loop's rounds. */
static double
bench_least(const struct loop *loop)
{
	double least = loop->ns[0];

	for (unsigned r = 1; r < ROUNDS; r++)
		least = loop->ns[r] < least ? loop->ns[r] : least;
	return least;
}

static void
bench_rounds(struct loop *loops, unsigned count)
{
	double ns_per_tick = 1e9 / (double)paths_clock_hz();

	for (unsigned i = 0; i < count; i++)
		loops[i].run(loops[i].to, PAIRS);
	for (unsigned r = 0; r < ROUNDS; r++) {
		for (unsigned i = 0; i < count; i++) {
			uint64_t start = bench_now();

			loops[i].run(loops[i].to, PAIRS);
			loops[i].ns[r] =
			    (double)(bench_now() - start) * ns_per_tick / PAIRS;
		}
	}
}

/*
 * Lines of the ratios to loop `than`, both less loop `less`.  The minimum is
 * that of the two minima; a single round may owe its ratio to a disturbance.
 */
static void
bench_ratios(const struct loop *loops, unsigned count, unsigned than,
    const struct loop *less)
{
	double least = less != NULL ? bench_least(less) : 0;
	double ratio[ROUNDS];
	char what[160];

	for (unsigned i = 0; i < count; i++) {
		if (i == than)
			continue;
		for (unsigned r = 0; r < ROUNDS; r++) {
			double base = less != NULL ? less->ns[r] : 0;

			ratio[r] = (loops[i].ns[r] - base) /
			    (loops[than].ns[r] - base);
		}
		(void)snprintf(what, sizeof(what), "%s / %s", loops[i].what,
		    loops[than].what);
		qsort(ratio, ROUNDS, sizeof(*ratio), bench_compare);
		ratio[0] = (bench_least(&loops[i]) - least) /
		    (bench_least(&loops[than]) - least);
		bench_print(what, "x", PAIRS, ratio, ROUNDS);
	}
}

static void
bench_times(const struct loop *loops, unsigned count, const struct loop *less)
{
	double least = less != NULL ? bench_least(less) : 0;
	double ns[ROUNDS];

	for (unsigned i = 0; i < count; i++) {
		for (unsigned r = 0; r < ROUNDS; r++)
			ns[r] = loops[i].ns[r] - least;
		bench_line(loops[i].what, "ns", PAIRS, ns, ROUNDS);
	}
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

static void
limit_loop(void *to, unsigned pairs)
{
	while (pairs-- > 0) {
		uint64_t start = paths_clock_ticks();

		__asm__ volatile("" ::: "memory");
		limit_fill(to, start, paths_clock_ticks());
	}
}

static void
limit_ordered_loop(void *to, unsigned pairs)
{
	while (pairs-- > 0) {
		uint64_t start = paths_clock_ticks();

		__asm__ volatile("" ::: "memory");
		limit_fill(to, start, paths_clock_ticks_ordered());
	}
}

static void
driven_loop(void *to, unsigned pairs)
{
	struct driven *d = to;

	while (pairs-- > 0) {
		d->ops->down(d->self, &d->op, &d->slot);
		d->ops->up(d->self, &d->op, &d->slot);
	}
}

/* 128 times an addition and an exclusive or on three pairs of registers. */
static inline void
body(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

	for (unsigned i = 0; i < 128; i++) {
		__asm__ volatile("add $7, %0\n\txor $3, %1\n\tadd $7, %2\n\t"
				 "xor $3, %3\n\tadd $7, %4\n\txor $3, %5"
				 : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e),
				 "+r"(f));
	}
}

static void
body_loop(void *to, unsigned pairs)
{
	(void)to;
	while (pairs-- > 0)
		body();
}

static void
limit_body_loop(void *to, unsigned pairs)
{
	while (pairs-- > 0) {
		uint64_t start = paths_clock_ticks();

		body();
		limit_fill(to, start, paths_clock_ticks());
	}
}

static void
limit_ordered_body_loop(void *to, unsigned pairs)
{
	while (pairs-- > 0) {
		uint64_t start = paths_clock_ticks();

		body();
		limit_fill(to, start, paths_clock_ticks_ordered());
	}
}

static void
driven_body_loop(void *to, unsigned pairs)
{
	struct driven *d = to;

	while (pairs-- > 0) {
		d->ops->down(d->self, &d->op, &d->slot);
		body();
		d->ops->up(d->self, &d->op, &d->slot);
	}
}

static void
limit_open(struct limit *l)
{
	memset(l, 0, sizeof(*l));
	l->tuples = aligned_alloc(4096, KEEP * 64);
	memset(l->tuples, 0, KEEP * 64);
}

/* Open one more time the collector that the map has as its n-th instance. */
static void
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

static void
driven_close(struct driven *d)
{
	d->ops->close(d->self);
	free(d->self);
}

static void
path_loop(void *to, unsigned pairs)
{
	uint64_t tuple = 0;

	while (pairs-- > 0) {
		if (paths_path_write(to, &tuple, sizeof(tuple)) != PATHS_OK)
			exit(EXIT_FAILURE);
	}
}

static struct paths_path *
path_of(struct paths_thread *thread, const char *element)
{
	struct paths_path *path;

	if (paths_path_open(thread, element, &path) != PATHS_OK)
		exit(EXIT_FAILURE);
	return path;
}

static void
bench_tight(struct limit *limit, struct driven d[4],
    struct paths_thread *thread)
{
	static struct loop loops[] = {
		{ .what = "tight: limit", .run = limit_loop },
		{ .what = "tight: limit-t", .run = limit_ordered_loop },
		{ .what = "tight: collector", .run = driven_loop },
		{ .what = "tight: collector, profile", .run = driven_loop },
		{ .what = "tight: collector, matrix", .run = driven_loop },
		{ .what = "tight: collector, off", .run = driven_loop },
		{ .what = "tight: write, no collector", .run = path_loop },
		{ .what = "tight: write, collector", .run = path_loop },
	};

	loops[0].to = limit;
	loops[1].to = limit;
	for (unsigned i = 0; i < 4; i++)
		loops[2 + i].to = &d[i];
	loops[6].to = path_of(thread, "bare");
	loops[7].to = path_of(thread, "watched");
	bench_rounds(loops, 8);
	bench_ratios(loops, 8, 1, NULL);
	bench_times(loops, 8, NULL);
}

static void
bench_tp(struct limit *limit, struct driven d[4])
{
	static struct loop loops[] = {
		{ .what = "tp: limit", .run = limit_body_loop },
		{ .what = "tp: limit-t", .run = limit_ordered_body_loop },
		{ .what = "tp: collector", .run = driven_body_loop },
		{ .what = "tp: collector, off", .run = driven_body_loop },
		{ .what = "tp: nothing", .run = body_loop },
	};

	loops[0].to = limit;
	loops[1].to = limit;
	loops[2].to = &d[0];
	loops[3].to = &d[3];
	bench_rounds(loops, 5);
	bench_ratios(loops, 4, 1, &loops[4]);
	bench_times(loops, 4, &loops[4]);
}

/* One of two threads that record at once. */
struct racer {
	struct driven *d;
	_Atomic uint64_t *go; /* when to begin; 0: not yet, 1: end */
	uint64_t done;	      /* the last `go` */
	uint64_t from, to;    /* when it did */
	_Atomic uint64_t ready;
};

static void
racer_run(struct racer *racer, uint64_t go)
{
	while (paths_clock_ticks() < go)
		;
	racer->from = bench_now();
	driven_loop(racer->d, TWO_PAIRS);
	racer->to = bench_now();
}

static void *
racer_main(void *argument)
{
	struct racer *racer = argument;
	uint64_t go;

	for (;;) {
		do
			go = atomic_load_explicit(racer->go,
			    memory_order_acquire);
		while (go == racer->done || go == 0);
		if (go == 1)
			return NULL;
		racer->done = go;
		racer_run(racer, go);
		atomic_store_explicit(&racer->ready, go, memory_order_release);
	}
}

/* Whether both began within 1 us and were at it together for 90 %. */
static bool
racer_together(const struct racer *a, const struct racer *b)
{
	uint64_t from = a->from > b->from ? a->from : b->from;
	uint64_t early = a->from < b->from ? a->from : b->from;
	uint64_t to = a->to < b->to ? a->to : b->to;
	uint64_t late = a->to > b->to ? a->to : b->to;

	return from - early < paths_clock_hz() / 1000000 && to > from &&
	    (to - from) * 10 > (late - early) * 9;
}

static uint64_t
racer_ticks(const struct racer *a)
{
	return a->to - a->from;
}

/* One round of one alone, then of both; false: they were not together. */
static bool
racer_round(struct racer *me, struct racer *other, _Atomic uint64_t *go,
    double *ratio)
{
	uint64_t soon = paths_clock_hz() / 20000, alone, at;

	racer_run(me, paths_clock_ticks() + soon);
	alone = racer_ticks(me);
	at = paths_clock_ticks() + soon;
	atomic_store_explicit(go, at, memory_order_release);
	racer_run(me, at);
	while (atomic_load_explicit(&other->ready, memory_order_acquire) != at)
		;
	*ratio = (double)racer_ticks(me) / (double)alone;
	return racer_together(me, other);
}

static void
bench_two(struct driven *mine, struct driven *others)
{
	static double ratio[TWO_ROUNDS];
	_Atomic uint64_t go = 0;
	struct racer me = { .d = mine }, other = { .d = others, .go = &go };
	unsigned valid = 0;
	pthread_t thread;

	if (pthread_create(&thread, NULL, racer_main, &other) != 0)
		exit(EXIT_FAILURE);
	for (unsigned tries = 0; valid < TWO_ROUNDS && tries < 20 * TWO_ROUNDS;
	     tries++)
		valid += racer_round(&me, &other, &go, &ratio[valid]);
	atomic_store(&go, 1);
	(void)pthread_join(thread, NULL);
	if (valid > 0)
		bench_line("two: collectors of two threads at once / alone",
		    "x", TWO_PAIRS, ratio, valid);
}

/* A reader that may be told to rest. */
struct puller {
	struct es_space *space;
	_Atomic bool rest;
	_Atomic bool end;
	uint64_t got;
};

static void *
puller_main(void *argument)
{
	struct puller *p = argument;
	struct timespec pause = { .tv_nsec = 1000000 };
	void *tuples = malloc(KEEP * sizeof(struct es_tuple_path));
	uint64_t next = 0;

	while (tuples != NULL && !atomic_load(&p->end)) {
		struct es_space_run run = { .first = next, .count = KEEP };

		(void)nanosleep(&pause, NULL);
		if (atomic_load(&p->rest) ||
		    es_space_read(p->space, 0, &run, tuples) != PATHS_OK)
			continue;
		p->got += run.count;
		next = run.first + run.count;
	}
	free(tuples);
	return NULL;
}

static void
bench_reader(struct driven *d, const char *run)
{
	static double with[ROUNDS * 4], without[ROUNDS * 4];
	double ns_per_tick = 1e9 / (double)paths_clock_hz() / PAIRS;
	struct puller puller = { .rest = true };
	char file[256];
	pthread_t thread;

	(void)snprintf(file, sizeof(file), "%s/p0.space", run);
	if (es_space_open(file, &puller.space) != PATHS_OK ||
	    pthread_create(&thread, NULL, puller_main, &puller) != 0)
		exit(EXIT_FAILURE);
	for (unsigned r = 0; r < 2 * ROUNDS * 4; r++) {
		uint64_t start;

		/* Ten rounds with, ten without. */
		atomic_store(&puller.rest, r / 10 % 2 == 0);
		start = bench_now();
		driven_loop(d, PAIRS);
		(r / 10 % 2 == 0 ? without : with)[r / 20 * 10 + r % 10] =
		    (double)(bench_now() - start) * ns_per_tick;
	}
	atomic_store(&puller.end, true);
	(void)pthread_join(thread, NULL);
	es_space_close(puller.space);
	bench_line("reader: collector, no reader", "ns", PAIRS, without,
	    ROUNDS * 4);
	bench_line("reader: collector, reader attached", "ns", PAIRS, with,
	    ROUNDS * 4);
	/* Of what the two lines above say; both are sorted. */
	for (unsigned r = 0; r < ROUNDS * 4; r++)
		with[r] /= without[r];
	bench_print("reader: attached / no reader", "x", PAIRS, with,
	    ROUNDS * 4);
}

/* The path to `modes` is never opened: its collectors are driven by hand. */
static const char bench_map[] =
    "pathmap 1\n"
    "plugin libcollectors.so.0\n"
    "host h0\n"
    "process p0 -host h0\n"
    "thread t0 -process p0\n"
    "element bare -process p0 -type u64 -full discard\n"
    "element watched -process p0 -type u64 -full discard\n"
    "element modes -process p0 -type u64 -full discard\n"
    "path t0 modes {{collector -keep 8192} {collector -mode profile}"
    " {collector -mode matrix} {collector -mode off}"
    " {collector -keep 8192} {element modes}}\n"
    "path t0 bare {{element bare}}\n"
    "path t0 watched {{collector -keep 8192} {element watched}}\n";

int
main(void)
{
	struct team *team = team_open(bench_map);
	struct paths_program *program = team_join(team, "p0");
	const struct paths_map *map = paths_program_map(program);
	struct paths_thread *thread;
	struct driven d[5];
	struct limit limit;
	unsigned n = 0;

	if (paths_thread_open(program, "t0", &thread) != PATHS_OK)
		return EXIT_FAILURE;
	for (uint32_t i = 0; i < map->instance_count && n < 5; i++) {
		if (strcmp(map->instances[i].ops->name, "collector") == 0)
			driven_open(&d[n++], program, i);
	}
	limit_open(&limit);
	bench_tight(&limit, d, thread);
	bench_tp(&limit, d);
	bench_two(&d[0], &d[4]);
	bench_reader(&d[0], team_run(team));
	for (unsigned i = 0; i < 5; i++)
		driven_close(&d[i]);
	free(limit.tuples);
	paths_thread_close(thread);
	paths_program_close(program);
	team_close(team);
	return EXIT_SUCCESS;
}
