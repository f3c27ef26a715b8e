/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/delays.c - computes by how much ranks are late because threads had
 * no core
 *
 * Takes the enters and exits of calls of all threads in the order of time, from
 * a heap with the next one of each thread.  So all arrivals for which a call
 * waited are known when its exit is taken.  An arrival that is later than the
 * exit, because of errors of clocks, does not count.  Therefore a window
 * contains all arrivals that are needed for exits in it, except in collectives
 * that a member may leave before all members have arrived.
 */

#include "scopes/mpi/delays_private.h"

#include "scopes/match/gather_private.h"
#include "scopes/match/peer_progress_private.h"
#include "scopes/match/trace_private.h"
#include "scopes/mpi/waits_part_private.h"
#include "scopes/mpi/waits_rma_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/heap.h"
#include "libpaths/log.h"

#include <string.h>

/* Delays of a ring are released in pieces of at least this many: 1 MiB. */
#define RELEASE_TUPLES (UINT32_C(1) << 17)

/* A thread, and how far its calls have been taken. */
struct actor {
	uint32_t ring, n; /* its call; n: number of the first tuple */
	/* Number of the first tuple after those of the call. */
	uint32_t end;
	bool inside;	 /* the exit of the call is next */
	int64_t next_ns; /* time of its next enter or exit */
	int64_t delay;
	int64_t lost_ns; /* value of its curve at the last exit */
	size_t near;	 /* position in its curve */
};

/* The next enter or exit of a thread, in the heap.  Of an enter and an exit at
   the same time, the exit is taken later, because it may depend on the
   enter. */
struct turn {
	int64_t ns;
	uint64_t order; /* ring, plus TURN_EXIT for an exit */
};

#define TURN_EXIT (UINT64_C(1) << 32)

/* The last arrival for which a member of a collective waits, as measured and
   without lost cores. */
struct arrival {
	int64_t ns, remain_ns; /* INT64_MIN: it waits for nobody */
	bool known;
	bool decided; /* final: no member in a later window can change it */
};

struct es__mpi_delays_work {
	const struct es_mpi_trace *trace;
	const struct es__mpi_doubts *doubts;
	const struct es__cpu_curve *curves, *all;
	struct es__mpi_delays *delays;
	struct arrival *arrivals; /* one for each part of a collective */
	size_t arrival_room;
	struct es__mpi_waits_part *parts; /* of one collective */
	size_t part_room;
	struct actor *actors;	 /* of each ring */
	struct paths__heap heap; /* of struct turn */
};

/* The arrivals that a call waits for. */
struct awaited {
	int64_t ns;	   /* latest arrival, or the enter */
	int64_t remain_ns; /* the same without lost cores */
	/* Curve of the thread that arrived last, or of all threads. */
	const struct es__cpu_curve *other;
};

static bool
turn_before(const void *context, const void *left, const void *right)
{
	const struct turn *a = left, *b = right;

	(void)context;
	return a->ns != b->ns ? a->ns < b->ns : a->order < b->order;
}

static const struct paths__heap_kind turn_kind = {
	.bytes = sizeof(struct turn),
	.before = turn_before,
};

static int64_t
tuple_ns(const struct es__mpi_delays_work *w, uint32_t ring, uint64_t ticks)
{
	const struct es_mpi_trace_input *input = &w->trace->input;

	return es_time_ns(&input->ranks[input->rings[ring].rank].base, ticks);
}

static const struct es_tuple_mpi *
actor_tuple(const struct es__mpi_delays_work *w, const struct actor *actor)
{
	return es_mpi_trace_tuple(&w->trace->input,
	    (struct es_mpi_at){ actor->ring, actor->n });
}

/* Goes to the enter of the call at its place; false: there is none. */
static bool
actor_next(const struct es__mpi_delays_work *w, struct actor *actor)
{
	actor->inside = false;
	if (actor->n >= w->trace->input.rings[actor->ring].count)
		return false;
	actor->next_ns = tuple_ns(w, actor->ring, actor_tuple(w, actor)->start);
	return true;
}

/* Returns the number of the tuple behind those of the call. */
static uint32_t
actor_end(const struct es__mpi_delays_work *w, const struct actor *actor)
{
	const struct es_mpi_trace_input *input = &w->trace->input;
	struct es_mpi_at at = { actor->ring, actor->n + 1 };

	while (at.n < input->rings[at.ring].count &&
	    !es_mpi_trace_is_call(input, at))
		at.n++;
	return at.n;
}

