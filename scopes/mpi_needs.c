/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi_needs.c - what threads that are inside MPI wait for
 */

#include "scopes/mpi_inside_private.h"
#include "scopes/mpi_trace_private.h"

#include "libpaths/log.h"

#include <string.h>

/* Whether a message is under way to whoever waits for it. */
enum answer { NO, YES, UNKNOWN };

struct needs {
	const struct es_analysis *a;
	const struct es_mpi_trace *trace;
	const struct es__mpi_look *look;
	uint32_t *thread_first; /* of each rank, in the look; one more */
	bool certain;
	struct es__knot *knot;
	size_t target_count, target_room;
};

/* What a thread asks for: a message from or to a peer. */
struct wish {
	uint32_t rank;	      /* whose it is */
	uint32_t other;	      /* NONE: of any source */
	uint32_t comm;	      /* NONE: not known */
	int32_t tag;	      /* negative: any */
	bool sends, receives; /* both: not known which */
	bool vague;	      /* it receives, its words do not tell from whom */
	bool sure_waits; /* it does not end before the other side is there */
	struct es_mpi_at post; /* where it was posted; NONE: not known */
};

static const struct es__mpi_kind *
thread_kind(const struct needs *n, const struct es__mpi_inside *t)
{
	return es__mpi_kind(n->trace, t->function);
}

