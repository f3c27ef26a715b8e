/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/in_flight.c - finds the sends, receives and collective calls that
 * could end a wait, and messages that a waiting rank has not received
 */

#include "scopes/mpi/in_flight_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/match/group_private.h"
#include "scopes/match/peer_private.h"
#include "scopes/match/scan_private.h"
#include "scopes/run/array_private.h"

#include <string.h>

bool
es__in_flight_is_traced(const struct es__in_flight *f, uint32_t rank)
{
	if (!f->trace->scans[rank].whole)
		return false;
	for (uint32_t t = f->thread_first[rank]; t < f->thread_first[rank + 1];
	     t++) {
		const struct es__inside_thread *i = &f->inside->threads[t];

		if (i->function != 0 && es__mpi_at_none(i->at))
			return false;
	}
	return true;
}

enum es__space_state
es__in_flight_state(const struct es__in_flight *f, uint32_t rank)
{
	const struct es_mpi *mpi = es_run_mpi(f->a->run);

	return f->a->run->states[es_mpi_rank(mpi, rank)->process];
}

static struct es__in_flight_half
half_of(const struct es__inside_thread *t)
{
	return (struct es__in_flight_half){ .rank = t->rank,
		.other = t->peer >= 0 ? (uint32_t)t->peer : PATHS_NONE,
		.comm = t->comm,
		.tag = t->tag,
		.post = t->at };
}

struct es__in_flight_half
es__in_flight_send(const struct es__in_flight *f,
    const struct es__inside_thread *t)
{
	struct es__in_flight_half h = half_of(t);
	uint8_t role = es__in_flight_kind(f, t)->role;

	h.sends = t->peer >= 0 &&
	    (role == ES_MPI_ROLE_SEND || role == ES_MPI_ROLE_SENDRECV ||
		(role == ES_MPI_ROLE_WAIT && t->match != 0));
	h.sure_waits =
	    strcmp(es_mpi_function(t->function)->name, "MPI_Ssend") == 0;
	if (role == ES_MPI_ROLE_WAIT)
		h.post = ES__MPI_NOWHERE;
	return h;
}

struct es__in_flight_half
es__in_flight_receive(const struct es__in_flight *f,
    const struct es__inside_thread *t)
{
	struct es__in_flight_half h = half_of(t);
	int32_t peer = t->peer;

	h.sure_waits = true;
	switch (es__in_flight_kind(f, t)->role) {
	case ES_MPI_ROLE_PROBE:
		h.unposted = true;
		h.receives = true;
		break;
	case ES_MPI_ROLE_RECV:
		h.receives = es_mpi_match_request(t->match) == 0;
		break;
	case ES_MPI_ROLE_SENDRECV:
		peer = t->source;
		h.other = peer >= 0 ? (uint32_t)peer : PATHS_NONE;
		h.tag = t->source_tag;
		h.unposted = true;
		h.receives = true;
		break;
	case ES_MPI_ROLE_WAIT:
		h.receives = t->match != 0;
		h.post = ES__MPI_NOWHERE;
		break;
	default:
		break;
	}
	if (peer == ES_MPI_PEER_PROC_NULL)
		h.receives = false;
	return h;
}

struct es__in_flight_half
es__in_flight_request(const struct es__in_flight *f, uint32_t rank,
    struct es_mpi_at at)
{
	const struct es_tuple_mpi *t = es_mpi_trace_tuple(&f->trace->input, at);
	const struct es__mpi_kind *kind = es__mpi_kind(f->trace, t->op);
	const struct es_mpi_trace_rank *r = &f->trace->input.ranks[rank];
	struct es__in_flight_half h = { .rank = rank,
		.other = es__mpi_peer(r, t),
		.comm = es__mpi_comm(r, t),
		.tag = t->tag,
		.post = at };

	if (kind->partitioned || t->peer == ES_MPI_PEER_PROC_NULL)
		return h;
	switch (kind->role) {
	case ES_MPI_ROLE_ISEND:
	case ES_MPI_ROLE_SEND_INIT:
		h.sends = true;
		h.sure_waits = strncmp(es_mpi_function(t->op)->name,
				   "MPI_Issend", 10) == 0 ||
		    strncmp(es_mpi_function(t->op)->name, "MPI_Ssend", 9) == 0;
		break;
	case ES_MPI_ROLE_IRECV:
	case ES_MPI_ROLE_RECV_INIT:
		h.receives = h.sure_waits = true;
		break;
	default:
		break;
	}
	return h;
}

