/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/cut.c - cuts windows of time out of a graph
 *
 * Each thread has, for each sequence of windows, a number: the begin of its
 * window plus the length of the longest chain of computations in the window
 * that ends at the thread.  A slot has that of the thread that posted it.  The
 * chain of a window never is longer than the window, so a slot of an earlier
 * window has a smaller number than any thread in a later one, and the larger of
 * two numbers is always the one that counts.
 */

#include "scopes/graph/cut_private.h"

#include "scopes/graph/pass_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* The ideal networks; without sends that wait, only the first one is needed. */
enum { COUPLED, UNCOUPLED, IDEALS };

/* A thread in a sequence of windows. */
struct cut_state {
	uint32_t window;	/* that it is in, or the next one */
	int64_t from_ns, to_ns; /* of the window; INT64_MAX: there is none */
	int64_t useful_ns;
	uint64_t operations;
};

struct cut {
	const struct es__graph_cutting *of;
	const struct es__graph *graph;
	struct cut_state *states; /* of each lane of each thread */
	int64_t *thread_ns;	  /* measured time of each thread */
	/* The ideals of each lane: of each thread, of each slot, and of what
	   the current operation waits for. */
	int64_t *chains, *posted, *due;
	size_t ideals; /* 1 or 2 */
	size_t width;  /* ideals of all lanes */
};

static int64_t *
cut_chains(const struct cut *c, uint32_t thread)
{
	return &c->chains[thread * c->width];
}

static struct cut_state *
cut_state(const struct cut *c, uint32_t thread, uint32_t lane)
{
	return &c->states[(size_t)thread * c->of->lane_count + lane];
}

static int64_t *
cut_posted(const struct cut *c, uint64_t slot)
{
	return &c->posted[slot * c->width];
}

static int64_t
larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---- windows */

/* Sets the window of a thread in a lane. */
static void
state_set(struct cut_state *state, const struct es__graph_lane *lane,
    uint32_t window)
{
	bool any = window < lane->window_count;

	state->window = window;
	state->from_ns = any ? lane->windows[window].from_ns : INT64_MAX;
	state->to_ns = any ? lane->windows[window].to_ns : INT64_MAX;
}

/* Adds what a thread did in the window that it leaves, or in all windows of a
   lane that are one whole. */
static void
cut_leave(const struct cut *c, uint32_t number, uint32_t thread)
{
	const struct es__graph_lane *lane = &c->of->lanes[number];
	struct cut_state *state = cut_state(c, thread, number);
	const int64_t *chains = &cut_chains(c, thread)[number * c->ideals];
	uint32_t n = lane->whole ? 0 : state->window;
	struct es__graph_cut *cut = &lane->cuts[n];
	int64_t begin_ns = lane->whole ? 0 : state->from_ns;

	/* Only clocks that contradict each other make a longer chain. */
	cut->ideal_ns = larger(cut->ideal_ns,
	    smaller(chains[COUPLED] - begin_ns, cut->elapsed_ns));
	cut->uncoupled_ns = larger(cut->uncoupled_ns,
	    smaller(chains[c->ideals - 1] - begin_ns, cut->elapsed_ns));
	if (lane->members == NULL || lane->members[thread]) {
		cut->useful_ns += state->useful_ns;
		cut->useful_ns_max =
		    larger(cut->useful_ns_max, state->useful_ns);
		cut->operations += state->operations;
		lane->host_ns[(size_t)n * c->of->host_count +
		    c->of->hosts[thread]] += state->useful_ns;
	}
	state->useful_ns = 0;
	state->operations = 0;
}

/* Lets a thread be in the next window. */
static void
cut_next(const struct cut *c, uint32_t number, uint32_t thread)
{
	const struct es__graph_lane *lane = &c->of->lanes[number];
	struct cut_state *state = cut_state(c, thread, number);
	int64_t *chains = &cut_chains(c, thread)[number * c->ideals];

	if (!lane->whole)
		cut_leave(c, number, thread);
	state_set(state, lane, state->window + 1);
	for (size_t n = 0; n < c->ideals; n++)
		if (!lane->whole && state->window < lane->window_count)
			chains[n] = state->from_ns;
}

