/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/delays.c - by how much ranks are late because threads had no core
 *
 * Takes the enters and exits of calls of all threads in the order of time, from
 * a heap with the next one of each thread: so an arrival is known when the exit
 * of a call that waited for it is taken.  An arrival that the clocks put behind
 * the exit does not count.
 */

#include "scopes/mpi/delays_private.h"

#include "scopes/match/trace_private.h"
#include "scopes/mpi/waits_part_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/heap.h"
#include "libpaths/log.h"

/* A thread in the middle of its calls. */
struct actor {
	uint32_t ring, n; /* its call; n: the first tuple */
	bool inside;	  /* the exit of the call is next */
	int64_t next_ns;  /* time of its next enter or exit */
	int64_t delay;
	int64_t lost_ns; /* of its curve up to the exit before */
};

/* The ends of a collective for a member, with and without lost cores. */
struct arrival {
	int64_t ns, remain_ns; /* INT64_MIN: it waits for nobody */
	bool known;
};

struct delays_work {
	const struct es_mpi_trace *trace;
	const struct es__mpi_doubts *doubts;
	const struct es__cpu_curve *curves, *all;
	struct es__mpi_delays *delays;
	struct arrival *arrivals;	  /* of each part of a collective */
	struct es__mpi_waits_part *parts; /* of one collective */
	size_t part_room;
	struct paths__heap heap;
};

/* The arrivals that a call waits for. */
struct awaited {
	int64_t ns;			   /* the latest, or the enter */
	int64_t remain_ns;		   /* the same without lost cores */
	const struct es__cpu_curve *other; /* of who arrived last, or of all */
};

static bool
actor_before(const void *context, const void *left, const void *right)
{
	const struct actor *a = left, *b = right;

	(void)context;
	if (a->next_ns != b->next_ns)
		return a->next_ns < b->next_ns;
	/* An exit at the time of an enter may depend on it. */
	return a->inside != b->inside ? b->inside : a->ring < b->ring;
}

static const struct paths__heap_kind actor_kind = {
	.bytes = sizeof(struct actor),
	.before = actor_before,
};

static int64_t
tuple_ns(const struct delays_work *w, uint32_t ring, uint64_t ticks)
{
	const struct es_mpi_trace_input *input = &w->trace->input;

	return es_time_ns(&input->ranks[input->rings[ring].rank].base, ticks);
}

static const struct es_tuple_mpi *
actor_tuple(const struct delays_work *w, const struct actor *actor)
{
	return es_mpi_trace_tuple(&w->trace->input,
	    (struct es_mpi_at){ actor->ring, actor->n });
}

/* Goes to the enter of the call at its place; false: there is none. */
static bool
actor_next(const struct delays_work *w, struct actor *actor)
{
	actor->inside = false;
	if (actor->n >= w->trace->input.rings[actor->ring].count)
		return false;
	actor->next_ns = tuple_ns(w, actor->ring, actor_tuple(w, actor)->start);
	return true;
}

/* Returns the number of the tuple behind those of the call. */
static uint32_t
actor_end(const struct delays_work *w, const struct actor *actor)
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
actor_enter(const struct delays_work *w, struct actor *actor)
{
	const struct es_tuple_mpi *call = actor_tuple(w, actor);
	int64_t lost_ns =
	    es__cpu_curve_at(&w->curves[actor->ring], actor->next_ns);
	uint32_t end = actor_end(w, actor);

	actor->delay += lost_ns - actor->lost_ns;
	for (uint32_t n = actor->n; n < end; n++)
		w->delays->rings[actor->ring][n] = actor->delay;
	actor->inside = true;
	actor->next_ns = tuple_ns(w, actor->ring, call->stop);
	return call->stop != 0;
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
await_message(const struct delays_work *w, struct awaited *on,
    struct es_mpi_at at, int64_t from_ns, int64_t exit_ns)
{
	int64_t ns = tuple_ns(w, at.ring,
	    es_mpi_trace_tuple(&w->trace->input, at)->start);

	if (ns > from_ns && ns <= exit_ns)
		await(on, ns, ns - es__mpi_delay(w->delays, at),
		    &w->curves[at.ring]);
}

/* Finds the arrivals of the members of a collective.  Those after now_ns may
   change, when further members enter. */
static paths_status
collective_arrivals(struct delays_work *w,
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
			    .known = w->parts[n].until_ns <= now_ns };
	return PATHS_OK;
}

static paths_status
await_collective(struct delays_work *w, struct awaited *on, uint32_t part,
    int64_t exit_ns)
{
	struct arrival *arrival = &w->arrivals[part];
	paths_status st = PATHS_OK;

	if (!arrival->known)
		st = collective_arrivals(w,
		    es_mpi_trace_collective_of(w->trace, part), exit_ns);
	if (st == PATHS_OK && arrival->ns != INT64_MIN) {
		await(on, arrival->ns, arrival->remain_ns, w->all);
		/* Also when this thread is the last one. */
		on->other = w->all;
	}
	return st;
}

