/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi.c - makes the program activity graph of an MPI trace
 *
 * Takes the trace window by window.  In a window, takes the calls of a thread
 * until one waits for a call that another thread has not begun yet.  Then the
 * thread is parked at that other thread, and goes on when the other thread has
 * begun the call.
 */

#include "scopes/graph/mpi_private.h"

#include "scopes/graph/mpi_await_private.h"
#include "scopes/graph/mpi_calls_private.h"
#include "scopes/graph/mpi_work_private.h"
#include "scopes/graph/settle_private.h"
#include "scopes/match/dependence_private.h"
#include "scopes/match/peer_progress_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* READY: the call can be left; PARKED: its thread is parked; LATER: a later
   window has what it waits for. */
enum ready { READY, PARKED, LATER };

static void
queue_put(struct es__graph_mpi_work *w, uint32_t ring)
{
	if (w->actors[ring].queued)
		return;
	w->actors[ring].queued = true;
	w->queue[(w->queue_first + w->queue_count++) %
	    w->trace->input.ring_count] = ring;
}

static uint32_t
queue_take(struct es__graph_mpi_work *w)
{
	uint32_t ring = w->queue[w->queue_first];

	w->queue_first = (w->queue_first + 1) % w->trace->input.ring_count;
	w->queue_count--;
	w->actors[ring].queued = false;
	return ring;
}

/* Returns whether a thread has entered the call of a tuple, or left it. */
static bool
work_has_passed(const struct es__graph_mpi_work *w, struct es_mpi_at at,
    bool ends)
{
	return at.n < (ends ? w->left : w->entered)[at.ring];
}

/* Parks a thread until another one has entered the call of a tuple, or left
   it. */
static void
actor_park(struct es__graph_mpi_work *w, uint32_t ring, struct es_mpi_at at,
    bool ends)
{
	struct es__graph_actor *actor = &w->actors[ring],
			       *other = &w->actors[at.ring];

	actor->parked = at;
	actor->ends = ends;
	actor->next = other->first;
	other->first = ring;
}

/* Wakes the threads that are parked at a thread and wait for a call that it has
   now entered or left. */
static void
actor_wake(struct es__graph_mpi_work *w, uint32_t ring)
{
	uint32_t *link = &w->actors[ring].first;

	while (*link != PATHS_NONE) {
		uint32_t parked = *link;
		struct es__graph_actor *other = &w->actors[parked];

		if (!work_has_passed(w, other->parked, other->ends)) {
			link = &other->next;
			continue;
		}
		*link = other->next;
		other->parked = ES__MPI_NOWHERE;
		queue_put(w, parked);
	}
}

