/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/collector_load_bench.c - cost of recording under load
 *
 *	two	two threads at once, against one of them alone; a round counts
 *		if they began within 1 us and overlapped for 90 % of it
 *	reader	another thread pulls all tuples every millisecond, against
 *		that thread at rest
 */

#include "tests/bench/recorder.h"

#include <pthread.h>
#include <time.h>

#define PAIRS 20000u
#define ROUNDS 800u
#define TWO_PAIRS 1500u
#define TWO_ROUNDS 2000u

/* One of two threads that record at once. */
struct racer {
	struct driven *d;
	_Atomic uint64_t *go; /* tick to begin at; 0: wait, 1: end */
	uint64_t done;	      /* the last `go` */
	uint64_t from, to;    /* interval of its round */
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

/* Returns true if both began within 1 us and overlapped for 90 %. */
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

/* Runs a round of one alone, then of both; false if they did not overlap. */
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

/* A reader that can be paused. */
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
	static double with[ROUNDS], without[ROUNDS];
	double ns_per_tick = 1e9 / (double)paths_clock_hz() / PAIRS;
	struct puller puller = { .rest = true };
	char file[256];
	pthread_t thread;

	(void)snprintf(file, sizeof(file), "%s/p0.space", run);
	if (es_space_open(file, &puller.space) != PATHS_OK ||
	    pthread_create(&thread, NULL, puller_main, &puller) != 0)
		exit(EXIT_FAILURE);
	for (unsigned r = 0; r < 2 * ROUNDS; r++) {
		uint64_t start;

		/* Ten rounds with the reader, ten without. */
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
	    ROUNDS);
	bench_line("reader: collector, reader attached", "ns", PAIRS, with,
	    ROUNDS);
	/* Ratios of the two lines above; both are sorted. */
	for (unsigned r = 0; r < ROUNDS; r++)
		with[r] /= without[r];
	bench_print("reader: attached / no reader", "x", PAIRS, with, ROUNDS);
}

int
main(void)
{
	struct recorder recorder;

	recorder_open(&recorder);
	bench_two(&recorder.driven[0], &recorder.driven[4]);
	bench_reader(&recorder.driven[0], team_run(recorder.team));
	recorder_close(&recorder);
	return EXIT_SUCCESS;
}
