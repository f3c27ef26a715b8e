/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/log_test.c - steps are read as they were written, in both
 * directions
 */

#include "scopes/graph/settle_private.h"

#include "tests/test.h"

#include <stdlib.h>

static uint64_t random_state = 88172645463325252u;

/* Returns the next number of xorshift64. */
static uint64_t
any(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	return random_state ^= random_state << 17;
}

/* Returns a step whose numbers are at the limits of a cell now and then. */
static struct es__graph_step
any_step(uint32_t thread)
{
	static const int64_t ns[] = { 0, -1, INT64_C(0x1ffffffff),
		INT64_C(0x200000000), -INT64_C(0x200000000),
		-INT64_C(0x200000001), INT64_MAX, INT64_MIN };
	static const uint32_t at[] = { 0, 0x3fffff, 0x400000, UINT32_MAX };

	return (struct es__graph_step){ .kind = any() & 15,
		.flags = any() & 15,
		.thread = thread & (ES__GRAPH_THREADS_MAX - 1),
		.at = any() % 8 == 0 ? at[any() % 4] : (uint32_t)any() % 1000,
		.ns = any() % 8 == 0 ? ns[any() % 8] :
				       (int64_t)(any() % 100000) };
}

static struct es__graph *
graph_made(void)
{
	struct es__graph *g = NULL;

	EXPECT_OK(es__graph_create(NULL, ES__GRAPH_THREADS_MAX - 1, 0, &g));
	return g;
}

/* Reads all steps of a graph; the caller frees them. */
static struct es__graph_step *
steps_of(const struct es__graph *g, bool backward)
{
	struct es__graph_reader reader = es__graph_read(g, backward);
	struct es__graph_step *all = calloc(g->count + 1, sizeof(*all));
	uint64_t at = backward ? g->count : 0;
	uint32_t count = 1;

	EXPECT_TRUE(all != NULL);
	while (count > 0) {
		const struct es__graph_step *steps =
		    es__graph_read_block(&reader, &count);

		EXPECT_TRUE(count <= (backward ? at : g->count - at));
		at -= backward ? count : 0;
		memcpy(all + at, steps, count * sizeof(*all));
		at += backward ? 0 : count;
	}
	EXPECT_EQ(backward ? 0 : g->count, at);
	return all;
}

static void
expect_step(struct es__graph_step want, struct es__graph_step got)
{
	EXPECT_EQ(want.kind, got.kind);
	EXPECT_EQ(want.flags, got.flags);
	EXPECT_EQ(want.thread, got.thread);
	EXPECT_EQ(want.at, got.at);
	EXPECT_EQ(want.ns, got.ns);
}

/* Compares all steps of a graph, in both directions. */
static void
expect_steps(const struct es__graph *g, const struct es__graph_step *want)
{
	for (int backward = 0; backward < 2; backward++) {
		struct es__graph_step *got = steps_of(g, backward == 1);

		for (uint64_t n = 0; n < g->count; n++)
			expect_step(want[n], got[n]);
		free(got);
	}
}

static void
any_steps_are_read_as_written(void)
{
	static const uint32_t counts[] = { 0, 1, ES__GRAPH_BLOCK - 1,
		ES__GRAPH_BLOCK, ES__GRAPH_BLOCK + 1, 40 * ES__GRAPH_BLOCK };

	for (size_t n = 0; n < sizeof(counts) / sizeof(*counts); n++) {
		struct es__graph_step *want =
		    calloc(counts[n] + (size_t)1, sizeof(*want));
		struct es__graph *g = graph_made();
		uint32_t thread = 0;

		EXPECT_TRUE(want != NULL);
		for (uint32_t s = 0; s < counts[n]; s++) {
			thread = any() % 5 == 0 ? (uint32_t)any() : thread;
			want[s] = any_step(thread);
			EXPECT_OK(es__graph_add(g, want[s]));
		}
		EXPECT_OK(es__graph_finish(g));
		EXPECT_EQ(counts[n], g->count);
		expect_steps(g, want);
		es__graph_close(g);
		free(want);
	}
}

/* Most steps take 8 bytes, which tests of results would not notice. */
static void
steps_are_short(void)
{
	struct es__graph *g = graph_made();

	for (uint32_t n = 0; n < 100 * ES__GRAPH_BLOCK; n++)
		EXPECT_OK(es__graph_add(g,
		    (struct es__graph_step){ .kind = ES__GRAPH_ENTER,
			.thread = n / 20,
			.at = n % 500,
			.ns = 1000000000 }));
	EXPECT_OK(es__graph_finish(g));
	EXPECT_TRUE(g->log.spool.size < g->count * 9);
	es__graph_close(g);
}

/* The steps of a send of 100 bytes by thread 0, which computes for 10 ns, and
   returns when thread 1 posts the receive, 20 ns later. */
#define SEND_STEPS 6u

static void
add_send(struct es__graph *g, struct es__graph_step *steps, bool waits)
{
	const struct es__graph_step send[SEND_STEPS] = {
		{ .kind = ES__GRAPH_ENTER, .ns = 10 },
		{ .kind = ES__GRAPH_ENTER, .thread = 1, .at = 1, .ns = 30 },
		{ .kind = ES__GRAPH_POST, .thread = 1 },
		{ .kind = ES__GRAPH_AWAIT_RECEIVE,
		    .flags = waits ? ES__GRAPH_BINDS : 0,
		    .ns = 100 },
		{ .kind = ES__GRAPH_WAITED, .ns = waits ? 20 : 0 },
		{ .kind = ES__GRAPH_LEAVE, .at = 2, .ns = waits ? 0 : 20 },
	};

	for (uint32_t n = 0; n < SEND_STEPS; n++) {
		steps[n] = send[n];
		if (g != NULL)
			EXPECT_OK(es__graph_add(g, send[n]));
	}
}

static void
the_begin_is_settled_at_any_step(void)
{
	static const uint32_t sends[] = { 1, 2, 170, 171, 300, 341, 342, 512,
		1024, 1025 };
	const uint32_t all = 1025;

	for (size_t n = 0; n < sizeof(sends) / sizeof(*sends); n++) {
		struct es__graph_step *want =
		    calloc((size_t)all * SEND_STEPS, sizeof(*want));
		struct es__graph *g = graph_made();

		EXPECT_TRUE(want != NULL);
		g->slot_count = 1;
		for (uint32_t s = 0; s < all; s++) {
			bool settled = s < sends[n];

			add_send(g, want + (size_t)s * SEND_STEPS, true);
			add_send(NULL, want + (size_t)s * SEND_STEPS, !settled);
			if (s + 1 == sends[n])
				es__graph_unsettle(g);
		}
		g->eager_bytes = 100;
		EXPECT_OK(es__graph_finish(g));
		EXPECT_OK(es__graph_settle(g));
		expect_steps(g, want);
		es__graph_close(g);
		free(want);
	}
}

TEST_MAIN(any_steps_are_read_as_written, steps_are_short,
    the_begin_is_settled_at_any_step)