/* Adds a step of an activity; its kind and flags are given. */
static paths_status
work_step(struct es__graph_mpi_work *w, struct es__graph_step step,
    const struct es__graph_activity *activity, int64_t ns)
{
	step.thread = activity->thread;
	step.at = es__graph_names_put(&w->graph->names, activity);
	step.ns = ns;
	return step.at != PATHS_NONE ?
	    es__graph_add(w->graph, step) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

/* Returns which end of the measured interval the begin of a call is.  If calls
   of a ring were lost, the interval begins with the first call that it
   retains. */
static enum es__graph_edge
enter_edge(const struct es__graph_mpi_work *w, uint32_t ring, uint8_t role)
{
	if (role == ES_MPI_ROLE_FINALIZE)
		return ES__GRAPH_ENDS;
	return w->actors[ring].site == PATHS_NONE &&
		w->trace->input.rings[ring].lost > 0 ?
	    ES__GRAPH_BEGINS :
	    ES__GRAPH_INSIDE;
}

/* Returns whether a call may be a receive or probe of MPI_ANY_SOURCE, but the
   trace does not tell. */
static bool
enter_source_unknown(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_input *input = &w->trace->input;

	if (input->ranks[input->rings[at.ring].rank].sources)
		return false;
	switch (es__graph_work_kind(w, at)->role) {
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_SENDRECV:
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_IPROBE:
		return true;
	case ES_MPI_ROLE_IRECV:
		return es__graph_work_tuple(w, at)->peer == ES_MPI_PEER_NONE;
	default:
		return false;
	}
}

/* Enters the call of a thread. */
static paths_status
call_enter(struct es__graph_mpi_work *w, uint32_t ring)
{
	struct es__graph_actor *actor = &w->actors[ring];
	struct es_mpi_at at = { ring, w->left[ring] };
	const struct es_tuple_mpi *call = es__graph_work_tuple(w, at);
	int64_t ns = es__graph_work_start(w, at);
	enum es__graph_edge edge =
	    enter_edge(w, ring, es__graph_work_kind(w, at)->role);
	paths_status st =
	    work_step(w, (struct es__graph_step){ .kind = ES__GRAPH_ENTER },
		&(struct es__graph_activity){ .thread = ring,
		    .from = actor->site,
		    .site = call->site,
		    .edge = edge },
		ns - actor->ns);

	if (edge == ES__GRAPH_BEGINS && ns > w->graph->from_ns)
		w->graph->from_ns = ns;
	if (edge == ES__GRAPH_ENDS && ns > w->graph->to_ns)
		w->graph->to_ns = ns;
	w->graph->account.sources_unknown += enter_source_unknown(w, at);
	actor->ns = ns;
	actor->site = call->site;
	w->entered[ring] = es__graph_work_call_end(w, at);
	for (; st == PATHS_OK && at.n < w->entered[ring]; at.n++) {
		enum es__graph_posted posts = at.n == w->left[ring] ?
		    es__graph_posted(es__graph_work_kind(w, at), call) :
		    es__graph_posted_by(es__graph_work_kind(w, at),
			es__graph_work_tuple(w, at));

		if (posts & ES__GRAPH_POSTED_SEND)
			st = es__graph_post(&w->posts, at, false, ns);
		if (st == PATHS_OK && (posts & ES__GRAPH_POSTED_RECEIVE))
			st = es__graph_post(&w->posts, at, true, ns);
	}
	if (st == PATHS_OK)
		st = es__graph_calls_post(w,
		    (struct es_mpi_at){ ring, w->left[ring] }, w->entered[ring],
		    false, ns);
	actor->inside = call->stop != 0;
	if (!actor->inside)
		w->left[ring] = w->entered[ring];
	actor_wake(w, ring);
	return st;
}

/* ---- whether a call can be left */

/* Returns whether a thread may go on that waits for the begin or end of the
   call of a tuple. */
static enum ready
ready_for(struct es__graph_mpi_work *w, uint32_t ring, struct es_mpi_at at,
    bool ends)
{
	if (work_has_passed(w, at, ends) || w->actors[ring].alone)
		return READY;
	actor_park(w, ring, at, ends);
	return PARKED;
}

/* Finds out whether a member of a collective, whose call ends with a tuple, has
   to wait until other members have begun.  In a collective that is never
   complete, it does not. */
static paths_status
part_ready(struct es__graph_mpi_work *w, struct es_mpi_at at, uint32_t part,
    enum ready *ready)
{
	struct es_mpi_at missing;
	paths_status st;

	if (es__mpi_dependence_none(w->trace, at))
		return PATHS_OK;
	st = es__graph_meeting_missing(&w->meetings, part, &missing);
	if (st != PATHS_OK || es__mpi_at_none(missing))
		return st;
	if (es__mpi_at_known(missing))
		*ready = ready_for(w, at.ring, missing, false);
	else if (!w->trace->last)
		*ready = LATER;
	return PATHS_OK;
}

/* Finds out whether all calls have begun that a tuple of a call waits for. */
static paths_status
tuple_ready(struct es__graph_mpi_work *w, struct es_mpi_at at,
    enum ready *ready)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	*ready = es__graph_work_message_later(w, at) ? LATER : READY;
	if (*ready != READY)
		return PATHS_OK;
	if (es__mpi_at_known(link->received))
		*ready = ready_for(w, at.ring,
		    es__mpi_message_sent(w->trace, link->received), false);
	if (*ready == READY && es__mpi_at_known(link->sent) &&
	    es__graph_work_send_may_wait(w, at, link->sent))
		*ready = ready_for(w, at.ring, link->sent, false);
	return *ready == READY && link->collective != PATHS_NONE ?
	    part_ready(w, at, link->collective, ready) :
	    PATHS_OK;
}

/* Finds out whether all calls have begun, or ended, that a call waits for as a
   whole (mpi_calls_private.h). */