static paths_status
needs_target(struct needs *n, struct es__knot_thread *t, uint32_t rank)
{
	if (rank == PATHS_NONE)
		return PATHS_OK;
	if (n->target_count == n->target_room) {
		size_t room = n->target_room * 2 + 64;
		void *larger =
		    reallocarray(n->knot->targets, room, sizeof(uint32_t));

		if (larger == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for waits");
		n->knot->targets = larger;
		n->target_room = room;
	}
	n->knot->targets[n->target_count++] = rank;
	t->count++;
	return PATHS_OK;
}

/* Whether the trace has all calls of a rank, the ones it is in too. */
static bool
rank_is_traced(const struct needs *n, uint32_t rank)
{
	if (!n->trace->scans[rank].whole)
		return false;
	for (uint32_t t = n->thread_first[rank]; t < n->thread_first[rank + 1];
	     t++) {
		const struct es__mpi_inside *i = &n->look->threads[t];

		if (i->function != 0 && es__mpi_at_none(i->at))
			return false;
	}
	return true;
}

static bool
at_equal(struct es_mpi_at a, struct es_mpi_at b)
{
	return a.ring == b.ring && a.n == b.n;
}

static uint64_t
sends_between(const struct needs *n, uint32_t source, uint32_t target)
{
	const struct es__mpi_halves *sends = &n->trace->scans[source].sends;
	uint64_t count = 0;

	for (size_t s = 0; s < sends->count; s++)
		count += sends->list[s].other == target;
	return count;
}

/* The message that a wish is one half of; matched: out, of those between the
   two ranks. */
static const struct es_mpi_message *
wish_message(const struct needs *n, const struct wish *w, uint64_t *matched)
{
	uint32_t source = w->receives ? w->other : w->rank;
	uint32_t target = w->receives ? w->rank : w->other;
	const struct es_mpi_message *m, *found = NULL;
	uint32_t first, count;

	*matched = 0;
	m = es_mpi_trace_messages(n->trace, target, &first, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (m[i].source != source || es__mpi_at_none(m[i].send))
			continue;
		++*matched;
		if (at_equal(w->receives ? m[i].recv : m[i].send, w->post))
			found = &m[i];
	}
	return found;
}

/* Whether the trace knows that the other side has done its part. */
static enum answer
wish_by_trace(const struct needs *n, const struct wish *w)
{
	uint32_t source = w->receives ? w->other : w->rank;
	uint32_t target = w->receives ? w->rank : w->other;
	uint64_t matched;

	if (es__mpi_at_none(w->post) || (w->sends && w->receives) ||
	    !rank_is_traced(n, w->rank) || !rank_is_traced(n, w->other))
		return UNKNOWN;
	if (wish_message(n, w, &matched) != NULL)
		return YES;
	if (n->trace->scans[target].open.count == 0)
		return NO;
	/* One of any source may take it, or have taken another. */
	return sends_between(n, source, target) == matched ? NO : UNKNOWN;
}

/* What a thread does just now, as far as its words tell. */
static struct wish
thread_wish(const struct needs *n, const struct es__mpi_inside *t)
{
	struct wish w = { .rank = t->rank,
		.other = t->peer >= 0 ? (uint32_t)t->peer : PATHS_NONE,
		.comm = t->comm,
		.tag = t->tag,
		.post = t->at };

	switch (thread_kind(n, t)->role) {
	case ES_MPI_ROLE_SEND:
		w.sends = true;
		w.sure_waits = strcmp(es_mpi_function(t->function)->name,
				   "MPI_Ssend") == 0;
		break;
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_PROBE:
		w.receives = t->match == 0;
		w.sure_waits = true;
		break;
	case ES_MPI_ROLE_SENDRECV:
	case ES_MPI_ROLE_WAIT:
		w.sends = w.receives = true;
		w.vague = thread_kind(n, t)->role == ES_MPI_ROLE_SENDRECV;
		w.post = ES__MPI_NOWHERE;
		break;
	default:
		break;
	}
	return w;
}

/* Whether two threads do what the other one waits for. */
static bool
wishes_meet(const struct wish *a, const struct wish *b)
{
	if (b->rank != a->other && a->other != PATHS_NONE)
		return false;
	if (b->other != a->rank && b->other != PATHS_NONE && !b->vague)
		return false;
	if (!((a->sends && b->receives) || (a->receives && b->sends)))
		return false;
	if (a->comm != b->comm && a->comm != PATHS_NONE &&
	    b->comm != PATHS_NONE)
		return false;
	return a->tag == b->tag || a->tag < 0 || b->tag < 0 || b->vague;
}

/* Whether another rank is in a call that meets the wish, or has requests that
   might. */
static bool
rank_may_meet(const struct needs *n, const struct wish *w, uint32_t rank)
{
	for (uint32_t t = n->thread_first[rank]; t < n->thread_first[rank + 1];
	     t++) {
		const struct es__mpi_inside *i = &n->look->threads[t];
		struct wish other = thread_wish(n, i);
		uint64_t own = i->function != 0 && i->match != 0 &&
			thread_kind(n, i)->role == ES_MPI_ROLE_WAIT &&
			!wishes_meet(w, &other) ?
		    1 :
		    0;

		if (i->requests > own ||
		    (i->function != 0 && wishes_meet(w, &other)))
			return true;
	}
	return false;
}

static bool
wish_waits_for(const struct needs *n, const struct wish *w, uint32_t other)
{
	struct wish one = *w;

	one.other = other;
	switch (wish_by_trace(n, &one)) {
	case YES:
		return false;
	case NO:
		return w->sure_waits || !n->certain;
	default:
		return !n->certain && !rank_may_meet(n, &one, other);
	}
}

/* Any member may send what a receive of any source takes. */
static paths_status
needs_any_source(struct needs *n, struct es__knot_thread *t,
    const struct wish *w)
{
	const struct es_mpi_trace_input *in = &n->trace->input;
	const struct es_mpi_trace_comm *comm = &in->comms[w->comm];
	paths_status st = PATHS_OK;

	for (uint32_t m = 0; st == PATHS_OK && m < comm->count; m++) {
		uint32_t rank = comm->members[m];

		if (rank == w->rank)
			continue;
		if (rank == PATHS_NONE || !wish_waits_for(n, w, rank))
			return PATHS_OK;
		st = needs_target(n, t, rank);
	}
	t->needs = ES__KNOT_ANY;
	return st;
}

static paths_status
needs_wish(struct needs *n, struct es__knot_thread *t, const struct wish *w)
{
	uint32_t ranks = n->trace->input.rank_count;

	if (!w->sends && !w->receives)
		return PATHS_OK;
	if (w->other == PATHS_NONE && w->receives && !w->sends &&
	    w->comm < n->trace->input.comm_count)
		return needs_any_source(n, t, w);
	if (w->other >= ranks || w->other == w->rank ||
	    !wish_waits_for(n, w, w->other))
		return PATHS_OK;
	t->needs = ES__KNOT_ALL;
	return needs_target(n, t, w->other);
}

/* Where a rank made a request; NOWHERE: the trace does not have it. */
static struct es_mpi_at
request_post(const struct needs *n, const struct es__mpi_inside *t)
{
	const struct es__mpi_scan *s = &n->trace->scans[t->rank];

	for (uint32_t r = 0; s->whole && r < s->ring_count; r++) {
		struct es_mpi_at at = { s->ring_first + r, 0 };

		at.n = (uint32_t)n->trace->input.rings[at.ring].count;
		while (at.n-- > 0) {
			const struct es_tuple_mpi *tuple =
			    es_mpi_trace_tuple(&n->trace->input, at);
			uint8_t role = es__mpi_kind(n->trace, tuple->op)->role;

			if (tuple->match == t->match &&
			    (role == ES_MPI_ROLE_ISEND ||
				role == ES_MPI_ROLE_IRECV ||
				role == ES_MPI_ROLE_SEND_INIT ||
				role == ES_MPI_ROLE_RECV_INIT))
				return at;
		}
	}
	return ES__MPI_NOWHERE;
}

/* A request that is waited for alone: its words tell all but the direction. */
static struct wish
request_wish(const struct needs *n, const struct es__mpi_inside *t)
{
	struct wish w = thread_wish(n, t);
	uint8_t role;

	w.post = request_post(n, t);
	if (es__mpi_at_none(w.post))
		return w;
	role = es__mpi_kind(n->trace,
	    es_mpi_trace_tuple(&n->trace->input, w.post)->op)
		   ->role;
	w.receives = role == ES_MPI_ROLE_IRECV || role == ES_MPI_ROLE_RECV_INIT;
	w.sends = !w.receives;
	w.sure_waits = w.receives;
	return w;
}

/* The number of the last collective that a rank that is traced has begun. */
static uint32_t
collectives_begun(const struct needs *n, uint32_t rank, uint32_t comm)
{
	const struct es__mpi_entries *e = &n->trace->scans[rank].entries;
	uint32_t last = 0;

	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].stream == comm && e->list[i].plan == 0)
			last = e->list[i].number;
	return last;
}

