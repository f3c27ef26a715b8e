/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/cut.c - computes sums and ideal lengths of windows of time of a
 * graph
 *
 * For each sequence of windows, each thread has a number: the begin of its
 * window plus the length of the longest chain of computations in the window
 * that ends at the thread.  A slot has the number of the thread that posted it.
 * A chain is never longer than its window.  So numbers of an earlier window are
 * smaller than those of a later one, and the maximum of two numbers is always
 * right.
 */

#include "scopes/graph/cut_private.h"

#include "scopes/graph/pass_private.h"
#include "scopes/run/work_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* The ideal networks.  If no send waits, both are the same, and only the first
   one is computed. */
enum { COUPLED, UNCOUPLED, IDEALS };

/* A thread.  Most steps are inside of an interval in which no window begins or
   ends.  Their times are added here, and at the next edge of a window to the
   lanes that the thread is in. */
struct cut_thread {
	int64_t ns; /* measured time of the thread */
	/* No window begins or ends between these. */
	int64_t edge_ns, next_edge_ns;
	int64_t useful_ns;   /* not added to the states yet */
	int64_t chain_ns;    /* not added to the chains yet */
	uint64_t operations; /* not added to the states yet */
};

/* A thread in a sequence of windows. */
struct cut_state {
	/* Number of the window that it is in, or of the next one. */
	uint32_t window;
	/* Interval of the window; INT64_MAX: there is no further window. */
	int64_t from_ns, to_ns;
	int64_t useful_ns;
	uint64_t operations;
};