/* Enters the call; false: it has not returned. */
static bool
actor_enter(const struct es__mpi_delays_work *w, struct actor *actor)
{
	const struct es_tuple_mpi *call = actor_tuple(w, actor);
	int64_t lost_ns = es__cpu_curve_near(&w->curves[actor->ring],
	    actor->next_ns, &actor->near);

	actor->end = actor_end(w, actor);
	actor->delay += lost_ns - actor->lost_ns;
	for (uint32_t n = actor->n; n < actor->end; n++)
		w->delays->rings[actor->ring][n] = actor->delay;
	w->delays->entered[actor->ring] = actor->end;
	actor->inside = true;
	actor->next_ns = tuple_ns(w, actor->ring, call->stop);
	if (call->stop != 0)
		return true;
	/* The thread is not followed any further. */
	w->delays->entered[actor->ring] = UINT32_MAX;
	w->delays->left[actor->ring] = UINT32_MAX;
	return false;
}

static void
await(struct awaited *on, int64_t ns, int64_t remain_ns,
    const struct es__cpu_curve *other)
{
	if (ns > on->ns) {
		on->ns = ns;
		on->other = other;
	}
	if (remain_ns > on->remain_ns)
		on->remain_ns = remain_ns;
}

/* Waits for the start of a send or a receive. */
static void
await_message(const struct es__mpi_delays_work *w, struct awaited *on,
    struct es_mpi_at at, int64_t from_ns, int64_t exit_ns)
{
	int64_t ns = tuple_ns(w, at.ring,
	    es_mpi_trace_tuple(&w->trace->input, at)->start);

	if (ns > from_ns && ns <= exit_ns)
		await(on, ns, ns - es__mpi_delay(w->delays, at),
		    &w->curves[at.ring]);
}

/* Waits for the next call of the rank at the other end of a message. */
static void
await_progress(const struct es__mpi_delays_work *w, struct awaited *on,
    struct es_mpi_at at, int64_t exit_ns)
{
	struct es__peer_progress p;

	if (es__peer_progress_find(w->trace, at, on->ns, exit_ns, &p))
		await(on, p.stop_ns,
		    p.stop_ns - es__mpi_delay(w->delays, p.comes),
		    &w->curves[p.comes.ring]);
}

/* Finds the arrivals for the members of a collective.  Arrivals after now_ns
   are not final, because further members may enter. */
static paths_status
collective_arrivals(struct es__mpi_delays_work *w,
    const struct es_mpi_trace_collective *c, int64_t now_ns)
{
	uint32_t count = w->trace->input.comms[c->comm].count;

	if (!paths__array_reserve(&w->parts, count, &w->part_room,
		sizeof(*w->parts)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	es__mpi_waits_part_fill(w->trace, w->doubts, w->delays, c, w->parts);
	for (uint32_t n = 0; n < count; n++)
		w->arrivals[c->first + n] =
		    (struct arrival){ .ns = w->parts[n].until_ns,
			    .remain_ns = w->parts[n].until_remain_ns,
			    .decided = w->parts[n].decided,
			    .known = w->parts[n].decided &&
				w->parts[n].until_ns <= now_ns };
	return PATHS_OK;
}

/* Finds the arrival for which a member of a collective waits.  decided: out,
   false: the arrival may be that of a member in a later window */
static paths_status
part_arrival(struct es__mpi_delays_work *w, uint32_t part, int64_t exit_ns,
    bool *decided)
{
	const struct arrival *arrival = &w->arrivals[part];
	paths_status st = PATHS_OK;

	if (!arrival->known)
		st = collective_arrivals(w,
		    es_mpi_trace_collective_of(w->trace, part), exit_ns);
	*decided = arrival->decided;
	return st;
}

/* Finds the arrivals in all collectives of a call.  decided: out, as for
   part_arrival */
static paths_status
call_arrivals(struct es__mpi_delays_work *w, const struct actor *actor,
    bool *decided)
{
	paths_status st = PATHS_OK;

	*decided = true;
	for (uint32_t n = actor->n;
	     st == PATHS_OK && *decided && n < actor->end; n++) {
		uint32_t part =
		    es__mpi_link(w->trace, (struct es_mpi_at){ actor->ring, n })
			->collective;

		if (part != PATHS_NONE)
			st = part_arrival(w, part, actor->next_ns, decided);
	}
	return st;
}

static void
await_collective(const struct es__mpi_delays_work *w, struct awaited *on,
    uint32_t part)
{
	const struct arrival *arrival = &w->arrivals[part];

	if (arrival->ns == INT64_MIN)
		return;
	await(on, arrival->ns, arrival->remain_ns, w->all);
	/* Set also if this thread itself arrived last. */
	on->other = w->all;
}

/* Adds what a call of one-sided communication, or a request of one that it
   completes, waited for. */
static void
await_window(const struct es__mpi_delays_work *w, struct awaited *on,
    struct es_mpi_at at)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[at.ring].rank];
	struct es__mpi_rma_wait wait = { .count = 0 };

	if (scan->rma.call_count > 0)
		es__mpi_waits_rma_call(w->trace, w->doubts, at, &wait);
	for (uint32_t n = 0; n < wait.count; n++) {
		const struct es__mpi_rma_part *part = &wait.parts[n];

		await(on, part->until_ns,
		    part->until_ns - es__mpi_delay(w->delays, part->call),
		    &w->curves[part->call.ring]);
	}
}