static bool
at_equal(struct es_mpi_at a, struct es_mpi_at b)
{
	return a.ring == b.ring && a.n == b.n;
}

/* Returns whether a half has been matched. */
static bool
half_is_matched(const struct es__in_flight *f,
    const struct es__in_flight_half *h)
{
	uint32_t source = h->receives ? h->other : h->rank;
	uint32_t target = h->receives ? h->rank : h->other;
	uint32_t first, count;
	const struct es_mpi_message *m =
	    es_mpi_trace_messages(f->trace, target, &first, &count);

	for (size_t n = es__array_find(m, count, sizeof(*m),
		 offsetof(struct es_mpi_message, source), source);
	     n < count && m[n].source == source; n++)
		if (!es__mpi_at_none(m[n].send) &&
		    at_equal(h->receives ? m[n].recv : m[n].send, h->post))
			return true;
	return false;
}

static enum es__in_flight_known
half_by_trace(const struct es__in_flight *f, const struct es__in_flight_half *h)
{
	uint32_t target = h->receives ? h->rank : h->other;
	struct es__mpi_traffic t = es__mpi_group_traffic(f->trace,
	    h->receives ? h->other : h->rank, target, h->comm, h->tag);

	if (half_is_matched(f, h))
		return ES__IN_FLIGHT_YES;
	/* Other receives have matched all sends, or all sends with this
	   communicator and tag. */
	if (t.sent == t.matched || (h->unposted && t.key_sent == t.key_matched))
		return ES__IN_FLIGHT_NO;
	/* An open receive of any source or tag may match this message, or may
	   have matched another one. */
	if (f->trace->scans[target].open.count > 0)
		return ES__IN_FLIGHT_UNKNOWN;
	return h->unposted ? ES__IN_FLIGHT_YES : ES__IN_FLIGHT_NO;
}

/* Returns whether two halves can match. */
static bool
halves_meet(const struct es__in_flight_half *a,
    const struct es__in_flight_half *b)
{
	if (!((a->sends && b->receives) || (a->receives && b->sends)))
		return false;
	if (b->rank != a->other && a->other != PATHS_NONE)
		return false;
	if (b->other != a->rank && b->other != PATHS_NONE)
		return false;
	if (a->comm != b->comm && a->comm != PATHS_NONE &&
	    b->comm != PATHS_NONE)
		return false;
	return a->tag == b->tag || a->tag < 0 || b->tag < 0;
}

/* Returns whether the call of a thread can be the other half. */
static bool
thread_meets(const struct es__in_flight *f, const struct es__inside_thread *t,
    const struct es__in_flight_half *h)
{
	struct es__in_flight_half sends, receives;

	if (t->function == 0)
		return false;
	sends = es__in_flight_send(f, t);
	receives = es__in_flight_receive(f, t);
	return halves_meet(h, &sends) || halves_meet(h, &receives);
}

/* Returns whether a rank is in a call that can be the other half, or has
   requests that can. */
static bool
rank_may_meet(const struct es__in_flight *f, const struct es__in_flight_half *h,
    uint32_t rank)
{
	for (uint32_t t = f->thread_first[rank]; t < f->thread_first[rank + 1];
	     t++) {
		const struct es__inside_thread *i = &f->inside->threads[t];
		bool meets = thread_meets(f, i, h);
		/* The request that it waits for was compared already. */
		uint64_t own = i->function != 0 && i->match != 0 &&
			es__in_flight_kind(f, i)->role == ES_MPI_ROLE_WAIT &&
			!meets ?
		    1 :
		    0;

		if (meets || i->requests > own)
			return true;
	}
	return false;
}

/* Returns whether the other rank is in a Sendrecv whose receive, which has no
   tuple yet, is the other half. */
static bool
rank_receives_too(const struct es__in_flight *f,
    const struct es__in_flight_half *h)
{
	for (uint32_t t = f->thread_first[h->other];
	     t < f->thread_first[h->other + 1]; t++) {
		const struct es__inside_thread *i = &f->inside->threads[t];
		struct es__in_flight_half other;

		if (i->function == 0 ||
		    es__in_flight_kind(f, i)->role != ES_MPI_ROLE_SENDRECV)
			continue;
		other = es__in_flight_receive(f, i);
		if (halves_meet(h, &other))
			return true;
	}
	return false;
}

