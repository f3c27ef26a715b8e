/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_arcs.c - makes the arcs of a wait-for graph from the
 * calls that threads are in
 *
 * A call that waits for several requests waits until the last one ends.  But
 * MPI may have ended some of them without the other side, such as a send whose
 * data it has copied.  Such a request becomes an arc only if all other requests
 * have ended, or may have ended in this way.
 *
 * After the end of a run, such a request becomes an arc only if its call had
 * lasted for a while, because a rank may be killed in a call that is about to
 * return.
 */

#include "scopes/mpi/wait_for_arcs_private.h"

#include "scopes/match/peer_private.h"
#include "scopes/match/scan_private.h"
#include "scopes/mpi/in_flight_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/wait_for_window_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <string.h>

/* A call that has lasted for 200 ms at the end of its rank counts as one that
   would not have returned.  This is also the time between the two readings of
   live ranks. */
#define LASTING_NS 200000000

struct arcs {
	struct es__in_flight in_flight;
	/* Make no arcs for requests that may have ended without the other
	   side. */
	bool sure_only;
	struct es__wait_for_graph *graph;
	struct es__wait_for_node *node; /* node to which arcs are added */
	size_t arc_count, arc_room, target_count, target_room;
};

/* The state of one message, collective or request that a thread waits for. */
enum wait_outcome {
	GOES_ON, /* it can end, or may be able to */
	IS_DONE,
	IS_HELD,    /* an arc was added: only its targets can end it */
	MAY_BE_DONE /* an arc was added, but it may have ended already */
};

static paths_status
arcs_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
}

/* Adds an arc without targets. */
static paths_status
arcs_begin(struct arcs *a)
{
	struct es__wait_for_graph *g = a->graph;

	if (!paths__array_grow(&g->arcs, a->arc_count, &a->arc_room,
		sizeof(*g->arcs)))
		return arcs_no_memory();
	g->arcs[a->arc_count++] =
	    (struct es__wait_for_arc){ .first = a->target_count };
	a->node->count++;
	return PATHS_OK;
}

/* Adds a target to the last arc. */
static paths_status
arcs_target(struct arcs *a, uint32_t rank)
{
	struct es__wait_for_graph *g = a->graph;

	if (!paths__array_grow(&g->targets, a->target_count, &a->target_room,
		sizeof(*g->targets)))
		return arcs_no_memory();
	g->targets[a->target_count++] = rank;
	g->arcs[a->arc_count - 1].count++;
	return PATHS_OK;
}

/* Removes the last arc. */
static void
arcs_drop(struct arcs *a)
{
	a->arc_count--;
	a->target_count = a->graph->arcs[a->arc_count].first;
	a->node->count--;
}

static void
arcs_clear(struct arcs *a)
{
	while (a->node->count > 0)
		arcs_drop(a);
}

/* Returns how many targets the last arc has. */
static uint32_t
arcs_count(const struct arcs *a)
{
	return a->graph->arcs[a->arc_count - 1].count;
}

/* Ends the last arc, or removes it if it has no targets. */
static void
arcs_end(struct arcs *a, enum es__wait_for_mode targets)
{
	a->graph->arcs[a->arc_count - 1].targets = targets;
	if (arcs_count(a) == 0)
		arcs_drop(a);
}

/* Adds an arc for a receive of any source: to all members that could send. */
static paths_status
arcs_any_source(struct arcs *a, const struct es__in_flight_half *h,
    enum wait_outcome *out)
{
	const struct es_mpi_trace_comm *comm =
	    &a->in_flight.trace->input.comms[h->comm];
	paths_status st = arcs_begin(a);
	bool held = comm->count > 0;

