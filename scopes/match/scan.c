/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/scan.c - finds the halves of messages and the calls of
 * collectives of a rank
 *
 * Takes the tuples of the rank in order, window by window.  The halves of
 * messages are numbered in the order in which the rank posted them: by a
 * blocking call, by making or starting a request, or by a matched probe.  The
 * tuple that ends the request of a receive has the source and tag of the
 * message.
 */

#include "scopes/match/scan_private.h"

#include "scopes/match/order_private.h"
#include "scopes/match/peer_private.h"
#include "scopes/match/request_private.h"
#include "scopes/match/rma_scan_private.h"
#include "scopes/run/array_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <string.h>

struct mpi_scan {
	struct es_mpi_trace *trace;
	const struct es_mpi_trace_rank *rank;
	struct es__mpi_scan *found;
	bool first_pass;
	/* The current tuple. */
	struct es_mpi_at at;
	const struct es_tuple_mpi *tuple;
	const struct es__mpi_kind *kind;
};

/* Returns the rank of the run that is the peer of the tuple.  Returns
   PATHS_NONE when the tuple has no peer, and ES__MPI_UNKNOWN when the peer is
   no rank of the input. */
static uint32_t
scan_peer(const struct mpi_scan *s)
{
	uint32_t peer = es__mpi_peer(s->rank, s->tuple);

	return peer == PATHS_NONE && s->tuple->peer >= 0 ? ES__MPI_UNKNOWN :
							   peer;
}

/* Returns the communicator of the tuple, or PATHS_NONE if it is unknown. */
static uint32_t
scan_comm(const struct mpi_scan *s)
{
	return es__mpi_comm(s->rank, s->tuple);
}

/* Returns the place where a blocking call ends, or NOWHERE while it has not
   returned. */
static struct es_mpi_at
scan_done(const struct mpi_scan *s)
{
	return s->tuple->stop != 0 ? s->at : ES__MPI_NOWHERE;
}

/* Adds a half to a list.  Writes its members directly into the list, because
   copying a struct that was just written member by member stalls the processor
   (store forwarding fails). */
static paths_status
scan_post(struct mpi_scan *s, struct es__mpi_halves *halves,
    struct es_mpi_at done)
{
	struct es__mpi_half *half;
	uint32_t comm = scan_comm(s);

