/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/phase/detect_test.c - loops are found to the call, and none in
 * random sequences
 *
 * Each sequence notes where its iterations begin while it is made.
 */

#include "tests/scopes/phase/sequence.h"

#include "tests/test.h"

#include <stdio.h>

/* Counts for each kind of loop. */
#define SEEDS (getenv("PHASE_LOOPS") == NULL ? 8u : 200u)

static bool
right_begins(const struct numbers *want, const struct numbers *got,
    const char *what)
{
	size_t n = 0;

	while (
	    n < want->count && n < got->count && want->list[n] == got->list[n])
		n++;
	if (n < want->count || n < got->count)
		printf("# %s: %zu iterations, found %zu, equal are %zu\n", what,
		    want->count, got->count, n);
	return n == want->count && n == got->count;
}

static bool
right_loop(struct sequence *s, struct es__phase_detection *d, uint32_t loop,
    const struct numbers *want, const char *what)
{
	struct found f;
	bool right;

	found_open(&f, s, d, d->found[loop].loop);
	right = right_begins(want, &f.begins, what);
	found_close(&f);
	return right;
}

/* Returns whether the steps are exactly those of the sequence. */
static bool
right_steps(struct sequence *s, const char *what)
{
	struct es__phase_detection d;
	bool right = false;
	uint32_t steps;

	EXPECT_OK(es__phase_detect(&s->source, &d));
	steps = es__phase_steps(&d);
	if (steps == ES__PHASE_NONE)
		printf("# %s: none found\n", what);
	else
		right = right_loop(s, &d, steps, &s->steps, what);
	es__phase_detect_close(&d);
	return right;
}

/* Returns whether one of the inner loops is exactly that of the sequence. */
static bool
right_inner(struct sequence *s, const char *what)
{
	struct es__phase_detection d;
	bool right = false;
	uint32_t inner = 0, steps;

	EXPECT_OK(es__phase_detect(&s->source, &d));
	steps = es__phase_steps(&d);
	while (inner < d.count && d.found[inner].parent != steps)
		inner++;
	if (inner == d.count)
		printf("# %s: no inner loop found\n", what);
	else
		right = right_loop(s, &d, inner, &s->inner, what);
	es__phase_detect_close(&d);
	return right;
}

static void
sequence_edge(struct sequence *s)
{
	uint32_t count = sequence_random(s, 0, 5);

	sequence_calls(s, sequence_fresh(s, count), count);
}

static uint32_t
iterations_of(struct sequence *s, uint32_t body)
{
	return 150 / body + sequence_random(s, 8, 100);
}

static void
loops_of_1_to_40_calls(void)
{
	unsigned wrong = 0;

	for (uint32_t body = 1; body <= 40; body++) {
		for (uint32_t seed = 0; seed < SEEDS; seed++) {
			struct sequence s;
			uint32_t first, count;
			char what[64];

			sequence_init(&s, body * 100 + seed);
			sequence_edge(&s);
			first = sequence_fresh(&s, body);
			count = iterations_of(&s, body);
			for (uint32_t n = 0; n < count; n++) {
				sequence_begin(&s, &s.steps);
				sequence_calls(&s, first, body);
			}
			sequence_edge(&s);
			snprintf(what, sizeof(what), "%u calls, seed %u", body,
			    seed);
			wrong += !right_steps(&s, what);
			sequence_fini(&s);
		}
	}
	EXPECT_EQ(0, wrong);
}

/* A body with calls that are made in every `every`-th iteration; 0: in all. */
struct body {
	uint32_t first, count;
	uint32_t every[40];
};

/* Calls a body in an iteration, which ends after `calls` calls. */
static void
body_call(struct sequence *s, const struct body *body, uint32_t n,
    uint32_t calls)
{
	for (uint32_t c = 0; c < body->count && c < calls; c++)
		if (body->every[c] == 0 ||
		    n % body->every[c] == body->every[c] - 1)
			sequence_call(s, body->first + c);
}