enum es__in_flight_known
es__in_flight_answer(const struct es__in_flight *f,
    const struct es__in_flight_half *h)
{
	bool posted = h->unposted || !es__mpi_at_none(h->post);

	if (posted && es__in_flight_is_traced(f, h->rank) &&
	    es__in_flight_is_traced(f, h->other)) {
		enum es__in_flight_known answer = half_by_trace(f, h);

		return answer == ES__IN_FLIGHT_NO && h->sends &&
			rank_receives_too(f, h) ?
		    ES__IN_FLIGHT_YES :
		    answer;
	}
	return f->certain || rank_may_meet(f, h, h->other) ?
	    ES__IN_FLIGHT_UNKNOWN :
	    ES__IN_FLIGHT_NO;
}

/* Returns the number of the last collective that a traced rank has begun; 0:
   none. */
static uint32_t
collective_begun(const struct es__in_flight *f,
    const struct es__in_flight_collective *c, uint32_t rank)
{
	const struct es__mpi_entries *e = &f->trace->scans[rank].entries;
	uint32_t stream =
	    c->comm + (uint32_t)c->kind * f->trace->input.comm_count;
	uint32_t last = 0;

	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].stream == stream && e->list[i].plan == c->plan &&
		    (last == 0 ||
			es__mpi_number_before(last, e->list[i].number)))
			last = e->list[i].number;
	return last;
}

/* Returns how many collectives of a communicator a rank has counted, which is
   at most the number that it called. */
static uint64_t
collective_counted(const struct es__in_flight *f, uint32_t comm, uint32_t rank)
{
	struct es_mpi_collective collective;
	struct es_mpi_profile profile;
	uint64_t profiled = 0, counted = 0;
	struct es_mpi_rows rows;

	es_mpi_rows_begin(es_run_mpi(f->a->run), rank, ES_MPI_PROFILE, &rows);
	while (es_mpi_rows_profile(&rows, &profile))
		if (profile.comm == comm &&
		    !es__mpi_kind(f->trace, profile.function)->persistent)
			profiled += profile.calls;
	es_mpi_rows_begin(es_run_mpi(f->a->run), rank, ES_MPI_COLLECTIVE,
	    &rows);
	while (es_mpi_rows_collective(&rows, &collective))
		if (collective.comm == comm &&
		    !es__mpi_kind(f->trace, collective.function)->persistent)
			counted += collective.calls;
	return profiled > counted ? profiled : counted;
}

uint32_t
es__in_flight_number(const struct es_mpi_trace *trace,
    const struct es__inside_thread *t)
{
	const struct es__mpi_kind *kind = es__mpi_kind(trace, t->function);

	if (t->function == 0 || !kind->collective)
		return 0;
	return kind->nonblocking || kind->persistent ? (uint32_t)t->tag :
						       t->match;
}

/* Finds whether a rank has reached a collective, by its number.  count: number
   of the last collective of the rank, or how many it counted; 0: none */
static enum es__in_flight_known
collective_reached(uint64_t count, uint32_t number)
{
	return count != 0 && !es__mpi_number_before((uint32_t)count, number) ?
	    ES__IN_FLIGHT_YES :
	    ES__IN_FLIGHT_NO;
}

/* Returns whether a thread is in the function of a collective, with the same
   root.  On an intercommunicator, roots are negative for some members. */
static bool
collective_is_alike(const struct es__in_flight *f,
    const struct es__in_flight_collective *c, const struct es__inside_thread *t)
{
	enum es_mpi_role role = es__in_flight_kind(f, t)->role;
	bool rooted =
	    role == ES_MPI_ROLE_ONE_TO_N || role == ES_MPI_ROLE_N_TO_ONE;

	return t->function == c->function &&
	    (!rooted || t->peer < 0 || c->root < 0 || t->peer == c->root);
}