	for (uint32_t m = 0; st == PATHS_OK && held && m < comm->count; m++) {
		struct es__in_flight_half one = *h;

		one.other = comm->members[m];
		if (one.other == h->rank)
			continue;
		held = one.other != PATHS_NONE &&
		    es__in_flight_answer(&a->in_flight, &one) ==
			ES__IN_FLIGHT_NO;
		if (held)
			st = arcs_target(a, one.other);
	}
	if (st != PATHS_OK)
		return st;
	*out = held && arcs_count(a) > 0 ? IS_HELD : GOES_ON;
	if (*out == IS_HELD)
		arcs_end(a, ES__WAIT_FOR_ANY);
	else
		arcs_drop(a);
	return PATHS_OK;
}

static paths_status
arcs_half(struct arcs *a, const struct es__in_flight_half *h,
    enum wait_outcome *out)
{
	const struct es_mpi_trace_input *input = &a->in_flight.trace->input;
	enum es__in_flight_known answer;
	paths_status st;

	*out = h->sends || h->receives ? GOES_ON : IS_DONE;
	if (*out == IS_DONE)
		return PATHS_OK;
	if (h->other == PATHS_NONE && h->receives && !h->sends &&
	    h->comm < input->comm_count)
		return arcs_any_source(a, h, out);
	if (h->other >= input->rank_count || h->other == h->rank)
		return PATHS_OK;
	answer = es__in_flight_answer(&a->in_flight, h);
	if (answer == ES__IN_FLIGHT_YES)
		*out = IS_DONE;
	if (answer != ES__IN_FLIGHT_NO || (a->sure_only && !h->sure_waits))
		return PATHS_OK;
	st = arcs_begin(a);
	if (st == PATHS_OK)
		st = arcs_target(a, h->other);
	if (st != PATHS_OK)
		return st;
	arcs_end(a, ES__WAIT_FOR_ALL);
	*out = h->sure_waits ? IS_HELD : MAY_BE_DONE;
	return PATHS_OK;
}

/* Returns whether a collective ends for a rank when all others have reached
   it. */
static bool
collective_is_of_all(const struct arcs *a,
    const struct es__in_flight_collective *c)
{
	const struct es__mpi_kind *kind =
	    es__mpi_kind(a->in_flight.trace, c->function);

	switch (kind->role) {
	case ES_MPI_ROLE_BARRIER:
	case ES_MPI_ROLE_WINDOW:
		return true;
	case ES_MPI_ROLE_N_TO_N:
		return !kind->some;
	case ES_MPI_ROLE_N_TO_ONE:
		return c->root >= 0 && (uint32_t)c->root == c->rank;
	default:
		return false;
	}
}

/* Returns whether a collective ends when its root reaches it, and the root has
   not reached it. */
static bool
collective_lacks_root(const struct arcs *a,
    const struct es__in_flight_collective *c)
{
	return es__mpi_kind(a->in_flight.trace, c->function)->role ==
	    ES_MPI_ROLE_ONE_TO_N &&
	    c->root >= 0 &&
	    (uint32_t)c->root < a->in_flight.trace->input.rank_count &&
	    (uint32_t)c->root != c->rank &&
	    es__in_flight_has_come(&a->in_flight, c, (uint32_t)c->root) ==
	    ES__IN_FLIGHT_NO;
}

/* Adds the members that have not reached a collective as targets; false: for
   some member, this is not known. */
static bool
arcs_absent(struct arcs *a, const struct es__in_flight_collective *c,
    paths_status *st)
{
	const struct es_mpi_trace_comm *comm =
	    &a->in_flight.trace->input.comms[c->comm];

	for (uint32_t i = 0; *st == PATHS_OK && i < comm->count; i++) {
		uint32_t rank = comm->members[i];
		enum es__in_flight_known has = ES__IN_FLIGHT_UNKNOWN;

		if (rank == c->rank)
			continue;
		if (rank != PATHS_NONE)
			has = es__in_flight_has_come(&a->in_flight, c, rank);
		if (has == ES__IN_FLIGHT_UNKNOWN)
			return false;
		if (has == ES__IN_FLIGHT_NO)
			*st = arcs_target(a, rank);
	}
	return true;
}