/* A time that a thread spends. */
struct cut_span {
	int64_t from_ns, to_ns;
	uint32_t thread;
};

/* Adds the part of a computation that is in the window of a thread. */
static void
cut_compute(const struct cut *c, uint32_t number, const struct cut_span *span)
{
	struct cut_state *state = cut_state(c, span->thread, number);
	int64_t *chains = &cut_chains(c, span->thread)[number * c->ideals];
	int64_t ns;

	if (span->to_ns <= state->from_ns || span->from_ns >= state->to_ns ||
	    span->to_ns <= span->from_ns)
		return;
	ns = smaller(span->to_ns, state->to_ns) -
	    larger(span->from_ns, state->from_ns);
	state->useful_ns += ns;
	for (size_t n = 0; n < c->ideals; n++)
		chains[n] += ns;
}

/* Lets time pass for a thread. */
static void
cut_pass(struct cut *c, const struct es__graph_step *step, bool computes)
{
	struct cut_span span = { .from_ns = c->thread_ns[step->thread],
		.to_ns = c->thread_ns[step->thread] + step->ns,
		.thread = step->thread };

	c->thread_ns[step->thread] = span.to_ns;
	for (uint32_t n = 0; n < c->of->lane_count; n++) {
		const struct cut_state *state = cut_state(c, step->thread, n);

		for (;;) {
			if (computes)
				cut_compute(c, n, &span);
			if (span.to_ns < state->to_ns)
				break;
			cut_next(c, n, step->thread);
		}
	}
}

/* ---- steps */

/* Lets the current operation wait for a slot. */
static void
cut_await(struct cut *c, const struct es__graph_step *step)
{
	const int64_t *slot = cut_posted(c, step->at);
	bool receive = step->kind == ES__GRAPH_AWAIT_RECEIVE;
	bool eager = receive && !(step->flags & ES__GRAPH_SURE) &&
	    (uint64_t)step->ns <= c->graph->eager_bytes;

	if (eager)
		return;
	for (size_t n = 0; n < c->width; n++)
		if (!receive || n % c->ideals == COUPLED)
			c->due[n] = larger(c->due[n], slot[n]);
}

/* Ends the current operation. */
static void
cut_end(struct cut *c, const struct es__graph_step *step)
{
	int64_t *chains = cut_chains(c, step->thread);

	cut_pass(c, step, false);
	/* It counts in the window in which it has ended, if there is one. */
	for (uint32_t n = 0; n < c->of->lane_count; n++) {
		struct cut_state *state = cut_state(c, step->thread, n);

		state->operations +=
		    c->thread_ns[step->thread] >= state->from_ns;
	}
	for (size_t n = 0; n < c->width; n++) {
		chains[n] = larger(chains[n], c->due[n]);
		c->due[n] = INT64_MIN;
	}
}

static void
cut_join(struct cut *c, const struct es__graph_step *step)
{
	int64_t *slot = cut_posted(c, step->at);
	const int64_t *other = cut_posted(c, (uint64_t)step->ns);

	for (size_t n = 0; n < c->width; n++)
		slot[n] = step->flags & ES__GRAPH_NEW ?
		    other[n] :
		    larger(slot[n], other[n]);
}

static void
cut_step(struct cut *c, const struct es__graph_step *step)
{
	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		cut_pass(c, step,
		    !es__graph_begins_late(c->graph, c->of->ranks, step));
		break;
	case ES__GRAPH_POST:
		memcpy(cut_posted(c, step->at), cut_chains(c, step->thread),
		    c->width * sizeof(*c->posted));
		break;
	case ES__GRAPH_JOIN:
		cut_join(c, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
		cut_await(c, step);
		break;
	case ES__GRAPH_WAITED:
		/* The end of the operation passes the windows, too. */
		c->thread_ns[step->thread] += step->ns;
		break;
	case ES__GRAPH_LEAVE:
		cut_end(c, step);
		break;
	}
}