struct cut {
	const struct es__graph_cutting *of;
	const struct es__graph *graph;
	struct cut_state *states; /* one for each lane of each thread */
	struct cut_thread *threads;
	/* The numbers of the first comment, for each lane and ideal network: of
	   each thread, of each slot, and the largest one of the slots that the
	   current operation waits for, if it waits. */
	int64_t *chains, *posted, *due;
	/* Masks, arranged as chains: -1 where a thread is in a window, else
	   0. */
	int64_t *inside;
	size_t ideals; /* 1 or 2 */
	size_t width;  /* numbers of a thread or slot: lanes times ideals */
	bool waits;
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

/* Adds the sums of a thread to those of the window that it leaves, or, if a
   lane is taken as a whole, to those of all its windows. */
static void
cut_leave(const struct cut *c, uint32_t number, uint32_t thread)
{
	const struct es__graph_lane *lane = &c->of->lanes[number];
	struct cut_state *state = cut_state(c, thread, number);
	const int64_t *chains = &cut_chains(c, thread)[number * c->ideals];
	uint32_t n = lane->whole ? 0 : state->window;
	struct es__graph_cut *cut = &lane->cuts[n];
	int64_t begin_ns = lane->whole ? 0 : state->from_ns;

	/* A chain is longer than the window only if clocks contradict each
	   other. */
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

/* Moves a thread to the next window of a lane. */
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

/* Adds the time and operations of a thread since the last edge to its states
   and chains. */
static void
cut_settle(const struct cut *c, uint32_t thread)
{
	struct cut_thread *t = &c->threads[thread];
	int64_t *chains = cut_chains(c, thread);
	const int64_t *inside = &c->inside[thread * c->width];

	for (size_t n = 0; n < c->width; n++)
		chains[n] += t->chain_ns & inside[n];
	for (uint32_t n = 0; n < c->of->lane_count; n++) {
		struct cut_state *state = cut_state(c, thread, n);

		if (inside[n * c->ideals] == 0)
			continue;
		state->useful_ns += t->useful_ns;
		state->operations += t->operations;
	}
	t->useful_ns = t->chain_ns = 0;
	t->operations = 0;
}

/* Finds the lanes that have a window at the current time of a thread, and the
   nearest edges of windows before and after that time. */
static void
cut_find_edges(const struct cut *c, uint32_t thread)
{
	struct cut_thread *t = &c->threads[thread];
	int64_t *inside = &c->inside[thread * c->width];

	t->edge_ns = INT64_MIN;
	t->next_edge_ns = INT64_MAX;
	for (uint32_t n = 0; n < c->of->lane_count; n++) {
		const struct cut_state *state = cut_state(c, thread, n);
		bool in = t->ns >= state->from_ns;

		if (in)
			t->edge_ns = larger(t->edge_ns, state->from_ns);
		t->next_edge_ns = smaller(t->next_edge_ns,
		    in ? state->to_ns : state->from_ns);
		for (size_t k = 0; k < c->ideals; k++)
			inside[n * c->ideals + k] = in ? -1 : 0;
	}
}

/* Returns whether no window begins or ends between the last edge that a thread
   has passed and a time. */
static bool
thread_is_between(const struct cut_thread *t, int64_t ns)
{
	return ns >= t->edge_ns && ns < t->next_edge_ns;
}

/* An interval of time of a thread. */
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

/* Advances a thread up to or past the edge of a window. */
static void
cut_pass_edge(struct cut *c, const struct cut_span *span, bool computes)
{
	cut_settle(c, span->thread);
	for (uint32_t n = 0; n < c->of->lane_count; n++) {
		const struct cut_state *state = cut_state(c, span->thread, n);

		for (;;) {
			if (computes)
				cut_compute(c, n, span);
			if (span->to_ns < state->to_ns)
				break;
			cut_next(c, n, span->thread);
		}
	}
	c->threads[span->thread].ns = span->to_ns;
	cut_find_edges(c, span->thread);
}

/* Advances a thread by the time of a step; computes: this is useful time. */
static void
cut_pass(struct cut *c, const struct es__graph_step *step, bool computes)
{
	struct cut_thread *t = &c->threads[step->thread];
	struct cut_span span = { .from_ns = t->ns,
		.to_ns = t->ns + step->ns,
		.thread = step->thread };

	if (!thread_is_between(t, span.to_ns) ||
	    (computes && !thread_is_between(t, span.from_ns))) {
		cut_pass_edge(c, &span, computes);
		return;
	}
	t->ns = span.to_ns;
	if (computes && step->ns > 0) {
		t->useful_ns += step->ns;
		t->chain_ns += step->ns;
	}
}

/* ---- steps */

/* Lets the current operation wait for a slot. */
static void
cut_await(struct cut *c, const struct es__graph_step *step)
{
	const int64_t *slot = cut_posted(c, step->at);
	bool receive = step->kind == ES__GRAPH_AWAIT_RECEIVE;

	if (!es__graph_step_holds(step, c->graph->eager_bytes,
		c->graph->eager_bytes))
		return;
	for (size_t n = 0; !c->waits && n < c->width; n++)
		c->due[n] = INT64_MIN;
	c->waits = true;
	/* A send waits for its receive only with the first ideal network. */
	for (size_t n = COUPLED; n < c->width; n += receive ? c->ideals : 1)
		c->due[n] = larger(c->due[n], slot[n]);
}

/* Ends the current operation. */
static void
cut_end(struct cut *c, const struct es__graph_step *step)
{
	struct cut_thread *t = &c->threads[step->thread];
	int64_t *chains = cut_chains(c, step->thread);
	const int64_t *inside = &c->inside[step->thread * c->width];

	cut_pass(c, step, false);
	/* A call counts in the window in which it has ended, if there is
	   one. */
	t->operations += !c->of->paths;
	if (!c->waits)
		return;
	for (size_t n = 0; n < c->width; n++)
		chains[n] =
		    larger(chains[n] + (t->chain_ns & inside[n]), c->due[n]);
	t->chain_ns = 0;
	c->waits = false;
}

/* Copies the numbers of a thread to a slot. */
static void
cut_post(struct cut *c, const struct es__graph_step *step)
{
	const int64_t *chains = cut_chains(c, step->thread);
	const int64_t *inside = &c->inside[step->thread * c->width];
	int64_t chain_ns = c->threads[step->thread].chain_ns;
	int64_t *slot = cut_posted(c, step->at);

	for (size_t n = 0; n < c->width; n++)
		slot[n] = chains[n] + (chain_ns & inside[n]);
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
		    !es__graph_begins_late(c->graph, c->of->ranks, c->of->paths,
			step));
		/* An operation may have several parts. */
		c->threads[step->thread].operations +=
		    c->of->paths && !(step->flags & ES__GRAPH_PART);
		break;
	case ES__GRAPH_POST:
		cut_post(c, step);
		break;
	case ES__GRAPH_JOIN:
		cut_join(c, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
		cut_await(c, step);
		break;
	case ES__GRAPH_WAITED:
		/* The end of the operation passes the windows, too. */
		c->threads[step->thread].ns += step->ns;
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
	for (uint32_t t = 0; t < c->graph->thread_count; t++) {
		cut_settle(c, t);
		for (uint32_t n = 0; n < c->of->lane_count; n++) {
			const struct es__graph_lane *lane = &c->of->lanes[n];

			if (lane->whole ||
			    cut_state(c, t, n)->window < lane->window_count)
				cut_leave(c, n, t);
		}
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
	c->threads = calloc(threads, sizeof(*c->threads));
	c->chains = calloc(threads * c->width + 1, sizeof(*c->chains));
	c->inside = calloc(threads * c->width + 1, sizeof(*c->inside));
	c->posted = calloc(slots * c->width + 1, sizeof(*c->posted));
	c->due = malloc((c->width + 1) * sizeof(*c->due));
	if (c->states == NULL || c->threads == NULL || c->chains == NULL ||
	    c->inside == NULL || c->posted == NULL || c->due == NULL)
		return false;
	for (uint32_t t = 0; t < c->graph->thread_count; t++) {
		c->threads[t].ns = c->graph->start_ns;
		for (uint32_t n = 0; n < c->of->lane_count; n++)
			state_set(cut_state(c, t, n), &c->of->lanes[n], 0);
		for (size_t n = 0; n < c->width; n++) {
			uint32_t lane = (uint32_t)(n / c->ideals);

			if (!c->of->lanes[lane].whole)
				cut_chains(c, t)[n] =
				    cut_state(c, t, lane)->from_ns;
		}
		cut_find_edges(c, t);
	}
	return true;
}

/* Cuts the windows of lanes in one pass. */
static paths_status
cut_lanes(const struct es__graph_cutting *cutting)
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
	free(c.threads);
	free(c.chains);
	free(c.inside);
	free(c.posted);
	free(c.due);
	return st;
}

/* Lanes that threads share. */
struct cut_shares {
	const struct es__graph_cutting *of;
	uint32_t count;
};

static paths_status
cut_share(void *context, size_t item, void *result)
{
	const struct cut_shares *shares = context;
	struct es__graph_cutting share = *shares->of;
	uint32_t n = (uint32_t)item;
	uint32_t first = share.lane_count * n / shares->count;
	uint32_t end = share.lane_count * (n + 1) / shares->count;

	(void)result;
	share.lanes += first;
	share.lane_count = end - first;
	return cut_lanes(&share);
}

paths_status
es__graph_cut(const struct es__graph_cutting *cutting)
{
	unsigned threads = cutting->threads > 0 ? cutting->threads : 1;
	struct cut_shares shares = { .of = cutting,
		.count = threads < cutting->lane_count ? threads :
							 cutting->lane_count };
	const struct es__work work = { .count = shares.count,
		.context = &shares,
		.work = cut_share };

	return es__work_run(&work, threads);
}