static paths_status
arcs_collective_of(struct arcs *a, const struct es__in_flight_collective *c,
    enum wait_outcome *out)
{
	bool lacks_root = collective_lacks_root(a, c);
	bool sure = lacks_root || collective_is_of_all(a, c), known = true;
	paths_status st = arcs_begin(a);

	*out = GOES_ON;
	if (st == PATHS_OK && lacks_root)
		st = arcs_target(a, (uint32_t)c->root);
	else if (st == PATHS_OK)
		known = arcs_absent(a, c, &st);
	if (st != PATHS_OK)
		return st;
	if (!known || (a->sure_only && !sure)) {
		arcs_drop(a);
		return PATHS_OK;
	}
	*out = arcs_count(a) == 0 ? IS_DONE : sure ? IS_HELD : MAY_BE_DONE;
	arcs_end(a, sure ? ES__WAIT_FOR_ALL : ES__WAIT_FOR_ANY);
	return PATHS_OK;
}

/* Returns the tuple that made or started a request. */
static const struct es_tuple_mpi *
arcs_tuple(const struct arcs *a, struct es_mpi_at at)
{
	return es_mpi_trace_tuple(&a->in_flight.trace->input, at);
}

static paths_status
arcs_collective_request(struct arcs *a, uint32_t rank,
    const struct es_tuple_mpi *t, enum wait_outcome *out)
{
	const struct es_mpi_trace_rank *r =
	    &a->in_flight.trace->input.ranks[rank];
	uint32_t root = es__mpi_peer(r, t);
	struct es__in_flight_collective c = { .rank = rank,
		.comm = es__mpi_comm(r, t),
		.number = (uint32_t)t->tag,
		.function = t->op,
		.root = root == PATHS_NONE ? -1 : (int32_t)root };

	*out = GOES_ON;
	if (c.comm == PATHS_NONE)
		return PATHS_OK;
	if (es__mpi_kind(a->in_flight.trace, t->op)->persistent) {
		const struct es_mpi_plan *plan = es__mpi_scan_plan(r, t->match);

		if (plan == NULL)
			return PATHS_OK;
		c.plan = plan->number;
	}
	return arcs_collective_of(a, &c, out);
}

/* Adds arcs for a request of a traced rank; at: tuple that made or started
   it. */
static paths_status
arcs_request(struct arcs *a, uint32_t rank, struct es_mpi_at at,
    enum wait_outcome *out)
{
	const struct es_tuple_mpi *t = arcs_tuple(a, at);
	struct es__in_flight_half h =
	    es__in_flight_request(&a->in_flight, rank, at);

	*out = GOES_ON;
	if (es__mpi_kind(a->in_flight.trace, t->op)->collective)
		return arcs_collective_request(a, rank, t, out);
	return h.sends || h.receives ? arcs_half(a, &h, out) : PATHS_OK;
}

/* Number of requests, and of requests with each outcome. */
struct outcomes {
	uint32_t count, on, done, held, may;
};

/* Adds arcs for all open requests of the rank; may: also for requests that may
   have ended. */
static paths_status
arcs_pending(struct arcs *a, bool may, struct outcomes *o)
{
	const struct es__mpi_scan *scan =
	    &a->in_flight.trace->scans[a->node->rank];
	paths_status st = PATHS_OK;

	*o = (struct outcomes){ .count = 0 };
	for (uint32_t i = 0; st == PATHS_OK && i < scan->pending_count; i++) {
		enum wait_outcome out;

		if (!es__in_flight_can_wait(&a->in_flight, scan->pending[i]))
			continue;
		st = arcs_request(a, a->node->rank, scan->pending[i], &out);
		if (st != PATHS_OK)
			return st;
		o->count++;
		o->on += out == GOES_ON;
		o->done += out == IS_DONE;
		o->held += out == IS_HELD;
		o->may += out == MAY_BE_DONE;
		if (out == MAY_BE_DONE && !may)
			arcs_drop(a);
	}
	return st;
}