enum es__in_flight_known
es__in_flight_has_come(const struct es__in_flight *f,
    const struct es__in_flight_collective *c, uint32_t rank)
{
	for (uint32_t i = f->thread_first[rank];
	     c->plan == 0 && i < f->thread_first[rank + 1]; i++) {
		const struct es__inside_thread *t = &f->inside->threads[i];
		uint32_t number =
		    t->comm == c->comm ? es__in_flight_number(f->trace, t) : 0;

		if (number != 0 && number == c->number &&
		    !collective_is_alike(f, c, t))
			return ES__IN_FLIGHT_NO;
		if (number != 0)
			return collective_reached(number, c->number);
	}
	if (es__in_flight_is_traced(f, rank))
		return collective_reached(collective_begun(f, c, rank),
		    c->number);
	if (f->certain || c->plan != 0)
		return ES__IN_FLIGHT_UNKNOWN;
	return es__in_flight_state(f, rank) == ES__SPACE_CLOSED ?
	    ES__IN_FLIGHT_YES :
	    collective_reached(collective_counted(f, c->comm, rank), c->number);
}

bool
es__in_flight_can_wait(const struct es__in_flight *f, struct es_mpi_at at)
{
	uint32_t op = es_mpi_trace_tuple(&f->trace->input, at)->op;
	uint8_t role = es__mpi_kind(f->trace, op)->role;

	return role != ES_MPI_ROLE_PROBE && role != ES_MPI_ROLE_IPROBE;
}

uint32_t
es__in_flight_open(const struct es__in_flight *f, uint32_t rank)
{
	const struct es__mpi_scan *scan = &f->trace->scans[rank];
	uint32_t count = 0;

	for (uint32_t n = 0; n < scan->pending_count; n++)
		count += es__in_flight_can_wait(f, scan->pending[n]);
	return count;
}

bool
es__in_flight_waits_all(const struct es__in_flight *f,
    const struct es__inside_thread *t)
{
	return strcmp(es_mpi_function(t->function)->name, "MPI_Waitall") == 0 &&
	    t->tag > 0 && (uint32_t)t->tag == es__in_flight_open(f, t->rank);
}

/* Reports the messages that the peer has sent in place of the awaited one. */
static paths_status
unreceived_take(const struct es__in_flight *f,
    const struct es__in_flight_half *h, es__in_flight_take *take, void *to)
{
	const struct es__mpi_match *m = &f->trace->match;
	paths_status st = PATHS_OK;

	if (!h->receives || h->tag < 0 ||
	    h->other >= f->trace->input.rank_count ||
	    !f->trace->scans[h->other].whole || half_is_matched(f, h))
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < m->group_count; n++) {
		const struct es__mpi_group *g = &m->groups[n];
		struct es__in_flight_sent messages = { .source = g->source,
			.comm = g->comm & ~ES__MPI_PARTITIONED,
			.wanted_comm = h->comm,
			.tag = g->tag,
			.wanted_tag = h->tag,
			.messages = g->sends - g->matched };

		if (g->source == h->other && g->target == h->rank &&
		    g->mode == GROUP_BEGIN && g->matched < g->sends)
			st = take(to, &messages);
	}
	return st;
}

/* Takes the messages for the receives among the requests that a thread waits
   for: for one, or for all open ones. */
static paths_status
unreceived_requests(const struct es__in_flight *f,
    const struct es__inside_thread *t, es__in_flight_take *take, void *to)
{
	const struct es__mpi_scan *scan = &f->trace->scans[t->rank];
	paths_status st = PATHS_OK;

	if (t->match == 0 && !es__in_flight_waits_all(f, t))
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < scan->pending_count; n++) {
		struct es_mpi_at at = scan->pending[n];
		struct es__in_flight_half h =
		    es__in_flight_request(f, t->rank, at);

		if (t->match == 0 ||
		    es_mpi_trace_tuple(&f->trace->input, at)->match == t->match)
			st = unreceived_take(f, &h, take, to);
	}
	return st;
}

paths_status
es__in_flight_unreceived(const struct es__in_flight *f,
    const struct es__inside_thread *t, es__in_flight_take *take, void *to)
{
	const struct es__mpi_scan *scan = &f->trace->scans[t->rank];
	struct es__in_flight_half h;

	if (t->function == 0 || es__mpi_at_none(t->at) || !scan->whole ||
	    scan->open.count > 0)
		return PATHS_OK;
	switch (es__in_flight_kind(f, t)->role) {
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
		return unreceived_requests(f, t, take, to);
	default:
		h = es__in_flight_receive(f, t);
		return unreceived_take(f, &h, take, to);
	}
}