static bool
optional_right(uint32_t count, uint32_t seed)
{
	struct body body = { .count = count };
	uint32_t iterations;
	struct sequence s;
	char what[64];
	bool right;

	sequence_init(&s, count * 100 + seed);
	sequence_edge(&s);
	body.first = sequence_fresh(&s, count);
	iterations = iterations_of(&s, count);
	for (uint32_t c = 1; c + 1 < count; c++)
		if (sequence_random(&s, 0, 4) == 0)
			body.every[c] = sequence_random(&s, 2, 12);
	for (uint32_t n = 0; n < iterations; n++) {
		sequence_begin(&s, &s.steps);
		body_call(&s, &body, n,
		    n + 1 < iterations ? count : sequence_random(&s, 1, count));
	}
	sequence_edge(&s);
	snprintf(what, sizeof(what), "%u calls, seed %u", count, seed);
	right = right_steps(&s, what);
	sequence_fini(&s);
	return right;
}

static void
optional_calls_and_early_exits(void)
{
	unsigned wrong = 0;

	for (uint32_t count = 2; count <= 40; count++)
		for (uint32_t seed = 0; seed < SEEDS; seed++)
			wrong += !optional_right(count, seed);
	EXPECT_EQ(0, wrong);
}

/* An output at the end of every tenth step is no outer loop. */
static void
a_call_in_every_tenth_iteration(void)
{
	unsigned wrong = 0;

	for (uint32_t body = 2; body <= 40; body++) {
		struct sequence s;
		uint32_t first;
		char what[64];

		sequence_init(&s, body);
		sequence_edge(&s);
		first = sequence_fresh(&s, body + 1);
		for (uint32_t n = 0; n < 100; n++) {
			sequence_begin(&s, &s.steps);
			sequence_calls(&s, first,
			    n % 10 == 9 ? body + 1 : body);
		}
		sequence_edge(&s);
		snprintf(what, sizeof(what), "%u calls", body);
		wrong += !right_steps(&s, what);
		sequence_fini(&s);
	}
	EXPECT_EQ(0, wrong);
}

/* Makes steps of `usual` calls, or of `other` calls every few steps, and of
   `rest` calls.  gap: steps from one to the next; 0: some, at random. */
static void
sequence_replaced(struct sequence *s, uint32_t usual, uint32_t rest,
    uint32_t other, uint32_t gap)
{
	uint32_t first = sequence_fresh(s, usual + rest + other);
	uint32_t next = gap == 0 ? sequence_random(s, 2, 8) : gap;

	sequence_edge(s);
	for (uint32_t n = 0; n < 250; n++) {
		bool replaced = n == next;

		if (gap > 0 || !replaced)
			sequence_begin(s, &s->steps);
		if (replaced)
			next += gap == 0 ? sequence_random(s, 2, 8) : gap;
		sequence_calls(s, replaced ? first + usual + rest : first,
		    replaced ? other : usual);
		sequence_calls(s, first + usual, rest);
	}
	sequence_edge(s);
}

/* Every few steps begin with other calls than the rest.  If they come now and
   then, they repeat an inner loop. */
static void
iterations_that_begin_otherwise(void)
{
	unsigned wrong = 0;

	for (uint32_t gap = 0; gap <= 40; gap += gap == 0 ? 3 : 1) {
		for (uint32_t seed = 0; seed < SEEDS; seed++) {
			struct sequence s;
			uint32_t usual, rest, other;
			char what[64];

			sequence_init(&s, gap * 100 + seed);
			usual = sequence_random(&s, 1, 8);
			rest = sequence_random(&s, 1, 8);
			other = sequence_random(&s, 1, 8);
			sequence_replaced(&s, usual, rest, other, gap);
			snprintf(what, sizeof(what),
			    "%u or %u + %u calls, gap %u", usual, other, rest,
			    gap);
			wrong += !right_steps(&s, what);
			sequence_fini(&s);
		}
	}
	EXPECT_EQ(0, wrong);
}

