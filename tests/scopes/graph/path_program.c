/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/path_program.c - simulates programs on paths with
 * dependences that are known
 *
 * The time of a thread carries along the computations and operations that it is
 * the sum of.  A thread that waits takes over those of whom it waited for.
 */

#include "tests/scopes/graph/path_program.h"

#include "tests/scopes/fake_op.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A time, and what it is the sum of. */
struct moment {
	int64_t ns;
	int64_t path_ns[PATH_PROGRAM_THREADS_MAX][2];
};

/* The element that a thread writes to, and the next one reads from. */
struct link {
	uint32_t written, read;
	/* The last tuples: when they were written and read. */
	struct moment writes[PATH_PROGRAM_KEEP], reads[PATH_PROGRAM_KEEP];
};

struct simulation {
	struct path_program *of;
	uint32_t state; /* of the random numbers */
	uint32_t sums;	/* made so far */
	struct moment now[PATH_PROGRAM_THREADS_MAX];
	struct link links[PATH_PROGRAM_THREADS_MAX];
};

/* Collectors, in the order of the map: of the tails of the joins, of each
   thread to the sum, then of each writer and reader. */
enum { LOW_TAIL, HIGH_TAIL, HEADS };

static uint32_t
chance(struct simulation *s, uint32_t below)
{
	s->state = s->state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(s->state >> 8) * below >> 24);
}

static void
spend(struct simulation *s, uint32_t thread, bool operation, int64_t ns)
{
	s->now[thread].ns += ns;
	s->now[thread].path_ns[thread][operation] += ns;
}

/* Before the first operation a thread has not begun to compute. */
static void
compute(struct simulation *s, uint32_t thread)
{
	double factor = s->of->factors[thread];
	double ns = 1 + chance(s, 1000000);

	if (s->sums == 0)
		return;
	spend(s, thread, false, llround(factor != 0 ? ns * factor : ns));
}

static void
await(struct simulation *s, uint32_t thread, const struct moment *moment)
{
	if (moment->ns <= s->now[thread].ns)
		return;
	s->of->waited_ns += moment->ns - s->now[thread].ns;
	s->now[thread] = *moment;
}

static void
record(struct simulation *s, uint32_t collector, enum paths_kind kind,
    uint32_t seq, const int64_t times[2])
{
	fake_op(s->of->run, collector, kind, seq,
	    (const uint64_t[2]){ (uint64_t)times[0], (uint64_t)times[1] });
}

#define RECORD(s, collector, kind, seq, start_ns, stop_ns) \
	record(s, collector, kind, seq, (const int64_t[2]){ start_ns, stop_ns })

/* Returns the latest of the times of some threads; of equal ones that of the
   last thread. */
static struct moment
latest(const struct simulation *s, uint32_t first, uint32_t end)
{
	struct moment last = s->now[first];

	for (uint32_t t = first + 1; t < end; t++)
		if (s->now[t].ns >= last.ns)
			last = s->now[t];
	return last;
}

/* Returns the time of an operation at a join. */
static int64_t
at_join(const struct simulation *s, bool high, int64_t ns)
{
	double factor = s->of->stages[high];

	return factor != 0 ? llround((double)ns * factor) : ns;
}

/* All threads add up: 0 and 1 in the lower join, with the others in the higher
   one. */
static void
sum(struct simulation *s)
{
	uint32_t threads = s->of->threads, last;
	int64_t start_ns[PATH_PROGRAM_THREADS_MAX], low_ns, high_ns, back_ns;
	int64_t own[4];
	struct moment low, high;

	for (uint32_t t = 0; t < threads; t++) {
		compute(s, t);
		start_ns[t] = s->now[t].ns;
	}
	for (int n = 0; n < 4; n++)
		own[n] = 1 + chance(s, 20000);
	low = latest(s, 0, 2);
	last = s->now[1].ns >= s->now[0].ns;
	for (uint32_t t = 0; t < 2; t++) {
		await(s, t, &low);
		spend(s, t, true, at_join(s, false, own[0]));
	}
	low_ns = s->now[0].ns;
	high = latest(s, 2, threads);
	if (high.ns < low_ns)
		high = s->now[last];
	for (uint32_t t = 0; t < threads; t++) {
		await(s, t, &high);
		spend(s, t, true, at_join(s, true, own[1]));
	}
	high_ns = s->now[0].ns;
	back_ns = high_ns + own[2];
	own[3] = at_join(s, true, own[3]);
	RECORD(s, HIGH_TAIL, PATHS_EXCHANGE, s->sums, high_ns, back_ns);
	RECORD(s, LOW_TAIL, PATHS_EXCHANGE, s->sums, low_ns, back_ns + own[3]);
	for (uint32_t t = 0; t < threads; t++) {
		spend(s, t, true,
		    own[2] + (t < 2 ? own[3] : 0) +
			at_join(s, t >= 2, 1 + chance(s, 20000)));
		RECORD(s, HEADS + t, PATHS_EXCHANGE, s->sums, start_ns[t],
		    s->now[t].ns);
	}
	s->of->operations += threads;
	s->sums++;
}