static enum es__space_state
rank_state(const struct needs *n, uint32_t rank)
{
	const struct es_mpi *mpi = es_run_mpi(n->a->run);

	return n->a->run->states[es_mpi_rank(mpi, rank)->process];
}

/* Whether a rank has still to come to where a thread is. */
static enum answer
rank_is_absent(const struct needs *n, const struct es__mpi_inside *t,
    uint32_t rank)
{
	for (uint32_t i = n->thread_first[rank]; i < n->thread_first[rank + 1];
	     i++) {
		const struct es__mpi_inside *other = &n->look->threads[i];

		if (other->function == 0 || other->comm != t->comm ||
		    !thread_kind(n, other)->collective)
			continue;
		return other->match >= t->match ? NO : YES;
	}
	if (rank_is_traced(n, rank))
		return collectives_begun(n, rank, t->comm) >= t->match ? NO :
									 YES;
	if (n->certain)
		return UNKNOWN;
	return rank_state(n, rank) == ES__SPACE_CLOSED ? NO : YES;
}

/* Which others a collective cannot end without. */
static enum es__knot_needs
collective_needs(const struct needs *n, const struct es__mpi_inside *t)
{
	bool root = t->peer >= 0 && (uint32_t)t->peer == t->rank;

	switch (thread_kind(n, t)->role) {
	case ES_MPI_ROLE_BARRIER:
		return ES__KNOT_ALL;
	case ES_MPI_ROLE_N_TO_N:
		return thread_kind(n, t)->some ? ES__KNOT_ANY : ES__KNOT_ALL;
	case ES_MPI_ROLE_N_TO_ONE:
		return root ? ES__KNOT_ALL : ES__KNOT_ANY;
	default:
		return ES__KNOT_ANY;
	}
}

static paths_status
needs_members(struct needs *n, struct es__knot_thread *k,
    const struct es__mpi_inside *t)
{
	const struct es_mpi_trace_comm *comm = &n->trace->input.comms[t->comm];
	paths_status st = PATHS_OK;

	for (uint32_t m = 0; st == PATHS_OK && m < comm->count; m++) {
		uint32_t rank = comm->members[m];
		enum answer absent = UNKNOWN;

		if (rank == t->rank)
			continue;
		if (rank != PATHS_NONE)
			absent = rank_is_absent(n, t, rank);
		if (absent == UNKNOWN) {
			k->needs = ES__KNOT_NOTHING;
			k->count = 0;
			return PATHS_OK;
		}
		if (absent == YES)
			st = needs_target(n, k, rank);
	}
	if (k->count > 0)
		k->needs = collective_needs(n, t);
	return st;
}