static enum ready
calls_ready(struct es__graph_mpi_work *w, struct es_mpi_at call)
{
	enum ready ready = READY;
	size_t count;
	const struct es__graph_awaited *list =
	    es__graph_calls_of(w, call, &count);

	for (size_t n = 0; ready == READY && n < count; n++)
		ready =
		    list[n].at.n < es__graph_work_window(w, list[n].at.ring) ?
		    ready_for(w, call.ring, list[n].at, list[n].ends) :
		    LATER;
	return ready;
}

static paths_status
call_ready(struct es__graph_mpi_work *w, uint32_t ring, enum ready *ready)
{
	struct es_mpi_at at = { ring, w->left[ring] };
	paths_status st = PATHS_OK;

	*ready = calls_ready(w, at);
	for (; st == PATHS_OK && *ready == READY && at.n < w->entered[ring];
	     at.n++)
		st = tuple_ready(w, at, ready);
	return st;
}

/* ---- leaving a call */

/* Drops the posts that only this tuple waited for. */
static void
leave_tuple(struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	if (es__mpi_at_known(link->received) &&
	    es__graph_work_kind(w, at)->role != ES_MPI_ROLE_PROBE)
		es__graph_post_drop(&w->posts,
		    es__mpi_message_sent(w->trace, link->received), false);
	if (link->collective != PATHS_NONE)
		es__graph_meeting_leave(&w->meetings, link->collective, at);
	if (!es__mpi_at_known(link->sent))
		return;
	if (work_has_passed(w, link->sent, false))
		es__graph_post_drop(&w->posts, link->sent, true);
	else
		es__graph_post_needless(&w->posts, link->sent);
}

static uint32_t
await_flags(const struct es__graph_await *await,
    const struct es__graph_await *last)
{
	return (await == last ? ES__GRAPH_BINDS : 0) |
	    (await->sure ? ES__GRAPH_SURE : 0) |
	    (await->late ? ES__GRAPH_LATE : 0);
}

/* Returns whether an operation cannot end before the time of a slot, by the
   sizes of messages known so far. */
static bool
await_holds(const struct es__graph_mpi_work *w,
    const struct es__graph_await *await)
{
	return await->kind != ES__GRAPH_AWAIT_RECEIVE || await->sure ||
	    await->late || await->bytes > w->graph->eager_bytes;
}

/* Marks receives as late if the call ended soon after their begin, and after
   all other waits. */
static void
leave_late(struct es__graph_mpi_work *w, int64_t enter_ns, int64_t exit_ns)
{
	int64_t last_ns = enter_ns, before_ns = enter_ns;
	size_t last = w->await_count;

	for (size_t n = 0; n < w->await_count; n++) {
		int64_t ns = w->posts.slot_ns[w->awaits[n].slot];

		if (!await_holds(w, &w->awaits[n]) || ns <= before_ns)
			continue;
		before_ns = ns <= last_ns ? ns : last_ns;
		if (ns > last_ns) {
			last_ns = ns;
			last = n;
		}
	}
	for (size_t n = 0; n < w->await_count; n++)
		if (w->awaits[n].kind == ES__GRAPH_AWAIT_RECEIVE)
			w->awaits[n].late =
			    es__peer_progress_ends(n == last ? before_ns :
							       last_ns,
				w->posts.slot_ns[w->awaits[n].slot], exit_ns);
}

/* Adds the steps AWAIT and WAITED of the call of a thread, which ends at
   exit_ns.  until_ns: out, the end of the wait, or the enter if it did not
   wait. */