/* Makes steps of `before` calls, an inner loop, and `after` calls. */
static void
sequence_nested(struct sequence *s, uint32_t before, uint32_t body,
    uint32_t after)
{
	uint32_t first = sequence_fresh(s, before + body + after);
	uint32_t count = sequence_random(s, 10, 40);

	sequence_edge(s);
	for (uint32_t n = 0; n < count; n++) {
		uint32_t inner = sequence_random(s, 2, 30);

		sequence_begin(s, &s->steps);
		sequence_calls(s, first, before);
		for (uint32_t i = 0; i < inner; i++) {
			bool last = i + 1 == inner && before + after > 1;

			sequence_begin(s, &s->inner);
			sequence_calls(s, first + before,
			    last ? sequence_random(s, 1, body) : body);
		}
		sequence_calls(s, first + before + body, after);
	}
	sequence_edge(s);
}

static void
nested_loops(void)
{
	unsigned wrong = 0;

	for (uint32_t body = 1; body <= 20; body++) {
		for (uint32_t seed = 0; seed < SEEDS * 2; seed++) {
			struct sequence s;
			uint32_t before, after;
			char what[64];

			sequence_init(&s, body * 100 + seed);
			/* Less evidence is needed for less random ones. */
			before = sequence_random(&s, 0, 10);
			after = sequence_random(&s, body == 1 ? 3 : before == 0,
			    10);
			sequence_nested(&s, before, body, after);
			snprintf(what, sizeof(what),
			    "%u + %u + %u calls, seed %u", before, body, after,
			    seed);
			wrong += !right_steps(&s, what);
			wrong += !right_inner(&s, what);
			sequence_fini(&s);
		}
	}
	EXPECT_EQ(0, wrong);
}

/* Each iteration makes one of two alternatives, at random: in the middle, or
   as its end. */
static bool
alternatives_right(uint32_t seed)
{
	struct sequence s;
	uint32_t first, head, tail, a, b, share;
	char what[64];
	bool right;

	sequence_init(&s, seed);
	head = sequence_random(&s, 1, 8);
	a = sequence_random(&s, 1, 8);
	b = sequence_random(&s, 1, 8);
	tail = sequence_random(&s, 1, 8);
	share = sequence_random(&s, 2, 8);
	first = sequence_fresh(&s, head + a + b + tail);
	sequence_edge(&s);
	for (uint32_t n = 0; n < 200; n++) {
		sequence_begin(&s, &s.steps);
		sequence_calls(&s, first, head);
		if (sequence_random(&s, 1, share) == 1)
			sequence_calls(&s, first + head, a);
		else
			sequence_calls(&s, first + head + a, b);
		sequence_calls(&s, first + head + a + b, tail);
	}
	sequence_edge(&s);
	snprintf(what, sizeof(what), "%u + %u or %u + %u calls", head, a, b,
	    tail);
	right = right_steps(&s, what);
	sequence_fini(&s);
	return right;
}

static void
iterations_with_alternatives(void)
{
	unsigned wrong = 0;

	for (uint32_t seed = 0; seed < 20 * SEEDS; seed++)
		wrong += !alternatives_right(seed);
	EXPECT_EQ(0, wrong);
}

/* A loop in a loop in a loop; the innermost one ends by a break after a fixed
   call. */
static bool
three_levels_right(uint32_t seed)
{
	struct sequence s;
	uint32_t first, body, stop;
	char what[64];
	bool right;

	sequence_init(&s, seed);
	body = sequence_random(&s, 3, 12);
	stop = sequence_random(&s, 2, body);
	first = sequence_fresh(&s, body + 8);
	sequence_edge(&s);
	for (uint32_t n = 0; n < 20; n++) {
		uint32_t middle = sequence_random(&s, 2, 6);

		sequence_begin(&s, &s.steps);
		sequence_calls(&s, first, 2);
		for (uint32_t m = 0; m < middle; m++) {
			uint32_t inner = sequence_random(&s, 3, 9);

			sequence_begin(&s, &s.inner);
			sequence_calls(&s, first + 2, 2);
			for (uint32_t i = 1; i < inner; i++)
				sequence_calls(&s, first + 4, body);
			sequence_calls(&s, first + 4, stop);
			sequence_calls(&s, first + 4 + body, 2);
		}
		sequence_calls(&s, first + 6 + body, 2);
	}
	sequence_edge(&s);
	snprintf(what, sizeof(what), "%u of %u calls", stop, body);
	right = right_steps(&s, what) && right_inner(&s, what);
	sequence_fini(&s);
	return right;
}