	if (!paths__array_grow(&halves->list, halves->count, &halves->room,
		sizeof(*half)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
	half = &halves->list[halves->count++];
	half->other = comm == PATHS_NONE ? ES__MPI_UNKNOWN : scan_peer(s);
	half->comm = comm != PATHS_NONE && s->kind->partitioned ?
	    comm | ES__MPI_PARTITIONED :
	    comm;
	half->tag = s->tuple->tag;
	half->order = s->found->posted++;
	half->post = s->at;
	half->done = done;
	half->empty = s->tuple->bytes == 0;
	half->request = 0;
	half->slot = PATHS_NONE;
	return PATHS_OK;
}

/* Sets the request of the halves or the entry that a request ends; number 0:
   none. */
static void
request_set_number(struct es__mpi_scan *found, const struct es__mpi_request *of,
    uint32_t number)
{
	if (of->send != PATHS_NONE)
		found->sends.list[of->send].request = number;
	if (of->receive != PATHS_NONE)
		found->receives.list[of->receive].request = number;
	if (of->entry != PATHS_NONE)
		found->entries.list[of->entry].request = number;
}

/* Stores the request of the tuple; `of` has the halves or the entry that end
   when the request ends. */
static paths_status
scan_request(struct mpi_scan *s, struct es__mpi_request of)
{
	const struct es__mpi_request *before;

	of.number = s->tuple->match;
	of.ring = s->at.ring;
	of.n = s->at.n;
	if (of.number == 0)
		return PATHS_OK;
	before = es__mpi_requests_find(&s->found->requests, of.number);
	if (before != NULL)
		request_set_number(s->found, before, 0);
	request_set_number(s->found, &of, of.number);
	return es__mpi_requests_put(&s->found->requests, &of);
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
	    es__mpi_requests_find(&s->found->requests, s->tuple->match) != NULL)
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

/* Ends a send.  Leaves it out if it was cancelled. */
static void
scan_end_send(const struct mpi_scan *s, struct es__mpi_half *half)
{
	if (s->tuple->peer == ES_MPI_PEER_CANCELLED)
		half->other = ES__MPI_UNKNOWN;
	else
		half->done = s->at;
}

static void
scan_end_receive(const struct mpi_scan *s, struct es__mpi_half *half)
{
	if (s->tuple->peer < 0) { /* cancelled, or of MPI_PROC_NULL */
		half->other = ES__MPI_UNKNOWN;
		return;
	}
	half->done = s->at;
	half->empty = s->tuple->bytes == 0;
	half->tag = s->tuple->tag;
	if (half->other != ES__MPI_UNKNOWN)
		half->other = scan_peer(s);
}

/* Describes the current tuple, which is of a call on a window, for
   rma_scan.c. */
static struct es__mpi_rma_step
scan_step(const struct mpi_scan *s)
{
	uint32_t target = scan_peer(s);

	return (struct es__mpi_rma_step){ .at = s->at,
		.tuple = s->tuple,
		.comm = scan_comm(s),
		.target = target == ES__MPI_UNKNOWN ? PATHS_NONE : target,
		.rank = (uint32_t)(s->found - s->trace->scans) };
}

/* Ends the request of an access to a window. */
static paths_status
scan_end_access(struct mpi_scan *s, const struct es__mpi_request *request)
{
	struct es_mpi_at end = s->at;
	struct es__mpi_rma_step access;

	s->at = (struct es_mpi_at){ request->ring, request->n };
	s->tuple = es_mpi_trace_tuple(&s->trace->input, s->at);
	access = scan_step(s);
	s->at = end;
	s->tuple = es_mpi_trace_tuple(&s->trace->input, end);
	return es__mpi_rma_scan_end(&s->found->rma_scan, &access, end);
}

/* Ends the request that the tuple names. */
static paths_status
scan_end(struct mpi_scan *s)
{
	struct es__mpi_request *request =
	    es__mpi_requests_find(&s->found->requests, s->tuple->match);
	paths_status st = PATHS_OK;

	if (request == NULL) {
		s->found->account.unposted += s->tuple->match != 0;
		return PATHS_OK;
	}
	request_set_number(s->found, request, 0);
	if (request->send != PATHS_NONE)
		scan_end_send(s, &s->found->sends.list[request->send]);
	if (request->receive != PATHS_NONE)
		scan_end_receive(s, &s->found->receives.list[request->receive]);
	if (request->entry != PATHS_NONE)
		s->found->entries.list[request->entry].end = s->at;
	if (request->access && s->first_pass)
		st = scan_end_access(s, request);
	es__mpi_requests_drop(&s->found->requests, request);
	return st;
}

/* Returns whether a probe has matched, or matches, the message of a blocking
   receive or probe. */
static bool
scan_matched(const struct mpi_scan *s)
{
	return es_mpi_match_request(s->tuple->match) != 0;
}

static paths_status
scan_recv(struct mpi_scan *s)
{
	if (scan_matched(s)) {
		return s->tuple->stop != 0 ? scan_end(s) : PATHS_OK;
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
		.part = PATHS_NONE,
		.stream = scan_stream(s, ES_MPI_TRACE_COLLECTIVE),
		.number = s->tuple->match,
		.function = s->tuple->op,
		.end = scan_done(s) };

	return scan_add_entry(s, &entry);
}

/* Adds the begin of a collective that ends with a request. */
static paths_status
scan_nonblocking(struct mpi_scan *s, enum es_mpi_trace_kind kind, uint32_t plan)
{
	struct es__mpi_entry entry = { .begin = s->at,
		.part = PATHS_NONE,
		.stream = scan_stream(s, kind),
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

	return plan == NULL ?
	    PATHS_OK :
	    scan_nonblocking(s, ES_MPI_TRACE_COLLECTIVE, plan->number);
}

/* Adds a collective call on a file, unless the number of the file was not
   recorded. */
static paths_status
scan_file(struct mpi_scan *s)
{
	struct es__mpi_entry entry = { .begin = s->at,
		.part = PATHS_NONE,
		.stream = scan_stream(s, ES_MPI_TRACE_FILE),
		.plan = es_mpi_id_of_peer(s->tuple->peer),
		.number = s->tuple->match,
		.function = s->tuple->op,
		.end = scan_done(s) };

	if (entry.plan == 0)
		return PATHS_OK;
	return s->kind->nonblocking ?
	    scan_nonblocking(s, ES_MPI_TRACE_FILE, entry.plan) :
	    scan_add_entry(s, &entry);
}

/* Adds Init or Finalize, which are collectives of the world. */
static paths_status
scan_world(struct mpi_scan *s, enum es_mpi_trace_kind kind)
{
	uint32_t world = s->rank->comm_count > ES_MPI_COMM_WORLD ?
	    s->rank->comms[ES_MPI_COMM_WORLD] :
	    PATHS_NONE;
	struct es__mpi_entry entry = { .begin = s->at,
		.part = PATHS_NONE,
		.stream = world == PATHS_NONE ?
		    PATHS_NONE :
		    world + (uint32_t)kind * s->trace->input.comm_count,
		.number = 1,
		.function = s->tuple->op,
		.end = scan_done(s) };

	return scan_add_entry(s, &entry);
}

/* Takes a call on a window. */
static paths_status
scan_window(struct mpi_scan *s)
{
	struct es__mpi_entry entry = { .begin = s->at,
		.part = PATHS_NONE,
		.stream = scan_stream(s, ES_MPI_TRACE_WINDOW),
		.plan = (uint32_t)s->tuple->tag,
		.number = s->tuple->match,
		.function = s->tuple->op,
		.end = scan_done(s) };
	struct es__mpi_rma_step step = scan_step(s);
	paths_status st = PATHS_OK;

	if (s->first_pass)
		st = es__mpi_rma_scan(&s->found->rma_scan, s->kind->rma, &step);
	if (st != PATHS_OK)
		return st;
	if (s->kind->nonblocking)
		return scan_request(s,
		    (struct es__mpi_request){ .send = PATHS_NONE,
			.receive = PATHS_NONE,
			.entry = PATHS_NONE,
			.access = true });
	return s->kind->rma == ES__MPI_RMA_MEET && s->tuple->tag > 0 ?
	    scan_add_entry(s, &entry) :
	    PATHS_OK;
}

/* Notes which message a probe finds: the first one of its source and tag that
   is received by a receive posted from now on. */
static paths_status
scan_probe(struct mpi_scan *s)
{
	paths_status st = PATHS_OK;

	if (s->first_pass && s->tuple->stop != 0 && s->tuple->peer >= 0)
		st = es__mpi_probes_add(&s->found->probes, s->at,
		    s->found->posted);
	return st == PATHS_OK && scan_matched(s) ? scan_irecv(s) : st;
}

/* Notes that partitions of a started send are ready. */
static paths_status
scan_ready(struct mpi_scan *s)
{
	const struct es__mpi_request *request =
	    es__mpi_requests_find(&s->found->requests, s->tuple->match);

	return !s->first_pass || request == NULL ||
		request->send == PATHS_NONE ?
	    PATHS_OK :
	    es__mpi_probes_ready(&s->found->probes, &s->trace->input,
		(struct es_mpi_at){ request->ring, request->n }, s->at);
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
		return scan_probe(s);
	case ES_MPI_ROLE_IPROBE:
		return scan_matched(s) ? scan_irecv(s) : PATHS_OK;
	case ES_MPI_ROLE_READY:
		return scan_ready(s);
	case ES_MPI_ROLE_PUT:
	case ES_MPI_ROLE_GET:
	case ES_MPI_ROLE_WINDOW:
		return scan_window(s);
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
	case ES_MPI_ROLE_TEST:
		return !s->kind->completes_none && s->tuple->stop != 0 ?
		    scan_end(s) :
		    PATHS_OK;
	case ES_MPI_ROLE_INIT:
		return scan_world(s, ES_MPI_TRACE_INIT);
	case ES_MPI_ROLE_FINALIZE:
		return scan_world(s, ES_MPI_TRACE_FINALIZE);
	default:
		break;
	}
	if (s->kind->file)
		return scan_file(s);
	/* The call that makes a persistent collective does not start it. */
	if (!s->kind->collective || s->kind->persistent)
		return PATHS_OK;
	return s->kind->nonblocking ?
	    scan_nonblocking(s, ES_MPI_TRACE_COLLECTIVE, 0) :
	    scan_collective(s);
}

/* Takes a tuple that belongs to a call. */
static paths_status
scan_belonging(struct mpi_scan *s)
{
	if (s->tuple->op == ES_MPI_COMPLETED) {
		if (s->tuple->match == 0)
			return scan_recv(s);
		return s->tuple->stop != 0 ? scan_end(s) : PATHS_OK;
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
	const struct es_mpi_trace_input *input = &s->trace->input;
	const struct es_mpi_trace_ring *from = &input->rings[s->at.ring];
	bool first = s->at.n == 0;
	bool gap = s->tuple->seq != (first ? 0 : s->found->seq[ring] + 1);
	bool missing = (first && from->lost > 0) ||
	    (gap && !input->ranks[from->rank].phases);

	s->found->seq[ring] = s->tuple->seq;
	if (!missing)
		return;
	s->found->whole = false;
	/* In the second pass, this changes nothing. */
	if (s->found->posted > s->found->sure_from)
		s->found->sure_from = s->found->posted;
}

/* Takes a call and the tuples that belong to it.  The first tuple of a ring may
   belong to a call that is missing. */
static paths_status
scan_tuples(struct mpi_scan *s, uint64_t n, uint64_t end)
{
	uint32_t rank = (uint32_t)(s->found - s->trace->scans);
	bool first = true;
	paths_status st = PATHS_OK;

	for (; st == PATHS_OK && n < end; n++, first = false) {
		s->at = es__mpi_trace_event(s->trace, rank, n);
		s->tuple = es_mpi_trace_tuple(&s->trace->input, s->at);
		s->kind = es__mpi_kind(s->trace, s->tuple->op);
		if (!first || !es_mpi_trace_is_call(&s->trace->input, s->at)) {
			st = scan_belonging(s);
			continue;
		}
		scan_seq(s);
		st = scan_call(s);
	}
	return st;
}

/* ---- from window to window */

/* Keeps the halves that a request may still end. */
static void
halves_carry(struct es__mpi_scan *found, struct es__mpi_halves *halves,
    bool sends)
{
	size_t kept = 0;

	for (size_t n = 0; n < halves->count; n++) {
		struct es__mpi_half *half = &halves->list[n];
		struct es__mpi_request *request;

		if (half->request == 0)
			continue;
		request =
		    es__mpi_requests_find(&found->requests, half->request);
		if (sends)
			request->send = (uint32_t)kept;
		else
			request->receive = (uint32_t)kept;
		halves->list[kept++] = *half;
	}
	halves->count = halves->old = kept;
}

static void
entries_carry(struct es__mpi_scan *found)
{
	struct es__mpi_entries *entries = &found->entries;
	size_t kept = 0;

	for (size_t n = 0; n < entries->count; n++) {
		struct es__mpi_entry *entry = &entries->list[n];

		if (entry->request == 0)
			continue;
		es__mpi_requests_find(&found->requests, entry->request)->entry =
		    (uint32_t)kept;
		entries->list[kept++] = *entry;
	}
	entries->count = entries->old = kept;
}

paths_status
es__mpi_scan_open(struct es_mpi_trace *trace, uint32_t rank)
{
	struct es__mpi_scan *found = &trace->scans[rank];

	found->whole = true;
	found->rma_scan.trace = trace;
	found->rma_scan.found = &found->rma;
	found->seq = calloc(found->ring_count + 1, sizeof(*found->seq));
	found->next = calloc(found->ring_count + 1, sizeof(*found->next));
	found->ahead_ns =
	    calloc(found->ring_count + 1, sizeof(*found->ahead_ns));
	if (found->seq == NULL || found->next == NULL ||
	    found->ahead_ns == NULL)
		return PATHS_ENOMEM;
	return PATHS_OK;
}

void
es__mpi_scan_rewind(struct es_mpi_trace *trace, uint32_t rank)
{
	struct es__mpi_scan *found = &trace->scans[rank];

	memset(found->seq, 0, found->ring_count * sizeof(*found->seq));
	memset(found->next, 0, found->ring_count * sizeof(*found->next));
	free(found->requests.slots);
	found->requests = (struct paths__hash){ 0 };
	found->event_first = found->event_end = found->kept = 0;
	found->posted = 0;
	found->sends.count = found->receives.count = found->entries.count = 0;
	found->account.unposted = found->account.collectives = 0;
}

/* Keeps the requests that have not ended, because a thread may wait for
   them. */
static paths_status
scan_pending(struct es__mpi_scan *found)
{
	const struct es__mpi_request *r = found->requests.slots;

	found->pending =
	    malloc((found->requests.count + 1) * sizeof(*found->pending));
	if (found->pending == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for requests");
	for (size_t n = 0; n < found->requests.room; n++)
		if (r[n].number != 0)
			found->pending[found->pending_count++] =
			    (struct es_mpi_at){ r[n].ring, r[n].n };
	return PATHS_OK;
}

paths_status
es__mpi_scan(struct es_mpi_trace *trace, uint32_t rank)
{
	struct mpi_scan s = { .trace = trace,
		.rank = &trace->input.ranks[rank],
		.found = &trace->scans[rank],
		.first_pass = trace->counting || trace->quota == UINT64_MAX };
	paths_status st = PATHS_OK;
	bool more = true;

	halves_carry(s.found, &s.found->sends, true);
	halves_carry(s.found, &s.found->receives, false);
	entries_carry(s.found);
	es__mpi_order_drop(trace, rank);
	while (more) {
		uint64_t n = s.found->event_end;

		st = es__mpi_order_next(trace, rank, &more);
		if (st == PATHS_OK && more)
			st = scan_tuples(&s, n, s.found->event_end);
		if (st != PATHS_OK)
			return st;
	}
	return trace->last ? scan_pending(s.found) : st;
}