static paths_status
leave_waits(struct es__graph_mpi_work *w, uint32_t ring, int64_t exit_ns,
    int64_t *until_ns)
{
	const struct es__graph_await *last = NULL;
	int64_t enter_ns = w->actors[ring].ns;
	paths_status st = PATHS_OK;

	leave_late(w, enter_ns, exit_ns);
	*until_ns = enter_ns;
	for (size_t n = 0; n < w->await_count; n++)
		if (w->posts.slot_ns[w->awaits[n].slot] > *until_ns &&
		    await_holds(w, &w->awaits[n])) {
			last = &w->awaits[n];
			*until_ns = w->posts.slot_ns[last->slot];
		}
	for (size_t n = 0; st == PATHS_OK && n < w->await_count; n++)
		st = es__graph_add(w->graph,
		    (struct es__graph_step){ .kind = w->awaits[n].kind,
			.flags = await_flags(&w->awaits[n], last),
			.thread = ring,
			.at = w->awaits[n].slot,
			.ns = (int64_t)w->awaits[n].bytes });
	if (last != NULL && last->kind == ES__GRAPH_AWAIT_RECEIVE &&
	    !last->sure && !last->late && last->bytes < w->graph->waited_bytes)
		w->graph->waited_bytes = last->bytes;
	if (st == PATHS_OK && last != NULL)
		st = es__graph_add(w->graph,
		    (struct es__graph_step){ .kind = ES__GRAPH_WAITED,
			.thread = ring,
			.ns = *until_ns - enter_ns });
	return st;
}

/* Returns the time at which a call returned. */
static int64_t
call_exit(const struct es__graph_mpi_work *w, uint32_t ring,
    const struct es_tuple_mpi *call)
{
	int64_t exit_ns = es__graph_work_ns(w, ring, call->stop);
	uint32_t rank = w->trace->input.rings[ring].rank;

	if (w->initialized_ns == NULL ||
	    es__mpi_kind(w->trace, call->op)->role != ES_MPI_ROLE_INIT ||
	    w->initialized_ns[rank] < exit_ns)
		return exit_ns;
	return w->initialized_ns[rank];
}

/* Returns whether a tuple ends a receive, or a probe, of any source. */
static bool
leave_any(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_tuple_mpi *t = es__graph_work_tuple(w, at);

	if (!(t->match & ES_MPI_MATCH_ANY))
		return false;
	switch (es__graph_work_kind(w, at)->role) {
	case ES_MPI_ROLE_SENDRECV:
		return true;
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_IPROBE:
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
	case ES_MPI_ROLE_TEST:
		return t->peer >= 0;
	default:
		return t->op == ES_MPI_COMPLETED && t->peer >= 0;
	}
}

/* Returns the flags of the step LEAVE of the call of a thread. */
static uint32_t
leave_choices(struct es__graph_mpi_work *w, uint32_t ring)
{
	struct es_mpi_at at = { ring, w->left[ring] };
	bool first = es__graph_work_kind(w, at)->first, any = false;
	size_t count;
	const struct es__graph_awaited *list =
	    es__graph_calls_of(w, at, &count);

	for (size_t n = 0; n < count; n++)
		first |= list[n].lock;
	for (; !any && at.n < w->entered[ring]; at.n++)
		any = leave_any(w, at);
	w->graph->account.choices += any || first;
	return (any ? ES__GRAPH_ANY : 0) | (first ? ES__GRAPH_FIRST : 0);
}

/* Leaves the call of a thread. */
static paths_status
call_leave(struct es__graph_mpi_work *w, uint32_t ring)
{
	struct es__graph_actor *actor = &w->actors[ring];
	struct es_mpi_at at = { ring, w->left[ring] };
	const struct es_tuple_mpi *call = es__graph_work_tuple(w, at);
	int64_t exit_ns = call_exit(w, ring, call), until_ns;
	uint8_t role = es__graph_work_kind(w, at)->role;
	paths_status st = PATHS_OK;

	w->await_count = 0;
	for (; st == PATHS_OK && at.n < w->entered[ring]; at.n++)
		st = es__graph_await_tuple(w, at);
	at.n = w->left[ring];
	if (st == PATHS_OK)
		st = es__graph_await_calls(w, at);
	if (st == PATHS_OK)
		st = leave_waits(w, ring, exit_ns, &until_ns);
	if (st != PATHS_OK)
		return st;
	w->graph->account.operations++;
	w->graph->account.contradictions += until_ns > exit_ns;
	st = work_step(w,
	    (struct es__graph_step){ .kind = ES__GRAPH_LEAVE,
		.flags = leave_choices(w, ring) },
	    &(struct es__graph_activity){ .thread = ring,
		.from = PATHS_NONE,
		.site = call->site,
		.function = call->op,
		.edge = role == ES_MPI_ROLE_INIT ? ES__GRAPH_BEGINS :
						   ES__GRAPH_INSIDE },
	    exit_ns - until_ns);
	es__graph_calls_leave(w, at, w->entered[ring]);
	for (; at.n < w->entered[ring]; at.n++)
		leave_tuple(w, at);
	if (role == ES_MPI_ROLE_INIT && exit_ns > w->graph->from_ns)
		w->graph->from_ns = exit_ns;
	actor->ns = exit_ns;
	at.n = w->left[ring];
	w->left[ring] = w->entered[ring];
	actor->inside = actor->alone = false;
	if (st == PATHS_OK)
		st = es__graph_calls_post(w, at, w->left[ring], true, exit_ns);
	actor_wake(w, ring);
	return st;
}