/* Adds the arcs of a call that ends when any request ends, or that waits for an
   unknown part of the requests.  It waits only if no request can end. */
static paths_status
arcs_any_request(struct arcs *a)
{
	struct outcomes o;
	paths_status st = arcs_pending(a, true, &o);

	a->node->arcs = ES__WAIT_FOR_ANY;
	if (st == PATHS_OK && o.on + o.done > 0)
		arcs_clear(a);
	return st;
}

/* Adds the arcs of a call that waits for all requests.  These are the requests
   that are held.  If none is held and none can end, these are the requests that
   may have ended, any of which may block the call. */
static paths_status
arcs_all_requests(struct arcs *a)
{
	struct outcomes o;
	paths_status st = arcs_pending(a, false, &o);

	a->node->arcs = ES__WAIT_FOR_ALL;
	if (st != PATHS_OK || o.held > 0)
		return st;
	if (o.on > 0)
		return PATHS_OK;
	a->node->arcs = ES__WAIT_FOR_ANY;
	return arcs_pending(a, true, &o);
}

static paths_status
arcs_requests(struct arcs *a, const struct es__inside_thread *t)
{
	bool counted =
	    es__in_flight_kind(&a->in_flight, t)->role == ES_MPI_ROLE_WAIT_MANY;
	uint32_t count = es__in_flight_open(&a->in_flight, t->rank);

	if (count == 0 || !es__in_flight_is_traced(&a->in_flight, t->rank))
		return PATHS_OK;
	/* Some requests of the call are not known, or were not started. */
	if (counted && (t->tag <= 0 || (uint32_t)t->tag > count))
		return PATHS_OK;
	return es__in_flight_waits_all(&a->in_flight, t) ?
	    arcs_all_requests(a) :
	    arcs_any_request(a);
}

/* Adds arcs for the one request that a thread waits for. */
static paths_status
arcs_one_request(struct arcs *a, const struct es__inside_thread *t)
{
	const struct es__mpi_scan *scan = &a->in_flight.trace->scans[t->rank];
	struct es__in_flight_half h;
	enum wait_outcome out;

	if (!es__in_flight_is_traced(&a->in_flight, t->rank)) {
		/* The row of the thread does not tell the direction of the
		   request. */
		h = es__in_flight_receive(&a->in_flight, t);
		h.sends = h.receives;
		h.sure_waits = false;
		return arcs_half(a, &h, &out);
	}
	for (uint32_t i = 0; i < scan->pending_count; i++)
		if (arcs_tuple(a, scan->pending[i])->match == t->match)
			return arcs_request(a, t->rank, scan->pending[i], &out);
	return PATHS_OK;
}

/* Adds arcs for a Sendrecv: for its receive, or, if that has ended, for its
   send. */
static paths_status
arcs_sendrecv(struct arcs *a, const struct es__inside_thread *t)
{
	struct es__in_flight_half h = es__in_flight_receive(&a->in_flight, t);
	enum wait_outcome out;
	paths_status st = arcs_half(a, &h, &out);

	if (st != PATHS_OK || out != IS_DONE)
		return st;
	h = es__in_flight_send(&a->in_flight, t);
	return arcs_half(a, &h, &out);
}

/* Returns whether a rank has reached the call of a thread that is in Finalize.
   After the end of a run, a rank without a row may have. */
static bool
rank_finalizes(const struct arcs *a, const struct es__inside_thread *t,
    uint32_t rank)
{
	const struct es__in_flight *f = &a->in_flight;
	uint32_t first = f->thread_first[rank];
	uint32_t end = f->thread_first[rank + 1];

	if (es__in_flight_state(f, rank) == ES__SPACE_CLOSED ||
	    (f->certain && (a->graph->ended[rank] || first == end)))
		return true;
	for (uint32_t i = first; i < end; i++)
		if (f->inside->threads[i].function == t->function)
			return true;
	return false;
}

