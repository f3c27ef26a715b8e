/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/phase_bench.c - time to find and to follow loops, for each call,
 * on one core
 *
 * The sequences have 10,000,000 calls.  They are made while they are read, so
 * the reference is a loop that makes one.
 */

#include "scopes/phase/detect_private.h"

#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#define CALLS 10000000u
#define ROUNDS 5

/* A sequence that is made while it is read. */
struct made {
	struct es__phase_source source;
	uint32_t kind; /* symbols of a random sequence; 0: a solver */
	uint32_t left, random;
	uint32_t at;	/* call of the iteration */
	uint32_t inner; /* iterations of the solver that are left */
	volatile uint64_t kept;
};

static uint32_t
made_random(struct made *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 17;
	m->random ^= m->random << 5;
	return m->random;
}

/* Makes steps of 3 calls, 3 to 34 iterations of 8 calls, and 2 calls. */
static uint32_t
made_call(struct made *m)
{
	if (m->kind > 0)
		return made_random(m) % m->kind;
	if (m->at == 3 && m->inner == 0)
		m->inner = 3 + made_random(m) % 32;
	if (m->at == 10 && --m->inner > 0) {
		m->at = 3;
		return 10;
	}
	if (m->at == 12) {
		m->at = 0;
		return 12;
	}
	return m->at++;
}

static void
made_rewind(struct es__phase_source *source)
{
	struct made *m = (void *)source;

	m->left = CALLS;
	m->random = 12345;
	m->at = m->inner = 0;
}

static size_t
made_read(struct es__phase_source *source, uint32_t *symbols, size_t room)
{
	struct made *m = (void *)source;
	size_t count = m->left < room ? m->left : room;

	for (size_t n = 0; n < count; n++)
		symbols[n] = made_call(m);
	m->left -= (uint32_t)count;
	return count;
}

static void
loop_made(void *to, unsigned n)
{
	struct made *m = to;
	uint32_t symbols[4096];
	size_t count;

	(void)n;
	made_rewind(&m->source);
	while ((count = made_read(&m->source, symbols, 4096)) > 0)
		m->kept += symbols[count - 1];
}

static void
made_begin(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, bool again, uint64_t before)
{
	(void)to;
	(void)loop;
	(void)state;
	(void)again;
	(void)before;
}

static void
made_leave(struct es__phase_to *to, uint32_t loop,
    const struct es__phase_state *state, uint64_t event)
{
	(void)to;
	(void)loop;
	(void)state;
	(void)event;
}

static void
loop_detect(void *to, unsigned n)
{
	struct es__phase_to receiver = { made_begin, made_leave, NULL };
	struct made *m = to;
	struct es__phase_detection d;

	(void)n;
	if (es__phase_detect(&m->source, &d) != PATHS_OK ||
	    (d.count > 0) != (m->kind == 0) ||
	    (d.count > 0 &&
		es__phase_follow(&m->source, &d, &receiver) != PATHS_OK)) {
		fprintf(stderr, "phase_bench: wrong loops\n");
		exit(1);
	}
	m->kept += d.count;
	es__phase_detect_close(&d);
}

#define MADE(symbols) \
	{ \
		.source = { made_rewind, made_read }, .kind = (symbols) \
	}

int
main(void)
{
	static struct made solver = MADE(0), two = MADE(2), ten = MADE(10),
			   forty = MADE(40);
	const struct bench loops[] = {
		{ "a solver, made only", loop_made, &solver, CALLS },
		{ "a solver, loops found", loop_detect, &solver, CALLS },
		{ "2 random symbols, made only", loop_made, &two, CALLS },
		{ "2 random symbols, searched", loop_detect, &two, CALLS },
		{ "10 random symbols, searched", loop_detect, &ten, CALLS },
		{ "40 random symbols, searched", loop_detect, &forty, CALLS },
	};

	bench_pin(0);
	bench_run(loops, sizeof(loops) / sizeof(loops[0]), ROUNDS);
	return 0;
}