/* Adds what a tuple of the call waited for. */
static paths_status
await_tuple(struct delays_work *w, struct awaited *on, struct es_mpi_at at,
    int64_t enter_ns, int64_t exit_ns)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	if (!es__mpi_at_none(link->received))
		await_message(w, on,
		    es__mpi_message_sent(w->trace, link->received), INT64_MIN,
		    exit_ns);
	/* A send does not depend on a receive that was there. */
	if (!es__mpi_at_none(link->sent))
		await_message(w, on, link->sent, enter_ns, exit_ns);
	return link->collective == PATHS_NONE ?
	    PATHS_OK :
	    await_collective(w, on, link->collective, exit_ns);
}

/* Leaves the call. */
static paths_status
actor_leave(struct delays_work *w, struct actor *actor)
{
	int64_t enter_ns =
	    tuple_ns(w, actor->ring, actor_tuple(w, actor)->start);
	const struct es__cpu_curve *own = &w->curves[actor->ring];
	int64_t exit_ns = actor->next_ns, lost_ns;
	struct awaited on = { enter_ns, enter_ns - actor->delay, NULL };
	uint32_t end = actor_end(w, actor);
	paths_status st = PATHS_OK;

	for (; st == PATHS_OK && actor->n < end; actor->n++)
		st = await_tuple(w, &on,
		    (struct es_mpi_at){ actor->ring, actor->n }, enter_ns,
		    exit_ns);
	if (on.ns > exit_ns)
		on.ns = exit_ns;
	lost_ns = es__cpu_curve_between(on.other == w->all ? w->all : own,
	    on.ns, exit_ns);
	if (on.other != NULL && on.other != w->all)
		lost_ns += es__cpu_curve_between(on.other, on.ns, exit_ns);
	if (lost_ns > exit_ns - on.ns)
		lost_ns = exit_ns - on.ns;
	actor->delay =
	    (on.ns > on.remain_ns ? on.ns - on.remain_ns : 0) + lost_ns;
	actor->lost_ns = es__cpu_curve_at(own, exit_ns);
	return st;
}

/* Puts the threads into the heap. */
static void
delays_begin(struct delays_work *w)
{
	for (uint32_t r = 0; r < w->trace->input.ring_count; r++) {
		struct actor actor = { .ring = r };

		if (actor_next(w, &actor))
			((struct actor *)w->heap.items)[w->heap.count++] =
			    actor;
	}
	paths__heap_make(&w->heap, &actor_kind);
}

static paths_status
delays_run(struct delays_work *w)
{
	paths_status st = PATHS_OK;

	delays_begin(w);
	while (st == PATHS_OK && w->heap.count > 0) {
		struct actor *first = w->heap.items;
		bool more = true;

		if (!first->inside) {
			more = actor_enter(w, first);
		} else {
			st = actor_leave(w, first);
			more = actor_next(w, first);
		}
		if (!more)
			*first =
			    ((struct actor *)w->heap.items)[--w->heap.count];
		if (w->heap.count > 0)
			paths__heap_sink(&w->heap, &actor_kind, 0);
	}
	return st;
}

static bool
delays_alloc(struct delays_work *w)
{
	const struct es_mpi_trace_input *input = &w->trace->input;
	struct es__mpi_delays *d = w->delays;

	w->arrivals =
	    calloc((size_t)w->trace->part_count + 1, sizeof(*w->arrivals));
	w->heap.items =
	    calloc((size_t)input->ring_count + 1, sizeof(struct actor));
	w->heap.spare = malloc(sizeof(struct actor));
	d->rings = calloc((size_t)input->ring_count + 1, sizeof(*d->rings));
	if (w->arrivals == NULL || w->heap.items == NULL ||
	    w->heap.spare == NULL || d->rings == NULL)
		return false;
	for (d->ring_count = 0; d->ring_count < input->ring_count;
	     d->ring_count++) {
		size_t count = (size_t)input->rings[d->ring_count].count;

		d->rings[d->ring_count] = calloc(count + 1, sizeof(int64_t));
		if (d->rings[d->ring_count] == NULL)
			return false;
	}
	return true;
}

paths_status
es__mpi_delays_compute(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__cpu_curve *curves,
    const struct es__cpu_curve *all, struct es__mpi_delays *delays)
{
	struct delays_work w = { .trace = trace,
		.doubts = doubts,
		.curves = curves,
		.all = all,
		.delays = delays };
	paths_status st = delays_alloc(&w) ?
	    delays_run(&w) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for delays");

	free(w.arrivals);
	free(w.parts);
	free(w.heap.items);
	free(w.heap.spare);
	return st;
}

void
es__mpi_delays_fini(struct es__mpi_delays *delays)
{
	for (uint32_t n = 0; n < delays->ring_count; n++)
		free(delays->rings[n]);
	free(delays->rings);
}