static void
three_levels_of_loops(void)
{
	unsigned wrong = 0;

	for (uint32_t seed = 0; seed < 20 * SEEDS; seed++)
		wrong += !three_levels_right(seed);
	EXPECT_EQ(0, wrong);
}

/* One call site in a function that the program calls in several places. */
static void
calls_that_are_made_in_several_places(void)
{
	unsigned wrong = 0;

	for (uint32_t body = 4; body <= 40; body++) {
		for (uint32_t seed = 0; seed < SEEDS; seed++) {
			struct sequence s;
			uint32_t calls[40], own, shared;
			char what[64];

			sequence_init(&s, body * 100 + seed);
			own = sequence_fresh(&s, body);
			shared = sequence_fresh(&s, 2);
			calls[0] = own;
			for (uint32_t c = 1; c < body; c++)
				calls[c] = sequence_random(&s, 0, 1) ?
				    own + c :
				    shared + sequence_random(&s, 0, 1);
			sequence_edge(&s);
			for (uint32_t n = 0; n < 100; n++) {
				sequence_begin(&s, &s.steps);
				for (uint32_t c = 0; c < body; c++)
					sequence_call(&s, calls[c]);
			}
			sequence_edge(&s);
			snprintf(what, sizeof(what), "%u calls, seed %u", body,
			    seed);
			wrong += !right_steps(&s, what);
			sequence_fini(&s);
		}
	}
	EXPECT_EQ(0, wrong);
}

/* dot (halo dot dot) (halo dot dot) ...: the steps begin with the halo. */
static void
a_function_that_is_called_before_the_loop_too(void)
{
	struct sequence s;
	uint32_t dot, halo;

	sequence_init(&s, 1);
	dot = sequence_fresh(&s, 1);
	halo = sequence_fresh(&s, 3);
	sequence_call(&s, dot);
	for (uint32_t n = 0; n < 50; n++) {
		sequence_begin(&s, &s.steps);
		sequence_calls(&s, halo, 3);
		sequence_call(&s, dot);
		sequence_call(&s, dot);
	}
	sequence_edge(&s);
	EXPECT_TRUE(right_steps(&s, "dot"));
	sequence_fini(&s);
}

/* Random sequences have no loop, whatever their length. */
static void
nothing_is_found_in_random_sequences(void)
{
	const char *all = getenv("PHASE_SEEDS");
	uint32_t seeds = all == NULL ? 1000 : (uint32_t)atoi(all);

	for (uint32_t seed = 0; seed < seeds; seed++) {
		struct es__phase_detection d;
		struct sequence s;
		uint32_t symbols = 2 + seed % 39, count;

		sequence_init(&s, seed);
		count = 1u << sequence_random(&s, 4, 11);
		count += sequence_random(&s, 0, count);
		for (uint32_t n = 0; n < count; n++)
			sequence_call(&s, sequence_random(&s, 1, symbols));
		EXPECT_OK(es__phase_detect(&s.source, &d));
		if (d.count > 0)
			printf("# %u of %u symbols: loop of %.1f calls\n",
			    count, symbols, d.found[0].calls);
		EXPECT_EQ(0, d.count);
		es__phase_detect_close(&d);
		sequence_fini(&s);
	}
}

TEST_MAIN(loops_of_1_to_40_calls, optional_calls_and_early_exits,
    a_call_in_every_tenth_iteration, iterations_that_begin_otherwise,
    nested_loops, iterations_with_alternatives, three_levels_of_loops,
    calls_that_are_made_in_several_places,
    a_function_that_is_called_before_the_loop_too,
    nothing_is_found_in_random_sequences)