/* Adds an arc for Finalize: to ranks of the world that have not reached it. */
static paths_status
arcs_world(struct arcs *a, const struct es__inside_thread *t)
{
	const struct es__in_flight *f = &a->in_flight;
	const struct es_mpi_trace_rank *r = &f->trace->input.ranks[t->rank];
	const struct es_mpi_trace_comm *world;
	paths_status st;

	if (a->sure_only || r->comms[ES_MPI_COMM_WORLD] == PATHS_NONE)
		return PATHS_OK;
	world = &f->trace->input.comms[r->comms[ES_MPI_COMM_WORLD]];
	st = arcs_begin(a);
	for (uint32_t m = 0; st == PATHS_OK && m < world->count; m++) {
		uint32_t rank = world->members[m];

		if (rank != PATHS_NONE && rank != t->rank &&
		    !rank_finalizes(a, t, rank))
			st = arcs_target(a, rank);
	}
	if (st == PATHS_OK)
		arcs_end(a, ES__WAIT_FOR_ALL);
	return st;
}

static paths_status
arcs_collective(struct arcs *a, const struct es__inside_thread *t)
{
	const struct es__mpi_kind *kind = es__in_flight_kind(&a->in_flight, t);
	struct es__in_flight_collective c = { .rank = t->rank,
		.comm = t->comm,
		.number = t->match,
		.function = t->function,
		.root = t->peer };
	enum wait_outcome out;

	/* A call that makes a request does not wait. */
	if (!kind->collective || kind->nonblocking || kind->persistent ||
	    t->comm >= a->in_flight.trace->input.comm_count)
		return PATHS_OK;
	return arcs_collective_of(a, &c, &out);
}

/* Adds an arc for a fence or MPI_Win_free: to members that have not reached
   it. */
static paths_status
arcs_window_meet(struct arcs *a, const struct es__inside_thread *t)
{
	struct es__in_flight_collective c = { .rank = t->rank,
		.comm = t->comm,
		.kind = ES_MPI_TRACE_WINDOW,
		.plan = (uint32_t)t->tag,
		.number = t->match,
		.function = t->function,
		.root = -1 };
	enum wait_outcome out;

	return t->match == 0 ? PATHS_OK : arcs_collective_of(a, &c, &out);
}

/* Adds an arc for a call on a window: to all ranks that it waits for. */
static paths_status
arcs_window(struct arcs *a, const struct es__inside_thread *t)
{
	struct es__wait_for_ranks ranks = { .count = 0 };
	paths_status st;

	if (t->comm >= a->in_flight.trace->input.comm_count)
		return PATHS_OK;
	if (es__in_flight_kind(&a->in_flight, t)->rma == ES__MPI_RMA_MEET)
		return arcs_window_meet(a, t);
	st = es__wait_for_window(&a->in_flight, t, &ranks);
	if (st == PATHS_OK)
		st = arcs_begin(a);
	for (size_t n = 0; st == PATHS_OK && n < ranks.count; n++)
		st = arcs_target(a, ranks.list[n]);
	if (st == PATHS_OK)
		arcs_end(a, ES__WAIT_FOR_ALL);
	free(ranks.list);
	return st;
}

static paths_status
arcs_call(struct arcs *a, const struct es__inside_thread *t)
{
	struct es__in_flight_half h;
	enum wait_outcome out;

	switch (es__in_flight_kind(&a->in_flight, t)->role) {
	case ES_MPI_ROLE_SEND:
		h = es__in_flight_send(&a->in_flight, t);
		return arcs_half(a, &h, &out);
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_PROBE:
		h = es__in_flight_receive(&a->in_flight, t);
		return arcs_half(a, &h, &out);
	case ES_MPI_ROLE_SENDRECV:
		return arcs_sendrecv(a, t);
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
		return t->match != 0 ? arcs_one_request(a, t) :
				       arcs_requests(a, t);
	case ES_MPI_ROLE_FINALIZE:
		return arcs_world(a, t);
	case ES_MPI_ROLE_WINDOW:
		return arcs_window(a, t);
	default:
		return arcs_collective(a, t);
	}
}

