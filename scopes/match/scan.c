/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/scan.c - finds the messages and collectives of a rank
 *
 * One pass over its tuples in order.  The halves of messages are numbered in
 * the order in which the rank posted them: by a blocking call, by making or
 * starting a request, or by a matched probe.  The tuple that ends the request
 * of a receive has the source and tag of the message.
 */

#include "scopes/match/scan_private.h"

#include "scopes/match/order_private.h"
#include "scopes/match/request_private.h"
#include "scopes/run/array_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <string.h>

/* The other rank or the communicator is unknown, or the request was
   cancelled. */
#define NO_OTHER (PATHS_NONE - 1)

struct mpi_scan {
	struct es_mpi_trace *trace;
	const struct es_mpi_trace_rank *rank;
	struct es__mpi_scan *found;
	struct paths__hash requests; /* of struct es__mpi_request */
	uint32_t *seq;		     /* of the last call of each ring */
	uint32_t order;		     /* of the next half */
	/* The current tuple. */
	struct es_mpi_at at;
	const struct es_tuple_mpi *tuple;
	const struct es__mpi_kind *kind;
};

static paths_status
halves_add(struct es__mpi_halves *halves, const struct es__mpi_half *half)
{
	if (!paths__array_grow(&halves->list, halves->count, &halves->room,
		sizeof(*half)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
	halves->list[halves->count++] = *half;
	return PATHS_OK;
}

/* Returns the rank of the run that is the peer of the tuple.  Returns
   PATHS_NONE when the tuple has no peer, and NO_OTHER when the peer is no rank
   of the input. */
static uint32_t
scan_peer(const struct mpi_scan *s)
{
	uint32_t peer = (uint32_t)s->tuple->peer;

	if (s->tuple->peer < 0)
		return PATHS_NONE;
	if (peer >= s->rank->peer_count || s->rank->peers[peer] == PATHS_NONE)
		return NO_OTHER;
	return s->rank->peers[peer];
}

/* Returns the communicator of the tuple, or PATHS_NONE if it is unknown. */
static uint32_t
scan_comm(const struct mpi_scan *s)
{
	return s->tuple->comm < s->rank->comm_count ?
	    s->rank->comms[s->tuple->comm] :
	    PATHS_NONE;
}

/* Returns the place where a blocking call ends, or NOWHERE while it has not
   returned. */
static struct es_mpi_at
scan_done(const struct mpi_scan *s)
{
	return s->tuple->stop != 0 ? s->at : ES__MPI_NOWHERE;
}

static paths_status
scan_post(struct mpi_scan *s, struct es__mpi_halves *halves,
    struct es_mpi_at done)
{
	struct es__mpi_half half = { .other = scan_peer(s),
		.comm = scan_comm(s),
		.tag = s->tuple->tag,
		.order = s->order++,
		.post = s->at,
		.done = done };

	if (half.comm == PATHS_NONE)
		half.other = NO_OTHER;
	else if (s->kind->partitioned)
		half.comm |= ES__MPI_PARTITIONED;
	return halves_add(halves, &half);
}

/* Stores the request of the tuple; `of` has the halves or the entry that end
   when the request ends. */
static paths_status
scan_request(struct mpi_scan *s, struct es__mpi_request of)
{
	of.number = s->tuple->match;
	of.ring = s->at.ring;
	of.n = s->at.n;
	if (of.number == 0)
		return PATHS_OK;
	return es__mpi_requests_put(&s->requests, &of);
}

static uint32_t
scan_last(size_t count)
{
	return (uint32_t)count - 1;
}

static paths_status
scan_send(struct mpi_scan *s, bool blocking)
{
	struct es__mpi_halves *sends = &s->found->sends;
	paths_status st;

	if (s->tuple->peer < 0)
		return PATHS_OK;
	st = scan_post(s, sends, blocking ? scan_done(s) : ES__MPI_NOWHERE);
	if (st != PATHS_OK || blocking)
		return st;
	return scan_request(s,
	    (struct es__mpi_request){ .send = scan_last(sends->count),
		.receive = PATHS_NONE,
		.entry = PATHS_NONE });
}

/* Posts a receive with a request, unless a matched probe has posted it. */
static paths_status
scan_irecv(struct mpi_scan *s)
{
	struct es__mpi_halves *receives = &s->found->receives;
	paths_status st;

	if (s->tuple->peer == ES_MPI_PEER_PROC_NULL ||
	    es__mpi_requests_find(&s->requests, s->tuple->match) != NULL)
		return PATHS_OK;
	st = scan_post(s, receives, ES__MPI_NOWHERE);
	if (st != PATHS_OK)
		return st;
	return scan_request(s,
	    (struct es__mpi_request){ .send = PATHS_NONE,
		.receive = scan_last(receives->count),
		.entry = PATHS_NONE });
}

/* Posts a send and a receive with one request.  The tuple has the peer and tag
   of the send; those of the receive are in the tuple that ends the request. */
static paths_status
scan_isendrecv(struct mpi_scan *s)
{
	struct es__mpi_halves *receives = &s->found->receives;
	struct es__mpi_request request = { .send = PATHS_NONE,
		.entry = PATHS_NONE };
	paths_status st = PATHS_OK;

	if (s->tuple->peer >= 0) {
		st = scan_post(s, &s->found->sends, ES__MPI_NOWHERE);
		request.send = scan_last(s->found->sends.count);
	}
	if (st == PATHS_OK)
		st = scan_post(s, receives, ES__MPI_NOWHERE);
	if (st != PATHS_OK)
		return st;
	request.receive = scan_last(receives->count);
	receives->list[request.receive].other = PATHS_NONE;
	return scan_request(s, request);
}

/* Ends a send, or leaves it out when it was cancelled. */
static void
scan_end_send(const struct mpi_scan *s, struct es__mpi_half *half)
{
	if (s->tuple->peer == ES_MPI_PEER_CANCELLED)
		half->other = NO_OTHER;
	else
		half->done = s->at;
}

static void
scan_end_receive(const struct mpi_scan *s, struct es__mpi_half *half)
{
	if (s->tuple->peer < 0) { /* cancelled, or of MPI_PROC_NULL */
		half->other = NO_OTHER;
		return;
	}
	half->done = s->at;
	half->tag = s->tuple->tag;
	if (half->other != NO_OTHER)
		half->other = scan_peer(s);
}

/* Ends the request of the tuple. */
static void
scan_end(struct mpi_scan *s)
{
	struct es__mpi_request *request =
	    es__mpi_requests_find(&s->requests, s->tuple->match);

	if (request == NULL) {
		s->found->account.unposted += s->tuple->match != 0;
		return;
	}
	if (request->send != PATHS_NONE)
		scan_end_send(s, &s->found->sends.list[request->send]);
	if (request->receive != PATHS_NONE)
		scan_end_receive(s, &s->found->receives.list[request->receive]);
	if (request->entry != PATHS_NONE)
		s->found->entries.list[request->entry].end = s->at;
	es__mpi_requests_drop(&s->requests, request);
}

static paths_status
scan_recv(struct mpi_scan *s)
{
	if (s->tuple->match != 0) { /* of a matched probe */
		if (s->tuple->stop != 0)
			scan_end(s);
		return PATHS_OK;
	}
	if (s->tuple->peer == ES_MPI_PEER_PROC_NULL)
		return PATHS_OK;
	return scan_post(s, &s->found->receives, scan_done(s));
}

const struct es_mpi_plan *
es__mpi_scan_plan(const struct es_mpi_trace_rank *rank, uint32_t request)
{
	size_t n =
	    es__array_find(rank->plans, rank->plan_count, sizeof(*rank->plans),
		offsetof(struct es_mpi_plan, request), request);

	return n < rank->plan_count && rank->plans[n].request == request ?
	    &rank->plans[n] :
	    NULL;
}

static uint32_t
scan_stream(const struct mpi_scan *s, enum es_mpi_trace_kind kind)
{
	uint32_t comm = scan_comm(s);

	return comm == PATHS_NONE ?
	    PATHS_NONE :
	    comm + (uint32_t)kind * s->trace->input.comm_count;
}

static paths_status
scan_add_entry(struct mpi_scan *s, const struct es__mpi_entry *entry)
{
	const struct es_mpi_trace_input *input = &s->trace->input;
	struct es__mpi_entries *entries = &s->found->entries;

	if (entry->stream == PATHS_NONE)
		return PATHS_OK;
	if (!paths__array_grow(&entries->list, entries->count, &entries->room,
		sizeof(*entry)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for collectives");
	entries->list[entries->count++] = *entry;
	if (!input->comms[entry->stream % input->comm_count].own)
		s->found->account.collectives++;
	return PATHS_OK;
}

static paths_status
scan_collective(struct mpi_scan *s)
{
	struct es__mpi_entry entry = { .begin = s->at,
		.stream = scan_stream(s, ES_MPI_TRACE_COLLECTIVE),
		.number = s->tuple->match,
		.function = s->tuple->op,
		.end = scan_done(s) };

	return scan_add_entry(s, &entry);
}

/* Adds the begin of a collective that ends with a request. */
static paths_status
scan_nonblocking(struct mpi_scan *s, uint32_t plan)
{
	struct es__mpi_entry entry = { .begin = s->at,
		.stream = scan_stream(s, ES_MPI_TRACE_COLLECTIVE),
		.plan = plan,
		.number = (uint32_t)s->tuple->tag,
		.function = s->tuple->op,
		.end = ES__MPI_NOWHERE };
	paths_status st = scan_add_entry(s, &entry);

	if (st != PATHS_OK || entry.stream == PATHS_NONE)
		return st;
	return scan_request(s,
	    (struct es__mpi_request){ .send = PATHS_NONE,
		.receive = PATHS_NONE,
		.entry = scan_last(s->found->entries.count) });
}

/* Adds the start of a persistent collective. */
static paths_status
scan_started(struct mpi_scan *s)
{
	const struct es_mpi_plan *plan =
	    es__mpi_scan_plan(s->rank, s->tuple->match);

	return plan == NULL ? PATHS_OK : scan_nonblocking(s, plan->number);
}

/* Adds Init or Finalize, which are collectives of the world. */
static paths_status
scan_world(struct mpi_scan *s, enum es_mpi_trace_kind kind)
{
	uint32_t world = s->rank->comm_count > ES_MPI_COMM_WORLD ?
	    s->rank->comms[ES_MPI_COMM_WORLD] :
	    PATHS_NONE;
	struct es__mpi_entry entry = { .begin = s->at,
		.stream = world == PATHS_NONE ?
		    PATHS_NONE :
		    world + (uint32_t)kind * s->trace->input.comm_count,
		.number = 1,
		.function = s->tuple->op,
		.end = scan_done(s) };

	return scan_add_entry(s, &entry);
}

static paths_status
scan_call(struct mpi_scan *s)
{
	switch (s->kind->role) {
	case ES_MPI_ROLE_SEND:
	case ES_MPI_ROLE_SENDRECV:
		return scan_send(s, true);
	case ES_MPI_ROLE_ISEND:
		return scan_send(s, false);
	case ES_MPI_ROLE_RECV:
		return scan_recv(s);
	case ES_MPI_ROLE_IRECV:
		return scan_irecv(s);
	case ES_MPI_ROLE_ISENDRECV:
		return scan_isendrecv(s);
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_IPROBE:
		return s->tuple->match != 0 ? scan_irecv(s) : PATHS_OK;
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
	case ES_MPI_ROLE_TEST:
		if (!s->kind->completes_none && s->tuple->stop != 0)
			scan_end(s);
		return PATHS_OK;
	case ES_MPI_ROLE_INIT:
		return scan_world(s, ES_MPI_TRACE_INIT);
	case ES_MPI_ROLE_FINALIZE:
		return scan_world(s, ES_MPI_TRACE_FINALIZE);
	default:
		break;
	}
	/* Making a persistent collective does not start it. */
	if (!s->kind->collective || s->kind->persistent)
		return PATHS_OK;
	return s->kind->nonblocking ? scan_nonblocking(s, 0) :
				      scan_collective(s);
}

/* Takes a tuple that belongs to a call. */
static paths_status
scan_belonging(struct mpi_scan *s)
{
	if (s->tuple->op == ES_MPI_COMPLETED) {
		if (s->tuple->match == 0)
			return scan_recv(s);
		if (s->tuple->stop != 0)
			scan_end(s);
		return PATHS_OK;
	}
	switch (s->kind->role) {
	case ES_MPI_ROLE_SEND_INIT:
		return scan_send(s, false);
	case ES_MPI_ROLE_RECV_INIT:
		return scan_irecv(s);
	default:
		return s->kind->collective ? scan_started(s) : PATHS_OK;
	}
}

/* Checks whether calls are missing before the current one.  If so, all halves
   posted before it are uncertain. */
static void
scan_seq(struct mpi_scan *s)
{
	uint32_t ring = s->at.ring - s->found->ring_first;
	bool first = s->at.n == 0;
	bool missing = first ?
	    s->trace->input.rings[s->at.ring].lost > 0 || s->tuple->seq != 0 :
	    s->tuple->seq != s->seq[ring] + 1;

	s->seq[ring] = s->tuple->seq;
	if (!missing)
		return;
	s->found->whole = false;
	s->found->sure_from = s->order;
}

static paths_status
scan_run(struct mpi_scan *s)
{
	paths_status st = PATHS_OK;

	for (uint64_t n = 0; st == PATHS_OK && n < s->found->events; n++) {
		s->at = es_mpi_trace_event(s->trace,
		    (uint32_t)(s->found - s->trace->scans), n);
		s->tuple = es_mpi_trace_tuple(&s->trace->input, s->at);
		s->kind = es__mpi_kind(s->trace, s->tuple->op);
		if (!es_mpi_trace_is_call(&s->trace->input, s->at)) {
			st = scan_belonging(s);
			continue;
		}
		scan_seq(s);
		st = scan_call(s);
	}
	return st;
}

/* Keeps the requests that have not ended, because a thread may wait for
   them. */
static paths_status
scan_pending(const struct mpi_scan *s)
{
	const struct es__mpi_request *r = s->requests.slots;
	struct es__mpi_scan *found = s->found;

	found->pending =
	    malloc((s->requests.count + 1) * sizeof(*found->pending));
	if (found->pending == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for requests");
	for (size_t n = 0; n < s->requests.room; n++)
		if (r[n].number != 0)
			found->pending[found->pending_count++] =
			    (struct es_mpi_at){ r[n].ring, r[n].n };
	return PATHS_OK;
}

static int
half_order(const void *left, const void *right)
{
	const struct es__mpi_half *a = left, *b = right;

	if (a->other != b->other)
		return a->other < b->other ? -1 : 1;
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int
entry_order(const void *left, const void *right)
{
	const struct es__mpi_entry *a = left, *b = right;

	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->plan != b->plan)
		return a->plan < b->plan ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Leaves out halves whose `other` is NO_OTHER, and moves undecided ones to
   `open`. */
static paths_status
scan_sift(struct es__mpi_halves *halves, struct es__mpi_halves *open)
{
	size_t kept = 0;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < halves->count; n++) {
		struct es__mpi_half *half = &halves->list[n];

		if (half->other == NO_OTHER)
			continue;
		if (half->other == PATHS_NONE || half->tag < 0) {
			half->other = PATHS_NONE;
			half->tag = 0;
			st = halves_add(open, half);
			continue;
		}
		halves->list[kept++] = *half;
	}
	halves->count = kept;
	return st;
}

static void
halves_sort(struct es__mpi_halves *halves)
{
	if (halves->count > 0)
		qsort(halves->list, halves->count, sizeof(*halves->list),
		    half_order);
}

static paths_status
scan_finish(struct es__mpi_scan *found)
{
	paths_status st = scan_sift(&found->sends, &found->open);

	found->open.count = 0;
	if (st == PATHS_OK)
		st = scan_sift(&found->receives, &found->open);
	if (st != PATHS_OK)
		return st;
	halves_sort(&found->sends);
	halves_sort(&found->receives);
	halves_sort(&found->open);
	if (found->entries.count > 0)
		qsort(found->entries.list, found->entries.count,
		    sizeof(*found->entries.list), entry_order);
	found->account.sends = found->sends.count;
	found->account.receives = found->receives.count + found->open.count;
	found->account.undecided = found->open.count;
	return PATHS_OK;
}

paths_status
es__mpi_scan(struct es_mpi_trace *trace, uint32_t rank)
{
	struct mpi_scan s = { .trace = trace,
		.rank = &trace->input.ranks[rank],
		.found = &trace->scans[rank] };
	paths_status st = PATHS_OK;

	s.found->whole = true;
	s.seq = calloc(s.found->ring_count + 1, sizeof(*s.seq));
	if (s.seq == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	if (st == PATHS_OK)
		st = es__mpi_order(trace, rank);
	if (st == PATHS_OK)
		st = scan_run(&s);
	if (st == PATHS_OK)
		st = scan_pending(&s);
	if (st == PATHS_OK)
		st = scan_finish(s.found);
	free(s.requests.slots);
	free(s.seq);
	return st;
}
