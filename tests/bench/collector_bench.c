/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/collector_bench.c - cost of recording an operation
 *
 * The reference, measured in turn in the same process, is the least that
 * recording can cost: two stamps and a record of 36 bytes in a ring, all inline
 * ("limit"), and the same with the stop ordered after the operation
 * ("limit-t").  A ratio compares two successive rounds.
 *
 *	tight	pairs of passes back to back
 *	added	what collectors on a path add to paths_path_write
 *	tp	pairs around 768 additions and exclusive ors, less their cost:
 *		in a tight loop a processor overlaps much work with the stamps
 *	cold	one pair after a walk through 4 MiB, less an empty call
 *	truth	time of a load from memory, by the collector's stamps and by
 *		timing many loads
 */

#include "tests/bench/recorder.h"

#define PAIRS 20000u
#define ROUNDS 200u
#define COLD_BYTES (4u << 20)
#define COLD_ROUNDS 2000u
#define CHASE_BYTES (64u << 20)
#define CHASE_ROUNDS 50u

typedef void bench_loop(void *to, unsigned pairs);

struct loop {
	const char *what;
	bench_loop *run;
	void *to;
	double ns[ROUNDS]; /* for each pair */
};

/* Returns the shortest round of a loop. */
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
 * Prints ratios to loop `than`, with the time of loop `less` subtracted from
 * both.  The column min is the ratio of the two minima, because a disturbance
 * can make the ratio of a single round small.
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

/* Executes 768 additions and exclusive ors, in turn on six registers. */
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

/* Prints what loop `with` adds to loop `bare`, as a ratio to loop `than`. */
static void
bench_added(const struct loop *with, const struct loop *bare,
    const struct loop *than)
{
	double ratio[ROUNDS];
	char what[160];

	for (unsigned r = 0; r < ROUNDS; r++)
		ratio[r] = (with->ns[r] - bare->ns[r]) / than->ns[r];
	(void)snprintf(what, sizeof(what), "added: %s / %s", with->what,
	    than->what);
	qsort(ratio, ROUNDS, sizeof(*ratio), bench_compare);
	/* As in bench_ratios. */
	ratio[0] = (bench_least(with) - bench_least(bare)) / bench_least(than);
	bench_print(what, "x", PAIRS, ratio, ROUNDS);
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
		{ .what = "tight: write, collectors off", .run = path_loop },
	};

	loops[0].to = limit;
	loops[1].to = limit;
	for (unsigned i = 0; i < 4; i++)
		loops[2 + i].to = &d[i];
	loops[6].to = path_of(thread, "bare");
	loops[7].to = path_of(thread, "watched");
	loops[8].to = path_of(thread, "off");
	bench_rounds(loops, 9);
	bench_ratios(loops, 9, 1, NULL);
	bench_added(&loops[7], &loops[6], &loops[1]);
	bench_added(&loops[8], &loops[6], &loops[1]);
	bench_times(loops, 9, NULL);
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

/* Evicts data and code from the caches. */
static void
cold_evict(const uint8_t *waste)
{
	volatile uint8_t sink;

	for (uint32_t i = 0; i < COLD_BYTES; i += 64)
		sink = waste[i];
	for (uint32_t i = 0; i < COLD_BYTES / 64; i++)
		sink = waste[i * 40503u % (COLD_BYTES / 64) * 64];
	(void)sink;
}

static void
cold_nothing(void *to, unsigned pairs)
{
	(void)to;
	(void)pairs;
}

static void
bench_cold(struct limit *limit, struct driven *d)
{
	static struct loop loops[] = {
		{ .what = "cold: nothing", .run = cold_nothing },
		{ .what = "cold: limit", .run = limit_loop },
		{ .what = "cold: collector", .run = driven_loop },
	};
	static double ns[3][COLD_ROUNDS];
	double ns_per_tick = 1e9 / (double)paths_clock_hz();
	uint8_t *waste = calloc(1, COLD_BYTES);

	loops[1].to = limit;
	loops[2].to = d;
	for (unsigned r = 0; r < COLD_ROUNDS * 3; r++) {
		const struct loop *loop = &loops[r % 3];
		uint64_t start;

		cold_evict(waste);
		start = bench_now();
		loop->run(loop->to, 1);
		ns[r % 3][r / 3] = (double)(bench_now() - start) * ns_per_tick;
	}
	qsort(ns[0], COLD_ROUNDS, sizeof(ns[0][0]), bench_compare);
	for (unsigned i = 1; i < 3; i++) {
		for (unsigned r = 0; r < COLD_ROUNDS; r++)
			ns[i][r] -= ns[0][COLD_ROUNDS / 2];
		bench_line(loops[i].what, "ns", 1, ns[i], COLD_ROUNDS);
	}
	free(waste);
}