/* Finalize ends when all of the world are in it. */
static paths_status
needs_world(struct needs *n, struct es__knot_thread *k,
    const struct es__mpi_inside *t)
{
	const struct es_mpi_trace_rank *r = &n->trace->input.ranks[t->rank];
	const struct es_mpi_trace_comm *world;
	paths_status st = PATHS_OK;

	if (n->certain || r->comms[ES_MPI_COMM_WORLD] == PATHS_NONE)
		return PATHS_OK;
	world = &n->trace->input.comms[r->comms[ES_MPI_COMM_WORLD]];
	k->needs = ES__KNOT_ALL;
	for (uint32_t m = 0; st == PATHS_OK && m < world->count; m++) {
		uint32_t rank = world->members[m];
		bool there = rank == PATHS_NONE || rank == t->rank ||
		    rank_state(n, rank) == ES__SPACE_CLOSED;

		for (uint32_t i = there ? 0 : n->thread_first[rank];
		     !there && i < n->thread_first[rank + 1]; i++)
			there = n->look->threads[i].function == t->function;
		if (!there)
			st = needs_target(n, k, rank);
	}
	return st;
}

static paths_status
needs_thread(struct needs *n, const struct es__mpi_inside *t,
    struct es__knot_thread *k)
{
	const struct es__mpi_kind *kind = thread_kind(n, t);
	struct wish wish;

	*k = (struct es__knot_thread){ .rank = t->rank,
		.first = n->target_count };
	if (t->function == 0)
		return PATHS_OK;
	switch (kind->role) {
	case ES_MPI_ROLE_SEND:
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_PROBE:
		wish = thread_wish(n, t);
		return needs_wish(n, k, &wish);
	case ES_MPI_ROLE_WAIT:
		wish = request_wish(n, t);
		return t->match != 0 ? needs_wish(n, k, &wish) : PATHS_OK;
	case ES_MPI_ROLE_FINALIZE:
		return needs_world(n, k, t);
	default:
		break;
	}
	if (kind->collective && !kind->nonblocking && !kind->persistent &&
	    t->comm < n->trace->input.comm_count)
		return needs_members(n, k, t);
	return PATHS_OK;
}

/* A process that ended while others go on, or before they were killed. */
static bool
rank_is_gone(const struct needs *n, uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(es_run_mpi(n->a->run), rank);
	enum es__space_state state = rank_state(n, rank);

	if (n->certain)
		return r->control != NULL &&
		    atomic_load_explicit(&r->control->state,
			memory_order_relaxed) == ES_MPI_FINALIZED;
	return state == ES__SPACE_CLOSED || state == ES__SPACE_KILLED;
}

static paths_status
needs_prepare(struct needs *n)
{
	uint32_t ranks = n->trace->input.rank_count;
	struct es__knot *k = n->knot;

	k->rank_count = ranks;
	k->threads = calloc(n->look->count + (size_t)1, sizeof(*k->threads));
	k->gone = calloc(ranks + (size_t)1, sizeof(*k->gone));
	k->stuck = calloc(ranks + (size_t)1, sizeof(*k->stuck));
	k->next = calloc(ranks + (size_t)1, sizeof(*k->next));
	n->thread_first = calloc(ranks + (size_t)2, sizeof(uint32_t));
	if (k->threads == NULL || k->gone == NULL || k->stuck == NULL ||
	    k->next == NULL || n->thread_first == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (uint32_t t = 0; t < n->look->count; t++)
		n->thread_first[n->look->threads[t].rank + 1]++;
	for (uint32_t r = 0; r < ranks; r++) {
		n->thread_first[r + 1] += n->thread_first[r];
		k->gone[r] = rank_is_gone(n, r);
	}
	return PATHS_OK;
}

paths_status
es__mpi_needs(struct es_analysis *a, const struct es__mpi_look *look,
    bool certain, struct es__knot *knot)
{
	struct needs n = { .a = a,
		.look = look,
		.certain = certain,
		.knot = knot };
	struct es__mpi_kept *kept;
	paths_status st = es__mpi_kept_get(a, &kept);

	*knot = (struct es__knot){ .thread_count = 0 };
	if (st != PATHS_OK || kept == NULL)
		return st;
	n.trace = kept->trace;
	st = needs_prepare(&n);
	for (uint32_t t = 0; st == PATHS_OK && t < look->count; t++)
		if (!look->threads[t].exited)
			st = needs_thread(&n, &look->threads[t],
			    &knot->threads[knot->thread_count++]);
	free(n.thread_first);
	return st;
}

void
es__mpi_needs_fini(struct es__knot *knot)
{
	free(knot->threads);
	free(knot->targets);
	free(knot->gone);
	free(knot->stuck);
	free(knot->next);
}
