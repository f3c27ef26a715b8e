/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_arcs.c - what threads that are inside MPI wait for
 *
 * A call that waits for several requests may be stuck as soon as one of them
 * is, if it waits for all.  But what MPI may have finished without the other
 * side, as a send that it keeps a copy of, holds up nobody for certain unless
 * nothing else is waited for.
 */

#include "scopes/mpi/in_flight_private.h"
#include "scopes/mpi/inside_private.h"
#include "scopes/mpi/traced_private.h"

#include "libpaths/log.h"

#include <string.h>

struct needs {
	struct es__scene scene;
	struct es__knot *knot;
	struct es__knot_thread *thread; /* whose needs are added */
	size_t need_count, need_room, target_count, target_room;
};

/* What became of one thing that a thread waits for. */
enum outcome {
	GOES_ON, /* or it may */
	IS_DONE,
	IS_HELD,    /* a need was added: it cannot end before that is met */
	MAY_BE_DONE /* likewise, or it has ended already */
};

static paths_status
needs_room(void *array, size_t count, size_t *room, size_t bytes)
{
	void **at = array;
	void *larger;

	if (count < *room)
		return PATHS_OK;
	larger = reallocarray(*at, *room * 2 + 64, bytes);
	if (larger == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	*at = larger;
	*room = *room * 2 + 64;
	return PATHS_OK;
}

/* A need of the thread, of nobody yet. */
static paths_status
needs_begin(struct needs *n)
{
	paths_status st = needs_room(&n->knot->needs, n->need_count,
	    &n->need_room, sizeof(*n->knot->needs));

	if (st != PATHS_OK)
		return st;
	n->knot->needs[n->need_count++] =
	    (struct es__knot_need){ .first = n->target_count };
	n->thread->count++;
	return PATHS_OK;
}

static paths_status
needs_target(struct needs *n, uint32_t rank)
{
	paths_status st = needs_room(&n->knot->targets, n->target_count,
	    &n->target_room, sizeof(*n->knot->targets));

	if (st != PATHS_OK)
		return st;
	n->knot->targets[n->target_count++] = rank;
	n->knot->needs[n->need_count - 1].count++;
	return PATHS_OK;
}

/* Take the last need back. */
static void
needs_drop(struct needs *n)
{
	n->need_count--;
	n->target_count = n->knot->needs[n->need_count].first;
	n->thread->count--;
}

static void
needs_clear(struct needs *n)
{
	while (n->thread->count > 0)
		needs_drop(n);
}

/* How many targets the last need has. */
static uint32_t
needs_count(const struct needs *n)
{
	return n->knot->needs[n->need_count - 1].count;
}

/* The last need is complete; without targets there is none. */
static void
needs_end(struct needs *n, enum es__knot_needs targets)
{
	n->knot->needs[n->need_count - 1].targets = targets;
	if (needs_count(n) == 0)
		needs_drop(n);
}

/* Any member may send what a receive of any source takes. */
static paths_status
needs_any_source(struct needs *n, const struct es__wish *w, enum outcome *out)
{
	const struct es_mpi_trace_comm *comm =
	    &n->scene.trace->input.comms[w->comm];
	paths_status st = needs_begin(n);
	bool held = comm->count > 0;

	for (uint32_t m = 0; st == PATHS_OK && held && m < comm->count; m++) {
		struct es__wish one = *w;

		one.other = comm->members[m];
		if (one.other == w->rank)
			continue;
		held = one.other != PATHS_NONE &&
		    es__wish_answer(&n->scene, &one) == ES__NO;
		if (held)
			st = needs_target(n, one.other);
	}
	if (st != PATHS_OK)
		return st;
	*out = held && needs_count(n) > 0 ? IS_HELD : GOES_ON;
	if (*out == IS_HELD)
		needs_end(n, ES__KNOT_ANY);
	else
		needs_drop(n);
	return PATHS_OK;
}

static paths_status
needs_wish(struct needs *n, const struct es__wish *w, enum outcome *out)
{
	const struct es_mpi_trace_input *input = &n->scene.trace->input;
	enum es__answer answer;
	paths_status st;

	*out = w->sends || w->receives ? GOES_ON : IS_DONE;
	if (*out == IS_DONE)
		return PATHS_OK;
	if (w->other == PATHS_NONE && w->receives && !w->sends &&
	    w->comm < input->comm_count)
		return needs_any_source(n, w, out);
	if (w->other >= input->rank_count || w->other == w->rank)
		return PATHS_OK;
	answer = es__wish_answer(&n->scene, w);
	if (answer == ES__YES)
		*out = IS_DONE;
	if (answer != ES__NO || (n->scene.certain && !w->sure_waits))
		return PATHS_OK;
	st = needs_begin(n);
	if (st == PATHS_OK)
		st = needs_target(n, w->other);
	if (st != PATHS_OK)
		return st;
	needs_end(n, ES__KNOT_ALL);
	*out = w->sure_waits ? IS_HELD : MAY_BE_DONE;
	return PATHS_OK;
}

/* Whether a collective cannot end for a rank before all others have come. */
static bool
meeting_is_of_all(const struct needs *n, const struct es__meeting *m)
{
	const struct es__mpi_kind *kind =
	    es__mpi_kind(n->scene.trace, m->function);

	switch (kind->role) {
	case ES_MPI_ROLE_BARRIER:
		return true;
	case ES_MPI_ROLE_N_TO_N:
		return !kind->some;
	case ES_MPI_ROLE_N_TO_ONE:
		return m->root >= 0 && (uint32_t)m->root == m->rank;
	default:
		return false;
	}
}

/* Whether it cannot end before the root has come, which has not. */
static bool
meeting_lacks_root(const struct needs *n, const struct es__meeting *m)
{
	return es__mpi_kind(n->scene.trace, m->function)->role ==
	    ES_MPI_ROLE_ONE_TO_N &&
	    m->root >= 0 &&
	    (uint32_t)m->root < n->scene.trace->input.rank_count &&
	    (uint32_t)m->root != m->rank &&
	    es__meeting_has(&n->scene, m, (uint32_t)m->root) == ES__NO;
}

/* Those who have not come to a collective are targets; false: of some it is
   not known. */
static bool
needs_absent(struct needs *n, const struct es__meeting *m, paths_status *st)
{
	const struct es_mpi_trace_comm *comm =
	    &n->scene.trace->input.comms[m->comm];

	for (uint32_t i = 0; *st == PATHS_OK && i < comm->count; i++) {
		uint32_t rank = comm->members[i];
		enum es__answer has = ES__UNKNOWN;

		if (rank == m->rank)
			continue;
		if (rank != PATHS_NONE)
			has = es__meeting_has(&n->scene, m, rank);
		if (has == ES__UNKNOWN)
			return false;
		if (has == ES__NO)
			*st = needs_target(n, rank);
	}
	return true;
}

static paths_status
needs_meeting(struct needs *n, const struct es__meeting *m, enum outcome *out)
{
	bool lacks_root = meeting_lacks_root(n, m);
	bool sure = lacks_root || meeting_is_of_all(n, m), known = true;
	paths_status st = needs_begin(n);

	*out = GOES_ON;
	if (st == PATHS_OK && lacks_root)
		st = needs_target(n, (uint32_t)m->root);
	else if (st == PATHS_OK)
		known = needs_absent(n, m, &st);
	if (st != PATHS_OK)
		return st;
	if (!known || (n->scene.certain && !sure)) {
		needs_drop(n);
		return PATHS_OK;
	}
	*out = needs_count(n) == 0 ? IS_DONE : sure ? IS_HELD : MAY_BE_DONE;
	needs_end(n, sure ? ES__KNOT_ALL : ES__KNOT_ANY);
	return PATHS_OK;
}

/* A tuple that made or started a request. */
static const struct es_tuple_mpi *
needs_tuple(const struct needs *n, struct es_mpi_at at)
{
	return es_mpi_trace_tuple(&n->scene.trace->input, at);
}

/* What the tuple of a rank says, with numbers of the run. */
static uint32_t
tuple_comm(const struct es_mpi_trace_rank *r, const struct es_tuple_mpi *t)
{
	return t->comm < r->comm_count ? r->comms[t->comm] : PATHS_NONE;
}

static uint32_t
tuple_peer(const struct es_mpi_trace_rank *r, const struct es_tuple_mpi *t)
{
	return t->peer >= 0 && (uint32_t)t->peer < r->peer_count ?
	    r->peers[t->peer] :
	    PATHS_NONE;
}

static paths_status
needs_begun(struct needs *n, uint32_t rank, const struct es_tuple_mpi *t,
    enum outcome *out)
{
	const struct es_mpi_trace_rank *r = &n->scene.trace->input.ranks[rank];
	uint32_t root = tuple_peer(r, t);
	struct es__meeting m = { .rank = rank,
		.comm = tuple_comm(r, t),
		.number = (uint32_t)t->tag,
		.function = t->op,
		.root = root == PATHS_NONE ? -1 : (int32_t)root };

	*out = GOES_ON;
	if (m.comm == PATHS_NONE)
		return PATHS_OK;
	if (es__mpi_kind(n->scene.trace, t->op)->persistent) {
		const struct es_mpi_plan *plan = es__mpi_plan_find(r, t->match);

		if (plan == NULL)
			return PATHS_OK;
		m.plan = plan->number;
	}
	return needs_meeting(n, &m, out);
}

/* A request of a rank that is traced, by the tuple that made or started it. */
static paths_status
needs_request(struct needs *n, uint32_t rank, struct es_mpi_at at,
    enum outcome *out)
{
	const struct es_tuple_mpi *t = needs_tuple(n, at);
	const struct es__mpi_kind *kind = es__mpi_kind(n->scene.trace, t->op);
	const struct es_mpi_trace_rank *r = &n->scene.trace->input.ranks[rank];
	struct es__wish w = { .rank = rank,
		.other = tuple_peer(r, t),
		.comm = tuple_comm(r, t),
		.tag = t->tag,
		.post = at };

	*out = GOES_ON;
	if (kind->collective)
		return needs_begun(n, rank, t, out);
	if (kind->partitioned || t->peer == ES_MPI_PEER_PROC_NULL)
		return PATHS_OK;
	switch (kind->role) {
	case ES_MPI_ROLE_ISEND:
	case ES_MPI_ROLE_SEND_INIT:
		w.sends = true;
		w.sure_waits = strncmp(es_mpi_function(t->op)->name,
				   "MPI_Issend", 10) == 0 ||
		    strncmp(es_mpi_function(t->op)->name, "MPI_Ssend", 9) == 0;
		break;
	case ES_MPI_ROLE_IRECV:
	case ES_MPI_ROLE_RECV_INIT:
		w.receives = w.sure_waits = true;
		break;
	default:
		return PATHS_OK;
	}
	return needs_wish(n, &w, out);
}

/* The messages that a probe matched wait for nobody. */
static bool
pending_waits(const struct needs *n, struct es_mpi_at at)
{
	uint8_t role =
	    es__mpi_kind(n->scene.trace, needs_tuple(n, at)->op)->role;

	return role != ES_MPI_ROLE_PROBE && role != ES_MPI_ROLE_IPROBE;
}

/* How many requests came out how. */
struct outcomes {
	uint32_t count, on, done, held, may;
};

/* Every request of a rank that is not complete must be one that the thread may
   be waiting for. */
static paths_status
needs_pending(struct needs *n, bool may, struct outcomes *o)
{
	const struct es__mpi_scan *scan =
	    &n->scene.trace->scans[n->thread->rank];
	paths_status st = PATHS_OK;

	*o = (struct outcomes){ .count = 0 };
	for (uint32_t i = 0; st == PATHS_OK && i < scan->pending_count; i++) {
		enum outcome out;

		if (!pending_waits(n, scan->pending[i]))
			continue;
		st = needs_request(n, n->thread->rank, scan->pending[i], &out);
		if (st != PATHS_OK)
			return st;
		o->count++;
		o->on += out == GOES_ON;
		o->done += out == IS_DONE;
		o->held += out == IS_HELD;
		o->may += out == MAY_BE_DONE;
		if (out == MAY_BE_DONE && !may)
			needs_drop(n);
	}
	return st;
}

/* A call that ends with any of the requests, or waits for some that are not
   known of them all: it is stuck if all are. */
static paths_status
needs_any_request(struct needs *n)
{
	struct outcomes o;
	paths_status st = needs_pending(n, true, &o);

	n->thread->needs = ES__KNOT_ANY;
	if (st == PATHS_OK && o.on + o.done > 0)
		needs_clear(n);
	return st;
}

/* A call that waits for all of them: for one that is held, or when nothing may
   go on, for one of those that may have ended. */
static paths_status
needs_all_requests(struct needs *n)
{
	struct outcomes o;
	paths_status st = needs_pending(n, false, &o);

	n->thread->needs = ES__KNOT_ALL;
	if (st != PATHS_OK || o.held > 0)
		return st;
	if (o.on > 0)
		return PATHS_OK;
	n->thread->needs = ES__KNOT_ANY;
	return needs_pending(n, true, &o);
}

/* How many requests a thread can be waiting for. */
static uint32_t
needs_pending_count(const struct needs *n)
{
	const struct es__mpi_scan *scan =
	    &n->scene.trace->scans[n->thread->rank];
	uint32_t count = 0;

	for (uint32_t i = 0; i < scan->pending_count; i++)
		count += pending_waits(n, scan->pending[i]);
	return count;
}

static paths_status
needs_requests(struct needs *n, const struct es__mpi_inside *t)
{
	bool all =
	    strcmp(es_mpi_function(t->function)->name, "MPI_Waitall") == 0;
	bool counted =
	    es__inside_kind(&n->scene, t)->role == ES_MPI_ROLE_WAIT_MANY;
	uint32_t count = needs_pending_count(n);

	if (count == 0 || !es__rank_is_traced(&n->scene, t->rank))
		return PATHS_OK;
	/* It waits for what nobody knows, or for what was not started. */
	if (counted && (t->tag <= 0 || (uint32_t)t->tag > count))
		return PATHS_OK;
	return all && (uint32_t)t->tag == count ? needs_all_requests(n) :
						  needs_any_request(n);
}

/* The one request that a thread waits for. */
static paths_status
needs_one_request(struct needs *n, const struct es__mpi_inside *t)
{
	const struct es__mpi_scan *scan = &n->scene.trace->scans[t->rank];
	struct es__wish w;
	enum outcome out;

	if (!es__rank_is_traced(&n->scene, t->rank)) {
		/* Its words do not tell the direction. */
		w = es__wish_to_receive(&n->scene, t);
		w.sends = w.receives;
		w.sure_waits = false;
		return needs_wish(n, &w, &out);
	}
	for (uint32_t i = 0; i < scan->pending_count; i++)
		if (needs_tuple(n, scan->pending[i])->match == t->match)
			return needs_request(n, t->rank, scan->pending[i],
			    &out);
	return PATHS_OK;
}

/* It cannot end before it has received; then it may still be sending. */
static paths_status
needs_sendrecv(struct needs *n, const struct es__mpi_inside *t)
{
	struct es__wish w = es__wish_to_receive(&n->scene, t);
	enum outcome out;
	paths_status st = needs_wish(n, &w, &out);

	if (st != PATHS_OK || out != IS_DONE)
		return st;
	w = es__wish_to_send(&n->scene, t);
	return needs_wish(n, &w, &out);
}

/* Finalize ends when all of the world are in it. */
static paths_status
needs_world(struct needs *n, const struct es__mpi_inside *t)
{
	const struct es__scene *s = &n->scene;
	const struct es_mpi_trace_rank *r = &s->trace->input.ranks[t->rank];
	const struct es_mpi_trace_comm *world;
	paths_status st;

	if (s->certain || r->comms[ES_MPI_COMM_WORLD] == PATHS_NONE)
		return PATHS_OK;
	world = &s->trace->input.comms[r->comms[ES_MPI_COMM_WORLD]];
	st = needs_begin(n);
	for (uint32_t m = 0; st == PATHS_OK && m < world->count; m++) {
		uint32_t rank = world->members[m];
		bool there = rank == PATHS_NONE || rank == t->rank ||
		    es__rank_state(s, rank) == ES__SPACE_CLOSED;

		for (uint32_t i = there ? 0 : s->thread_first[rank];
		     !there && i < s->thread_first[rank + 1]; i++)
			there = s->look->threads[i].function == t->function;
		if (!there)
			st = needs_target(n, rank);
	}
	if (st == PATHS_OK)
		needs_end(n, ES__KNOT_ALL);
	return st;
}

static paths_status
needs_collective(struct needs *n, const struct es__mpi_inside *t)
{
	const struct es__mpi_kind *kind = es__inside_kind(&n->scene, t);
	struct es__meeting m = { .rank = t->rank,
		.comm = t->comm,
		.number = t->match,
		.function = t->function,
		.root = t->peer };
	enum outcome out;

	/* What makes a request ends soon. */
	if (!kind->collective || kind->nonblocking || kind->persistent ||
	    t->comm >= n->scene.trace->input.comm_count)
		return PATHS_OK;
	return needs_meeting(n, &m, &out);
}

static paths_status
needs_call(struct needs *n, const struct es__mpi_inside *t)
{
	struct es__wish w;
	enum outcome out;

	switch (es__inside_kind(&n->scene, t)->role) {
	case ES_MPI_ROLE_SEND:
		w = es__wish_to_send(&n->scene, t);
		return needs_wish(n, &w, &out);
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_PROBE:
		w = es__wish_to_receive(&n->scene, t);
		return needs_wish(n, &w, &out);
	case ES_MPI_ROLE_SENDRECV:
		return needs_sendrecv(n, t);
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
		return t->match != 0 ? needs_one_request(n, t) :
				       needs_requests(n, t);
	case ES_MPI_ROLE_FINALIZE:
		return needs_world(n, t);
	default:
		return needs_collective(n, t);
	}
}

static paths_status
needs_thread(struct needs *n, const struct es__mpi_inside *t,
    struct es__knot_thread *thread)
{
	paths_status st = PATHS_OK;

	*thread = (struct es__knot_thread){ .rank = t->rank,
		.needs = ES__KNOT_ALL,
		.first = n->need_count };
	n->thread = thread;
	if (t->function != 0)
		st = needs_call(n, t);
	if (thread->count == 0)
		thread->needs = ES__KNOT_NOTHING;
	return st;
}

/* A process that ended while others go on, or before they were killed. */
static bool
rank_is_gone(const struct es__scene *s, uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(es_run_mpi(s->a->run), rank);
	enum es__space_state state = es__rank_state(s, rank);

	if (s->certain)
		return r->control != NULL &&
		    atomic_load_explicit(&r->control->state,
			memory_order_relaxed) == ES_MPI_FINALIZED;
	return state == ES__SPACE_CLOSED || state == ES__SPACE_KILLED;
}

static paths_status
needs_prepare(struct needs *n)
{
	struct es__scene *s = &n->scene;
	uint32_t ranks = s->trace->input.rank_count;
	struct es__knot *k = n->knot;

	k->rank_count = ranks;
	k->threads = calloc(s->look->count + (size_t)1, sizeof(*k->threads));
	k->gone = calloc(ranks + (size_t)1, sizeof(*k->gone));
	k->stuck = calloc(ranks + (size_t)1, sizeof(*k->stuck));
	k->next = calloc(ranks + (size_t)1, sizeof(*k->next));
	s->thread_first = calloc(ranks + (size_t)2, sizeof(uint32_t));
	if (k->threads == NULL || k->gone == NULL || k->stuck == NULL ||
	    k->next == NULL || s->thread_first == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (uint32_t t = 0; t < s->look->count; t++)
		s->thread_first[s->look->threads[t].rank + 1]++;
	for (uint32_t r = 0; r < ranks; r++) {
		s->thread_first[r + 1] += s->thread_first[r];
		k->gone[r] = rank_is_gone(s, r);
	}
	return PATHS_OK;
}

paths_status
es__mpi_needs(struct es_analysis *a, const struct es__mpi_look *look,
    bool certain, struct es__knot *knot)
{
	struct needs n = {
		.scene = { .a = a, .look = look, .certain = certain },
		.knot = knot
	};
	struct es__traced *traced;
	paths_status st = es__traced_get(a, &traced);

	*knot = (struct es__knot){ .thread_count = 0 };
	if (st != PATHS_OK || traced == NULL)
		return st;
	n.scene.trace = traced->trace;
	st = needs_prepare(&n);
	for (uint32_t t = 0; st == PATHS_OK && t < look->count; t++)
		if (!look->threads[t].exited)
			st = needs_thread(&n, &look->threads[t],
			    &knot->threads[knot->thread_count++]);
	free(n.scene.thread_first);
	return st;
}

void
es__mpi_needs_fini(struct es__knot *knot)
{
	free(knot->threads);
	free(knot->needs);
	free(knot->targets);
	free(knot->gone);
	free(knot->stuck);
	free(knot->next);
}