/* Adds the arrivals for which a tuple of the call waited.  A half in a later
   window begins after the exit, so it was not waited for. */
static void
await_tuple(const struct es__mpi_delays_work *w, struct awaited *on,
    struct es_mpi_at at, int64_t enter_ns, int64_t exit_ns)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);
	struct es_mpi_at taker = es__peer_progress_persistent(w->trace, at);

	if (es__mpi_at_known(link->received)) {
		await_message(w, on,
		    es__mpi_message_sent(w->trace, link->received), INT64_MIN,
		    exit_ns);
		await_progress(w, on, link->received, exit_ns);
	}
	/* A send does not depend on a receive that was posted before, but may
	   depend on the next call of that rank. */
	if (es__mpi_at_known(link->sent)) {
		await_message(w, on, link->sent, enter_ns, exit_ns);
		await_progress(w, on, link->sent, exit_ns);
	}
	if (!es__mpi_at_none(taker))
		await_progress(w, on, taker, exit_ns);
	if (link->collective != PATHS_NONE)
		await_collective(w, on, link->collective);
	await_window(w, on, at);
}

/* Leaves the call. */
static void
actor_leave(const struct es__mpi_delays_work *w, struct actor *actor)
{
	int64_t enter_ns =
	    tuple_ns(w, actor->ring, actor_tuple(w, actor)->start);
	const struct es__cpu_curve *own = &w->curves[actor->ring];
	int64_t exit_ns = actor->next_ns, lost_ns;
	struct awaited on = { enter_ns, enter_ns - actor->delay, NULL };

	for (; actor->n < actor->end; actor->n++)
		await_tuple(w, &on, (struct es_mpi_at){ actor->ring, actor->n },
		    enter_ns, exit_ns);
	w->delays->left[actor->ring] = actor->end;
	if (on.ns > exit_ns)
		on.ns = exit_ns;
	actor->lost_ns = es__cpu_curve_near(own, exit_ns, &actor->near);
	if (on.other == w->all)
		lost_ns = es__cpu_curve_between(w->all, on.ns, exit_ns);
	else
		lost_ns = actor->lost_ns -
		    es__cpu_curve_near(own, on.ns, &(size_t){ actor->near });
	if (on.other != NULL && on.other != w->all)
		lost_ns += es__cpu_curve_between(on.other, on.ns, exit_ns);
	if (lost_ns > exit_ns - on.ns)
		lost_ns = exit_ns - on.ns;
	actor->delay =
	    (on.ns > on.remain_ns ? on.ns - on.remain_ns : 0) + lost_ns;
}

static struct turn
actor_turn(const struct actor *actor)
{
	return (struct turn){ actor->next_ns,
		actor->ring | (actor->inside ? TURN_EXIT : 0) };
}

/* Puts the threads into the heap. */
static void
delays_heap(struct es__mpi_delays_work *w)
{
	struct turn *turns = w->heap.items;

	for (uint32_t r = 0; r < w->trace->input.ring_count; r++) {
		w->actors[r] = (struct actor){ .ring = r };
		if (actor_next(w, &w->actors[r]))
			turns[w->heap.count++] = actor_turn(&w->actors[r]);
	}
	paths__heap_make(&w->heap, &turn_kind);
}

/* Returns whether the next enter or exit of a thread is in the window. */
static bool
actor_in_window(const struct es__mpi_delays_work *w, const struct actor *actor)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[actor->ring].rank];

	return w->trace->last ||
	    (actor->next_ns < w->trace->until_ns &&
		actor->n < scan->next[actor->ring - scan->ring_first]);
}

/* Takes the earliest enter or exit of all threads.  more: out, false: it
   depends on a later window */
