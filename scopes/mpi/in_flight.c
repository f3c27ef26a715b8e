/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/in_flight.c - whether a message that somebody waits for is under
 * way
 */

#include "scopes/mpi/in_flight_private.h"

#include <string.h>

bool
es__rank_is_traced(const struct es__scene *s, uint32_t rank)
{
	if (!s->trace->scans[rank].whole)
		return false;
	for (uint32_t t = s->thread_first[rank]; t < s->thread_first[rank + 1];
	     t++) {
		const struct es__mpi_inside *i = &s->look->threads[t];

		if (i->function != 0 && es__mpi_at_none(i->at))
			return false;
	}
	return true;
}

enum es__space_state
es__rank_state(const struct es__scene *s, uint32_t rank)
{
	const struct es_mpi *mpi = es_run_mpi(s->a->run);

	return s->a->run->states[es_mpi_rank(mpi, rank)->process];
}

static struct es__wish
wish_of(const struct es__mpi_inside *t)
{
	return (struct es__wish){ .rank = t->rank,
		.other = t->peer >= 0 ? (uint32_t)t->peer : PATHS_NONE,
		.comm = t->comm,
		.tag = t->tag,
		.post = t->at };
}

struct es__wish
es__wish_to_send(const struct es__scene *s, const struct es__mpi_inside *t)
{
	struct es__wish w = wish_of(t);
	uint8_t role = es__inside_kind(s, t)->role;

	w.sends = t->peer >= 0 &&
	    (role == ES_MPI_ROLE_SEND || role == ES_MPI_ROLE_SENDRECV ||
		(role == ES_MPI_ROLE_WAIT && t->match != 0));
	w.sure_waits =
	    strcmp(es_mpi_function(t->function)->name, "MPI_Ssend") == 0;
	if (role == ES_MPI_ROLE_WAIT)
		w.post = ES__MPI_NOWHERE;
	return w;
}

struct es__wish
es__wish_to_receive(const struct es__scene *s, const struct es__mpi_inside *t)
{
	struct es__wish w = wish_of(t);
	int32_t peer = t->peer;

	w.sure_waits = true;
	switch (es__inside_kind(s, t)->role) {
	case ES_MPI_ROLE_PROBE:
		w.unposted = true;
		w.receives = true;
		break;
	case ES_MPI_ROLE_RECV:
		w.receives = t->match == 0;
		break;
	case ES_MPI_ROLE_SENDRECV:
		peer = t->source;
		w.other = peer >= 0 ? (uint32_t)peer : PATHS_NONE;
		w.tag = t->source_tag;
		w.unposted = true;
		w.receives = true;
		break;
	case ES_MPI_ROLE_WAIT:
		w.receives = t->match != 0;
		w.post = ES__MPI_NOWHERE;
		break;
	default:
		break;
	}
	if (peer == ES_MPI_PEER_PROC_NULL)
		w.receives = false;
	return w;
}

/* Messages and sends between two ranks. */
struct traffic {
	uint64_t sent, matched;		  /* in all */
	uint64_t key_sent, key_matched;	  /* on the communicator and tag */
	const struct es_mpi_message *own; /* what the wish is one half of */
};

static bool
at_equal(struct es_mpi_at a, struct es_mpi_at b)
{
	return a.ring == b.ring && a.n == b.n;
}

static bool
wish_has_key(const struct es__wish *w, uint32_t comm, int32_t tag)
{
	return comm == w->comm && (tag == w->tag || w->tag < 0);
}

/* The first of a list in order of ranks that is not before one; what: where the
   rank is in an item. */