/* ---- windows */

/* Takes the calls of a thread until it is parked or the window ends. */
static paths_status
actor_run(struct es__graph_mpi_work *w, uint32_t ring)
{
	uint32_t end = es__graph_work_window(w, ring);
	struct es__graph_actor *actor = &w->actors[ring];
	enum ready ready;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && (actor->inside || w->left[ring] < end)) {
		if (!actor->inside) {
			st = call_enter(w, ring);
			continue;
		}
		st = call_ready(w, ring, &ready);
		if (st != PATHS_OK || ready != READY)
			return st;
		st = call_leave(w, ring);
	}
	return st;
}

/* Returns a thread of a cycle of threads each of which is parked at the next
   one; PATHS_NONE: there is no cycle. */
static uint32_t
actors_cycle(struct es__graph_mpi_work *w)
{
	uint32_t count = w->trace->input.ring_count, at;

	for (uint32_t r = 0; r < count; r++)
		w->actors[r].way = PATHS_NONE;
	for (uint32_t r = 0; r < count; r++) {
		for (at = r;
		     at != PATHS_NONE && w->actors[at].way == PATHS_NONE;
		     at = w->actors[at].parked.ring)
			w->actors[at].way = r;
		if (at == PATHS_NONE || w->actors[at].way != r)
			continue;
		at = r;
		for (uint32_t n = 0; n < count; n++)
			at = w->actors[at].parked.ring;
		return at;
	}
	return PATHS_NONE;
}

/* Lets a parked thread go on without waiting. */
static void
actor_free(struct es__graph_mpi_work *w, uint32_t ring)
{
	struct es__graph_actor *actor = &w->actors[ring];
	uint32_t *link = &w->actors[actor->parked.ring].first;

	while (*link != ring)
		link = &w->actors[*link].next;
	*link = actor->next;
	actor->parked = ES__MPI_NOWHERE;
	actor->alone = true;
	queue_put(w, ring);
}

paths_status
es__graph_mpi_window(struct es__graph_mpi_work *w)
{
	uint32_t ring;
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; st == PATHS_OK && r < w->trace->input.ring_count;
	     r++) {
		st = es__graph_posts_reserve(&w->posts, r,
		    es__graph_work_window(w, r));
		if (es__mpi_at_none(w->actors[r].parked))
			queue_put(w, r);
	}
	if (st == PATHS_OK)
		st = es__graph_calls_find(w);
	while (st == PATHS_OK) {
		if (w->queue_count == 0) {
			ring = actors_cycle(w);
			if (ring == PATHS_NONE)
				break;
			actor_free(w, ring);
		}
		st = actor_run(w, queue_take(w));
	}
	return st == PATHS_OK ?
	    es__graph_posts_sweep(&w->posts, w->trace, w->left) :
	    st;
}

uint64_t
es__graph_mpi_kept(const struct es__graph_mpi_work *w, uint32_t rank)
{
	const struct es__mpi_scan *scan = &w->trace->scans[rank];
	uint64_t n = scan->kept;

	/* In a rank with one ring, tuples and events have the same numbers. */
	if (scan->ring_count == 1)
		return w->left[scan->ring_first];
	for (; n < es_mpi_trace_events(w->trace, rank); n++) {
		struct es_mpi_at at = es_mpi_trace_event(w->trace, rank, n);

		if (at.n >= w->left[at.ring])
			break;
	}
	return n;
}

/* Sets the ends of threads, and that of the measured interval if no thread has
   called MPI_Finalize. */