static paths_status
delays_step(struct es__mpi_delays_work *w, bool *more)
{
	struct turn *turns = w->heap.items;
	struct actor *actor = &w->actors[(uint32_t)turns[0].order];
	struct turn turn;
	paths_status st;
	bool stays;

	*more = actor_in_window(w, actor);
	if (!*more)
		return PATHS_OK;
	if (!actor->inside) {
		stays = actor_enter(w, actor);
	} else {
		st = call_arrivals(w, actor, more);
		if (st != PATHS_OK || !*more)
			return st;
		actor_leave(w, actor);
		stays = actor_next(w, actor);
	}
	turn = stays ? actor_turn(actor) : turns[--w->heap.count];
	if (w->heap.count > 0)
		paths__heap_replace(&w->heap, &turn_kind, 0, &turn);
	return PATHS_OK;
}

/* Forgets the arrivals in collectives that were made in the window. */
static paths_status
delays_arrivals(struct es__mpi_delays_work *w)
{
	const struct es_mpi_trace *t = w->trace;

	if (!paths__array_reserve(&w->arrivals, (size_t)t->part_count + 1,
		&w->arrival_room, sizeof(*w->arrivals)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for delays");
	for (size_t n = 0; n < t->gather.changed_count; n++) {
		bool made;
		const struct es_mpi_trace_collective *c =
		    es__mpi_gather_changed(t, n, &made);

		if (c != NULL && made)
			memset(&w->arrivals[c->first], 0,
			    t->input.comms[c->comm].count *
				sizeof(*w->arrivals));
	}
	return PATHS_OK;
}

paths_status
es__mpi_delays_window(struct es__mpi_delays *delays)
{
	struct es__mpi_delays_work *w = delays->work;
	paths_status st = delays_arrivals(w);
	bool more = true;

	while (st == PATHS_OK && more && w->heap.count > 0)
		st = delays_step(w, &more);
	return st;
}

static paths_status
delays_alloc(struct es__mpi_delays *d, const struct es_mpi_trace_input *input,
    const char *scratch)
{
	size_t count = (size_t)input->ring_count + 1, tuples = 0;
	paths_status st;

	for (uint32_t n = 0; n < input->ring_count; n++)
		tuples += (size_t)input->rings[n].count;
	d->work->actors = calloc(count, sizeof(*d->work->actors));
	d->work->heap.items = calloc(count, sizeof(struct turn));
	d->work->heap.spare = malloc(sizeof(struct turn));
	d->rings = calloc(count, sizeof(*d->rings));
	d->entered = calloc(count, sizeof(*d->entered));
	d->left = calloc(count, sizeof(*d->left));
	d->released = calloc(count, sizeof(*d->released));
	if (d->work->actors == NULL || d->work->heap.items == NULL ||
	    d->work->heap.spare == NULL || d->rings == NULL ||
	    d->entered == NULL || d->left == NULL || d->released == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for delays");
	st = es__scratch_open(scratch, tuples * sizeof(int64_t), &d->scratch);
	if (st != PATHS_OK)
		return st;
	tuples = 0;
	for (uint32_t n = 0; n < input->ring_count; n++) {
		d->rings[n] = (int64_t *)d->scratch.data + tuples;
		tuples += (size_t)input->rings[n].count;
	}
	d->ring_count = input->ring_count;
	return PATHS_OK;
}

paths_status
es__mpi_delays_begin(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__cpu_curve *curves,
    const char *scratch, struct es__mpi_delays *delays)
{
	paths_status st;

	delays->work = calloc(1, sizeof(*delays->work));
	if (delays->work == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for delays");
	*delays->work = (struct es__mpi_delays_work){ .trace = trace,
		.doubts = doubts,
		.curves = curves,
		.all = &curves[trace->input.ring_count],
		.delays = delays };
	st = delays_alloc(delays, &trace->input, scratch);
	if (st == PATHS_OK)
		delays_heap(delays->work);
	return st;
}

void
es__mpi_delays_release(struct es__mpi_delays *delays, uint32_t ring, uint32_t n)
{
	size_t first =
	    (size_t)(delays->rings[ring] - (int64_t *)delays->scratch.data);

	if (n - delays->released[ring] < RELEASE_TUPLES)
		return;
	es__scratch_release(&delays->scratch,
	    (first + delays->released[ring]) * sizeof(int64_t),
	    (first + n) * sizeof(int64_t));
	delays->released[ring] = n;
}

void
es__mpi_delays_fini(struct es__mpi_delays *delays)
{
	if (delays->work != NULL) {
		free(delays->work->arrivals);
		free(delays->work->parts);
		free(delays->work->actors);
		free(delays->work->heap.items);
		free(delays->work->heap.spare);
	}
	free(delays->work);
	free(delays->rings);
	free(delays->entered);
	free(delays->left);
	free(delays->released);
	es__scratch_close(&delays->scratch);
}