static size_t
list_find(const void *list, size_t count, size_t bytes, size_t what,
    uint32_t rank)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t at;

		memcpy(&at, (const char *)list + middle * bytes + what,
		    sizeof(at));
		if (at < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct traffic
wish_traffic(const struct es__scene *s, const struct es__wish *w)
{
	uint32_t source = w->receives ? w->other : w->rank;
	uint32_t target = w->receives ? w->rank : w->other;
	const struct es__mpi_halves *sends = &s->trace->scans[source].sends;
	const struct es_mpi_message *m;
	struct traffic t = { .sent = 0 };
	uint32_t first, count;

	for (size_t n =
		 list_find(sends->list, sends->count, sizeof(*sends->list),
		     offsetof(struct es__mpi_half, other), target);
	     n < sends->count && sends->list[n].other == target; n++) {
		const struct es__mpi_half *half = &sends->list[n];

		t.sent++;
		t.key_sent += wish_has_key(w, half->comm, half->tag);
	}
	m = es_mpi_trace_messages(s->trace, target, &first, &count);
	for (size_t n = list_find(m, count, sizeof(*m),
		 offsetof(struct es_mpi_message, source), source);
	     n < count && m[n].source == source; n++) {
		if (es__mpi_at_none(m[n].send))
			continue;
		t.matched++;
		t.key_matched += wish_has_key(w, m[n].comm, m[n].tag);
		if (at_equal(w->receives ? m[n].recv : m[n].send, w->post))
			t.own = &m[n];
	}
	return t;
}

static enum es__answer
wish_by_trace(const struct es__scene *s, const struct es__wish *w)
{
	uint32_t target = w->receives ? w->rank : w->other;
	struct traffic t = wish_traffic(s, w);

	if (t.own != NULL)
		return ES__YES;
	/* All that was sent is taken by others; or none of it has the key. */
	if (t.sent == t.matched || (w->unposted && t.key_sent == t.key_matched))
		return ES__NO;
	/* Receives of any source or tag may take it, or have taken another. */
	if (s->trace->scans[target].open.count > 0)
		return ES__UNKNOWN;
	return w->unposted ? ES__YES : ES__NO;
}

/* Whether two threads do what the other one waits for. */
static bool
wishes_meet(const struct es__wish *a, const struct es__wish *b)
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

/* Whether what a thread is in meets the wish. */
static bool
thread_meets(const struct es__scene *s, const struct es__mpi_inside *t,
    const struct es__wish *w)
{
	struct es__wish sends, receives;

	if (t->function == 0)
		return false;
	sends = es__wish_to_send(s, t);
	receives = es__wish_to_receive(s, t);
	return wishes_meet(w, &sends) || wishes_meet(w, &receives);
}

/* Whether another rank is in a call that meets the wish, or has requests that
   might. */
static bool
rank_may_meet(const struct es__scene *s, const struct es__wish *w,
    uint32_t rank)
{
	for (uint32_t t = s->thread_first[rank]; t < s->thread_first[rank + 1];
	     t++) {
		const struct es__mpi_inside *i = &s->look->threads[t];
		bool meets = thread_meets(s, i, w);
		/* The one it waits for has been looked at. */
		uint64_t own = i->function != 0 && i->match != 0 &&
			es__inside_kind(s, i)->role == ES_MPI_ROLE_WAIT &&
			!meets ?
		    1 :
		    0;

		if (meets || i->requests > own)
			return true;
	}
	return false;
}

/* A receive that the trace does not have yet, because its call does both. */
static bool
rank_receives_too(const struct es__scene *s, const struct es__wish *w)
{
	for (uint32_t t = s->thread_first[w->other];
	     t < s->thread_first[w->other + 1]; t++) {
		const struct es__mpi_inside *i = &s->look->threads[t];
		struct es__wish other;

		if (i->function == 0 ||
		    es__inside_kind(s, i)->role != ES_MPI_ROLE_SENDRECV)
			continue;
		other = es__wish_to_receive(s, i);
		if (wishes_meet(w, &other))
			return true;
	}
	return false;
}

enum es__answer
es__wish_answer(const struct es__scene *s, const struct es__wish *w)
{
	bool posted = w->unposted || !es__mpi_at_none(w->post);

	if (posted && es__rank_is_traced(s, w->rank) &&
	    es__rank_is_traced(s, w->other)) {
		enum es__answer answer = wish_by_trace(s, w);

		return answer == ES__NO && w->sends && rank_receives_too(s, w) ?
		    ES__YES :
		    answer;
	}
	return s->certain || rank_may_meet(s, w, w->other) ? ES__UNKNOWN :
							     ES__NO;
}

/* The number of the last that a rank that is traced has begun. */
static uint32_t
meetings_begun(const struct es__scene *s, const struct es__meeting *m,
    uint32_t rank)
{
	const struct es__mpi_entries *e = &s->trace->scans[rank].entries;
	uint32_t last = 0;

	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].stream == m->comm && e->list[i].plan == m->plan)
			last = e->list[i].number;
	return last;
}

/* How many calls of collectives a rank has counted on a communicator, at
   most so many as there were. */
static uint64_t
meetings_counted(const struct es__scene *s, uint32_t comm, uint32_t rank)
{
	struct es_mpi_collective collective;
	struct es_mpi_profile profile;
	uint64_t profiled = 0, counted = 0;
	struct es_mpi_rows rows;

	es_mpi_rows_begin(es_run_mpi(s->a->run), rank, ES_MPI_PROFILE, &rows);
	while (es_mpi_rows_profile(&rows, &profile))
		if (profile.comm == comm &&
		    !es__mpi_kind(s->trace, profile.function)->persistent)
			profiled += profile.calls;
	es_mpi_rows_begin(es_run_mpi(s->a->run), rank, ES_MPI_COLLECTIVE,
	    &rows);
	while (es_mpi_rows_collective(&rows, &collective))
		if (collective.comm == comm &&
		    !es__mpi_kind(s->trace, collective.function)->persistent)
			counted += collective.calls;
	return profiled > counted ? profiled : counted;
}

/* The number of the collective of the communicator that a thread is in; 0: of
   none. */
static uint32_t
thread_meeting(const struct es__scene *s, const struct es__mpi_inside *t,
    uint32_t comm)
{
	const struct es__mpi_kind *kind = es__inside_kind(s, t);

	if (t->function == 0 || t->comm != comm || !kind->collective)
		return 0;
	return kind->nonblocking || kind->persistent ? (uint32_t)t->tag :
						       t->match;
}

enum es__answer
es__meeting_has(const struct es__scene *s, const struct es__meeting *m,
    uint32_t rank)
{
	for (uint32_t i = s->thread_first[rank];
	     m->plan == 0 && i < s->thread_first[rank + 1]; i++) {
		uint32_t number =
		    thread_meeting(s, &s->look->threads[i], m->comm);

		if (number != 0)
			return number >= m->number ? ES__YES : ES__NO;
	}
	if (es__rank_is_traced(s, rank))
		return meetings_begun(s, m, rank) >= m->number ? ES__YES :
								 ES__NO;
	if (s->certain || m->plan != 0)
		return ES__UNKNOWN;
	return es__rank_state(s, rank) == ES__SPACE_CLOSED ||
		meetings_counted(s, m->comm, rank) >= m->number ?
	    ES__YES :
	    ES__NO;
}