/* Links memory into a ring of pointers that defeats prefetching. */
static void **
chase_open(void)
{
	size_t count = CHASE_BYTES / 64;
	char *lines = aligned_alloc(64, CHASE_BYTES);
	uint32_t *order = malloc(count * sizeof(*order));

	if (lines == NULL || order == NULL)
		exit(EXIT_FAILURE);
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	for (size_t i = count - 1; i > 0; i--) {
		size_t k = (size_t)random() % i;
		uint32_t swap = order[i];

		order[i] = order[k];
		order[k] = swap;
	}
	for (size_t i = 0; i < count; i++)
		*(void **)(lines + 64 * (size_t)order[i]) =
		    lines + 64 * (size_t)order[(i + 1) % count];
	free(order);
	return (void **)lines;
}

/* Returns the mean ticks of a load, timed over many loads. */
static double
chase_alone(void **volatile *at)
{
	uint64_t start = bench_now();

	for (unsigned i = 0; i < PAIRS; i++)
		*at = **at;
	return (double)(bench_now() - start) / PAIRS;
}

/* Returns the mean ticks of a load by a collector in profile mode. */
static double
chase_stamped(void **volatile *at, struct driven *d, struct es_space *space)
{
	struct es_profile profile;

	if (es_space_reset(space, 1) != PATHS_OK)
		exit(EXIT_FAILURE);
	for (unsigned i = 0; i < PAIRS; i++) {
		d->ops->down(d->self, &d->op, &d->slot);
		*at = **at;
		d->ops->up(d->self, &d->op, &d->slot);
	}
	if (es_space_profile(space, 1, PATHS_WRITE, &profile) != PATHS_OK)
		exit(EXIT_FAILURE);
	return (double)profile.sum_ticks / (double)profile.count;
}

static void
bench_truth(struct driven *d, const char *run)
{
	double alone[CHASE_ROUNDS], stamped[CHASE_ROUNDS], ratio[CHASE_ROUNDS];
	double ns_per_tick = 1e9 / (double)paths_clock_hz();
	void **ring = chase_open();
	void **volatile at = ring;
	struct es_space *space;
	char file[256];

	(void)snprintf(file, sizeof(file), "%s/p0.space", run);
	if (es_space_open_to_switch(file, &space) != PATHS_OK)
		exit(EXIT_FAILURE);
	for (unsigned r = 0; r < CHASE_ROUNDS; r++) {
		alone[r] = chase_alone(&at) * ns_per_tick;
		stamped[r] = chase_stamped(&at, d, space) * ns_per_tick;
		ratio[r] = stamped[r] / alone[r];
	}
	bench_line("truth: a load from memory", "ns", PAIRS, alone,
	    CHASE_ROUNDS);
	bench_line("truth: a load by its stamps", "ns", PAIRS, stamped,
	    CHASE_ROUNDS);
	qsort(ratio, CHASE_ROUNDS, sizeof(*ratio), bench_compare);
	ratio[0] = stamped[0] / alone[0]; /* as in bench_ratios */
	bench_print("truth: by its stamps / in truth", "x", PAIRS, ratio,
	    CHASE_ROUNDS);
	es_space_close(space);
	free(ring);
}

int
main(void)
{
	struct paths_thread *thread;
	struct recorder recorder;
	struct limit limit;

	recorder_open(&recorder);
	if (paths_thread_open(recorder.program, "t0", &thread) != PATHS_OK)
		return EXIT_FAILURE;
	limit_open(&limit);
	bench_tight(&limit, recorder.driven, thread);
	bench_tp(&limit, recorder.driven);
	bench_cold(&limit, &recorder.driven[0]);
	bench_truth(&recorder.driven[1], team_run(recorder.team));
	free(limit.tuples);
	paths_thread_close(thread);
	recorder_close(&recorder);
	return EXIT_SUCCESS;
}