static void
write_next(struct simulation *s, uint32_t thread)
{
	struct link *link = &s->links[thread];
	uint32_t place = link->written % PATH_PROGRAM_KEEP;
	int64_t start_ns;

	compute(s, thread);
	start_ns = s->now[thread].ns;
	if (link->written >= PATH_PROGRAM_KEEP) {
		EXPECT_TRUE(link->read + PATH_PROGRAM_KEEP > link->written);
		await(s, thread, &link->reads[place]);
	}
	spend(s, thread, true, 1 + chance(s, 20000));
	link->writes[place] = s->now[thread];
	RECORD(s, HEADS + s->of->threads + 2 * thread, PATHS_WRITE,
	    link->written++, start_ns, s->now[thread].ns);
	s->of->operations++;
}

static void
read_before(struct simulation *s, uint32_t thread)
{
	uint32_t from = (thread + s->of->threads - 1) % s->of->threads;
	struct link *link = &s->links[from];
	uint32_t place = link->read % PATH_PROGRAM_KEEP;
	int64_t start_ns;

	compute(s, thread);
	start_ns = s->now[thread].ns;
	await(s, thread, &link->writes[place]);
	spend(s, thread, true, 1 + chance(s, 20000));
	link->reads[place] = s->now[thread];
	RECORD(s, HEADS + s->of->threads + 2 * from + 1, PATHS_READ,
	    link->read++, start_ns, s->now[thread].ns);
	s->of->operations++;
}

/* Each thread writes to the next one. */
static void
ring(struct simulation *s)
{
	for (uint32_t t = 0; t < s->of->threads; t++)
		write_next(s, t);
	for (uint32_t t = 0; t < s->of->threads; t++)
		read_before(s, t);
}

/* A thread writes more tuples than the element holds. */
static void
burst(struct simulation *s)
{
	uint32_t writer = chance(s, s->of->threads);
	uint32_t reader = (writer + 1) % s->of->threads;

	for (uint32_t n = 0; n < 3 * PATH_PROGRAM_KEEP; n++) {
		write_next(s, writer);
		if (n + 1 >= PATH_PROGRAM_KEEP)
			read_before(s, reader);
	}
	for (uint32_t n = 1; n < PATH_PROGRAM_KEEP; n++)
		read_before(s, reader);
}

static struct fake_run *
program_create(const struct path_program *program)
{
	char map[8192];
	size_t used = (size_t)snprintf(map, sizeof(map),
	    "pathmap 1\n"
	    "host a\n"
	    "process p -host a -listen tcp:0\n"
	    "element total -process p -type f64 -keep 16\n"
	    "stage low reduce -process p -op sum -type f64 -inputs 2 "
	    "-next {{collector} {high}}\n"
	    "stage high reduce -process p -op sum -type f64 -inputs %u "
	    "-next {{collector} {element total}}\n",
	    program->threads - 1);

	for (uint32_t t = 0; t < program->threads; t++)
		used += (size_t)snprintf(map + used, sizeof(map) - used,
		    "thread t%u -process p\n"
		    "element e.%u -process p -type f64 -keep %u\n"
		    "path t%u total {{collector} {%s}}\n",
		    t, t, PATH_PROGRAM_KEEP, t, t < 2 ? "low" : "high");
	for (uint32_t t = 0; t < program->threads; t++)
		used += (size_t)snprintf(map + used, sizeof(map) - used,
		    "path t%u e.%u {{collector} {element e.%u}} -use write\n"
		    "path t%u e.%u {{collector} {element e.%u}} -use read\n",
		    t, t, t, (t + 1) % program->threads, t, t);
	EXPECT_TRUE(used < sizeof(map));
	return fake_run_create(map, 4096);
}

void
path_program_run(struct path_program *program)
{
	struct simulation s = { .of = program, .state = program->seed };
	uint32_t last = 0;

	EXPECT_TRUE(program->threads >= 3 &&
	    program->threads <= PATH_PROGRAM_THREADS_MAX);
	program->run = program_create(program);
	program->operations = 0;
	program->waited_ns = 0;
	program->start_ns = 1000;
	for (uint32_t t = 0; t < program->threads; t++)
		s.now[t].ns = program->start_ns;
	sum(&s);
	for (uint32_t r = 0; r < program->rounds; r++)
		switch (chance(&s, 3)) {
		case 0:
			sum(&s);
			break;
		case 1:
			ring(&s);
			break;
		default:
			burst(&s);
			break;
		}
	fake_run_end(program->run, FAKE_RUN_ENDED);
	for (uint32_t t = 0; t < program->threads; t++) {
		program->end_ns[t] = s.now[t].ns;
		last = s.now[t].ns > s.now[last].ns ? t : last;
	}
	memcpy(program->path_ns, s.now[last].path_ns, sizeof(program->path_ns));
}