static paths_status
arcs_thread(struct arcs *a, const struct es__inside_thread *t,
    struct es__wait_for_node *thread)
{
	paths_status st = PATHS_OK;

	*thread = (struct es__wait_for_node){ .rank = t->rank,
		.arcs = ES__WAIT_FOR_ALL,
		.first = a->arc_count };
	a->node = thread;
	a->sure_only = a->in_flight.certain &&
	    es__inside_ns(a->in_flight.a, a->in_flight.inside, t->rank,
		t->since) < LASTING_NS;
	if (t->function != 0)
		st = arcs_call(a, t);
	if (thread->count == 0)
		thread->arcs = ES__WAIT_FOR_NOTHING;
	return st;
}

/* Returns whether a rank has ended.  When no process is live, only MPI_Finalize
   counts, because the rank may have been killed with the others. */
static bool
rank_has_ended(const struct es__in_flight *f, uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(es_run_mpi(f->a->run), rank);
	enum es__space_state state = es__in_flight_state(f, rank);

	if (f->certain)
		return r->control != NULL &&
		    atomic_load_explicit(&r->control->state,
			memory_order_relaxed) == ES_MPI_FINALIZED;
	return state == ES__SPACE_CLOSED || state == ES__SPACE_KILLED;
}

static paths_status
arcs_prepare(struct arcs *a)
{
	struct es__in_flight *f = &a->in_flight;
	uint32_t ranks = f->trace->input.rank_count;
	struct es__wait_for_graph *g = a->graph;

	g->rank_count = ranks;
	g->nodes = calloc(f->inside->count + (size_t)1, sizeof(*g->nodes));
	g->ended = calloc(ranks + (size_t)1, sizeof(*g->ended));
	g->unreachable = calloc(ranks + (size_t)1, sizeof(*g->unreachable));
	g->next = calloc(ranks + (size_t)1, sizeof(*g->next));
	f->thread_first = calloc(ranks + (size_t)2, sizeof(uint32_t));
	if (g->nodes == NULL || g->ended == NULL || g->unreachable == NULL ||
	    g->next == NULL || f->thread_first == NULL)
		return arcs_no_memory();
	for (uint32_t t = 0; t < f->inside->count; t++)
		f->thread_first[f->inside->threads[t].rank + 1]++;
	for (uint32_t r = 0; r < ranks; r++) {
		f->thread_first[r + 1] += f->thread_first[r];
		g->ended[r] = rank_has_ended(f, r);
	}
	return PATHS_OK;
}

static bool
any_inside(const struct es__inside *inside)
{
	for (uint32_t t = 0; t < inside->count; t++)
		if (inside->threads[t].function != 0)
			return true;
	return false;
}

paths_status
es__wait_for_arcs(struct es_analysis *a, const struct es__inside *inside,
    bool certain, struct es__wait_for_graph *graph)
{
	struct arcs arcs = {
		.in_flight = { .a = a, .inside = inside, .certain = certain },
		.graph = graph
	};
	struct es__traced *traced;
	paths_status st;

	*graph = (struct es__wait_for_graph){ .node_count = 0 };
	if (!any_inside(inside))
		return PATHS_OK;
	st = es__traced_whole(a, &traced);
	if (st != PATHS_OK || traced == NULL)
		return st;
	arcs.in_flight.trace = traced->trace;
	st = arcs_prepare(&arcs);
	for (uint32_t t = 0; st == PATHS_OK && t < inside->count; t++)
		if (!inside->threads[t].exited)
			st = arcs_thread(&arcs, &inside->threads[t],
			    &graph->nodes[graph->node_count++]);
	free(arcs.in_flight.thread_first);
	return st;
}

void
es__wait_for_arcs_fini(struct es__wait_for_graph *graph)
{
	free(graph->nodes);
	free(graph->arcs);
	free(graph->targets);
	free(graph->ended);
	free(graph->unreachable);
	free(graph->next);
}