static void
graph_end(struct es__graph_mpi_work *w)
{
	struct es__graph *g = w->graph;
	int64_t last_ns = g->start_ns;

	for (uint32_t r = 0; r < w->trace->input.ring_count; r++) {
		g->end_ns[r] = w->actors[r].ns;
		last_ns = g->end_ns[r] > last_ns ? g->end_ns[r] : last_ns;
	}
	if (g->to_ns == INT64_MIN)
		g->to_ns = last_ns;
}

static bool
graph_alloc(struct es__graph_mpi_work *w, uint32_t rings)
{
	w->actors = calloc((size_t)rings + 1, sizeof(*w->actors));
	w->entered = calloc((size_t)rings + 1, sizeof(*w->entered));
	w->left = calloc((size_t)rings + 1, sizeof(*w->left));
	w->queue = calloc((size_t)rings + 1, sizeof(*w->queue));
	if (w->actors == NULL || w->entered == NULL || w->left == NULL ||
	    w->queue == NULL)
		return false;
	for (uint32_t r = 0; r < rings; r++) {
		w->actors[r].parked = ES__MPI_NOWHERE;
		w->actors[r].first = w->actors[r].site = PATHS_NONE;
	}
	return true;
}

paths_status
es__graph_mpi_begin(const struct es__graph_mpi *of,
    const struct es_mpi_trace *trace, struct es__graph_mpi_work **work)
{
	struct es__graph_mpi_work *w = calloc(1, sizeof(*w));
	uint32_t rings = of->input->ring_count;
	paths_status st = PATHS_OK;

	if (w == NULL || !graph_alloc(w, rings))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	if (st == PATHS_OK)
		st = es__graph_create(of->dir, rings, 0, &w->graph);
	if (st == PATHS_OK)
		st = es__graph_posts_init(&w->posts, w->graph, rings);
	if (st != PATHS_OK) {
		es__graph_mpi_drop(w);
		return st;
	}
	w->initialized_ns = of->initialized_ns;
	w->trace = trace;
	w->meetings = (struct es__graph_meetings){ .trace = trace,
		.posts = &w->posts,
		.entered = w->entered };
	w->windows = es__rma_dependence(trace);
	*work = w;
	return PATHS_OK;
}

paths_status
es__graph_mpi_end(struct es__graph_mpi_work *w, struct es__graph **graph)
{
	paths_status st;

	graph_end(w);
	st = es__graph_finish(w->graph);
	if (st == PATHS_OK)
		st = es__graph_settle(w->graph);
	if (st == PATHS_OK) {
		*graph = w->graph;
		w->graph = NULL;
	}
	es__graph_mpi_drop(w);
	return st;
}

void
es__graph_mpi_drop(struct es__graph_mpi_work *w)
{
	if (w == NULL)
		return;
	es__graph_close(w->graph);
	es__graph_meetings_fini(&w->meetings);
	es__graph_calls_fini(&w->calls);
	es__graph_posts_fini(&w->posts);
	free(w->actors);
	free(w->entered);
	free(w->left);
	free(w->queue);
	free(w->awaits);
	free(w);
}

/* Makes all windows of a trace, and adds each one to the graph. */
static paths_status
graph_windows(struct es__graph_mpi_work *w, struct es_mpi_trace *trace)
{
	paths_status st = PATHS_OK;
	bool more = true;

	while (st == PATHS_OK && more) {
		st = es__mpi_trace_next(trace);
		if (st == PATHS_OK)
			st = es__graph_mpi_window(w);
		if (st != PATHS_OK)
			return st;
		more = !trace->last;
		for (uint32_t r = 0; r < trace->input.rank_count; r++)
			es__mpi_trace_keep(trace, r, es__graph_mpi_kept(w, r));
	}
	return st;
}

paths_status
es__graph_mpi(const struct es__graph_mpi *of, struct es__graph **graph)
{
	struct es__graph_mpi_work *work = NULL;
	struct es_mpi_trace *trace;
	paths_status st = es__mpi_trace_begin(of->input, of->threads, of->quota,
	    false, &trace);

	if (st != PATHS_OK)
		return st;
	st = es__graph_mpi_begin(of, trace, &work);
	if (st == PATHS_OK)
		st = graph_windows(work, trace);
	if (st == PATHS_OK)
		st = es__graph_mpi_end(work, graph);
	else
		es__graph_mpi_drop(work);
	es_mpi_trace_close(trace);
	return st;
}