static paths_status
cut_take(void *self, const struct es__graph_step *steps, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		cut_step(self, &steps[n]);
	return PATHS_OK;
}

/* Ends all threads. */
static void
cut_finish(struct cut *c)
{
	for (uint32_t t = 0; t < c->graph->thread_count; t++)
		for (uint32_t n = 0; n < c->of->lane_count; n++) {
			const struct es__graph_lane *lane = &c->of->lanes[n];

			if (lane->whole ||
			    cut_state(c, t, n)->window < lane->window_count)
				cut_leave(c, n, t);
		}
}

/* Makes room for the results of a lane. */
static bool
lane_alloc(struct es__graph_lane *lane, uint32_t hosts)
{
	size_t count = lane->whole ? 1 : lane->window_count;

	lane->cuts = calloc(count, sizeof(*lane->cuts));
	lane->host_ns = calloc(count * hosts + 1, sizeof(*lane->host_ns));
	if (lane->cuts == NULL || lane->host_ns == NULL)
		return false;
	for (uint32_t n = 0; n < lane->window_count; n++)
		lane->cuts[lane->whole ? 0 : n].elapsed_ns +=
		    lane->windows[n].to_ns - lane->windows[n].from_ns;
	return true;
}

static bool
cut_alloc(struct cut *c)
{
	size_t threads = (size_t)c->graph->thread_count + 1;
	size_t slots = (size_t)c->graph->slot_count + 1;

	c->states =
	    calloc(threads * (c->of->lane_count + 1), sizeof(*c->states));
	c->thread_ns = malloc(threads * sizeof(*c->thread_ns));
	c->chains = calloc(threads * c->width + 1, sizeof(*c->chains));
	c->posted = calloc(slots * c->width + 1, sizeof(*c->posted));
	c->due = malloc((c->width + 1) * sizeof(*c->due));
	if (c->states == NULL || c->thread_ns == NULL || c->chains == NULL ||
	    c->posted == NULL || c->due == NULL)
		return false;
	for (size_t n = 0; n < c->width; n++)
		c->due[n] = INT64_MIN;
	for (uint32_t t = 0; t < c->graph->thread_count; t++) {
		c->thread_ns[t] = c->graph->start_ns;
		for (uint32_t n = 0; n < c->of->lane_count; n++)
			state_set(cut_state(c, t, n), &c->of->lanes[n], 0);
		for (size_t n = 0; n < c->width; n++) {
			uint32_t lane = (uint32_t)(n / c->ideals);

			if (!c->of->lanes[lane].whole)
				cut_chains(c, t)[n] =
				    cut_state(c, t, lane)->from_ns;
		}
	}
	return true;
}

paths_status
es__graph_cut(const struct es__graph_cutting *cutting)
{
	struct cut c = { .of = cutting,
		.graph = cutting->graph,
		.ideals = cutting->graph->coupled_bytes >
			cutting->graph->eager_bytes ?
		    IDEALS :
		    1 };
	const struct es__graph_pass pass = { &c, cut_take };
	bool memory = true;
	paths_status st;

	c.width = cutting->lane_count * c.ideals;
	for (uint32_t n = 0; n < cutting->lane_count; n++)
		memory &= lane_alloc(&cutting->lanes[n], cutting->host_count);
	memory = memory && cut_alloc(&c);
	st = memory ? es__graph_pass(c.graph, &pass, 1) :
		      paths_log_fail(PATHS_ENOMEM, "no memory for windows");
	if (st == PATHS_OK)
		cut_finish(&c);
	free(c.states);
	free(c.thread_ns);
	free(c.chains);
	free(c.posted);
	free(c.due);
	return st;
}
