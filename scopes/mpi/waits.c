/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits.c - finds the wait states of the ranks of a trace
 *
 * Takes the trace window by window.  In a window, first finds the wait states
 * in each collective, then takes the calls of each rank in order, until one
 * ends a message or a collective whose other calls are in a later window.  A
 * call counts once, even when it completes several requests.
 */

#include "scopes/mpi/waits_private.h"

#include "scopes/match/trace_private.h"
#include "scopes/mpi.h"
#include "scopes/mpi/interval_private.h"
#include "scopes/mpi/lost_private.h"
#include "scopes/mpi/waits_cover_private.h"
#include "scopes/mpi/waits_part_private.h"
#include "scopes/mpi/waits_rma_private.h"
#include "scopes/run/work_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* Collectives that a thread works on at a time. */
#define COLLECTIVES_BLOCK 1024u

/* Number of Late Senders that later receives may show to be of wrong order. */
#define LATE_KEPT 100u

/* A Late Sender. */
struct late {
	int64_t sent_ns;
	struct es__doubted wait;
	int64_t lost_ns; /* part of it that follows from lost cores */
	uint32_t site;
	uint32_t waiter, culprit; /* rings */
};

/* The reason why a call waited. */
struct reason {
	int64_t wait_ns;  /* 0: it did not */
	int64_t lost_ns;  /* part of it that follows from lost cores */
	int64_t doubt;	  /* largest error of the times that it is from */
	int64_t sent_ns;  /* of a Late Sender */
	uint32_t culprit; /* ring; PATHS_NONE: there is none */
	enum es__wait_pattern pattern;
	/* Another reason for the first part of the wait; lead.ns 0: none. */
	struct es__mpi_wait lead;
	int64_t lead_doubt;
};

struct waiting_rank;

struct waits_work {
	const struct es_mpi_trace *trace;
	/* Parts of all collectives, or of one: its parts from `first` on. */
	struct es__mpi_waits_part *parts;
	size_t parts_room;
	uint64_t first;
	struct waiting_rank *ranks; /* NULL: only one call */
	struct es__mpi_doubts doubts;
	const struct es__mpi_intervals *intervals; /* NULL: all is measured */
	const struct es__mpi_delays *delays; /* NULL: no time was lost */
	struct es__mpi_waits *waits;
};

/* A rank whose waits are computed. */
struct waiting_rank {
	const struct waits_work *waits_work;
	const struct es_mpi_trace *trace;
	uint32_t rank;
	struct es__mpi_rank_waits *waits;
	uint64_t next; /* tuple of its next call */
	/* The Late Senders that are kept, the oldest at late_first, and the
	   time of the latest send among them. */
	struct late late[LATE_KEPT];
	uint32_t late_first, late_count;
	int64_t late_sent_ns;
	/* The current call. */
	int64_t enter_ns, exit_ns;
	int64_t remain_ns; /* its enter without lost cores */
	uint32_t ring, site;
	bool uncovered; /* a tuple of the call was not searched */
	struct reason receives, sends, collective, window, completion;
};

static int64_t
waiter_ns(const struct waiting_rank *w, uint32_t rank, struct es_mpi_at at)
{
	return es_time_ns(&w->trace->input.ranks[rank].base,
	    es_mpi_trace_tuple(&w->trace->input, at)->start);
}

/* Returns the largest error of the difference of the enter of the call and a
   time of another rank. */
static int64_t
waiter_doubt(const struct waiting_rank *w, uint32_t rank, int64_t ns)
{
	return es__mpi_doubt_between(&w->waits_work->doubts, w->rank, rank,
	    w->enter_ns, ns);
}

static uint32_t
waiter_rank_of(const struct waiting_rank *w, uint32_t ring)
{
	return ring == PATHS_NONE ? ring : w->trace->input.rings[ring].rank;
}

static paths_status
waiter_count(struct waiting_rank *w, const struct late *late,
    enum es__wait_pattern pattern)
{
	paths_status st = es__totals_add(&w->waits->sites, late->site,
	    (uint32_t)pattern, late->wait, late->lost_ns);

	if (st == PATHS_OK)
		st = es__totals_add(&w->waits->pairs,
		    waiter_rank_of(w, late->culprit), (uint32_t)pattern,
		    late->wait, late->lost_ns);
	if (st != PATHS_OK || late->culprit == PATHS_NONE)
		return st;
	return es__totals_add(&w->waits->rings, late->waiter, late->culprit,
	    late->wait, late->lost_ns);
}

/* Makes a Late Sender of the current call. */
static struct late
waiter_late(const struct waiting_rank *w, const struct reason *why)
{
	return (struct late){ .sent_ns = why->sent_ns,
		.wait = es__doubted(why->wait_ns, w->exit_ns - w->enter_ns,
		    why->doubt),
		.lost_ns = why->lost_ns,
		.site = w->site,
		.waiter = w->ring,
		.culprit = why->culprit };
}

/* Counts the first part of a wait, if it has a reason of its own. */
static paths_status
waiter_lead(struct waiting_rank *w, const struct reason *why)
{
	const struct reason lead = { .wait_ns = why->lead.ns,
		.doubt = why->lead_doubt,
		.culprit = why->lead.culprit };
	struct late late;

	if (why->lead.ns == 0)
		return PATHS_OK;
	late = waiter_late(w, &lead);
	return waiter_count(w, &late, why->lead.pattern);
}

static paths_status
waiter_because(struct waiting_rank *w, const struct reason *why)
{
	struct reason rest = *why;
	struct late late;
	paths_status st = waiter_lead(w, why);

	if (st != PATHS_OK)
		return st;
	rest.wait_ns -= why->lead.ns;
	late = waiter_late(w, &rest);
	return waiter_count(w, &late, why->pattern);
}

static struct late *
late_at(struct waiting_rank *w, uint32_t n)
{
	return &w->late[(w->late_first + n) % LATE_KEPT];
}

/* Compares a received message with the Late Senders that are kept: those whose
   message was sent later than this one are of wrong order. */
static paths_status
late_reorder(struct waiting_rank *w, uint32_t source, int64_t sent_ns)
{
	uint32_t kept = 0;
	paths_status st = PATHS_OK;

	if (w->late_count == 0 || sent_ns >= w->late_sent_ns)
		return PATHS_OK;
	w->late_sent_ns = INT64_MIN;
	for (uint32_t n = 0; n < w->late_count; n++) {
		struct late late = *late_at(w, n);

		if (st == PATHS_OK && sent_ns < late.sent_ns) {
			st = waiter_count(w, &late,
			    source == waiter_rank_of(w, late.culprit) ?
				ES__WAIT_ORDER_SAME :
				ES__WAIT_ORDER_OTHER);
			continue;
		}
		*late_at(w, kept++) = late;
		if (late.sent_ns > w->late_sent_ns)
			w->late_sent_ns = late.sent_ns;
	}
	w->late_count = kept;
	return st;
}

static paths_status
late_drop(struct waiting_rank *w)
{
	struct late *oldest = late_at(w, 0);

	w->late_first = (w->late_first + 1) % LATE_KEPT;
	w->late_count--;
	return waiter_count(w, oldest, ES__WAIT_LATE_SENDER);
}

static paths_status
late_keep(struct waiting_rank *w)
{
	paths_status st = PATHS_OK;

	if (w->late_count == LATE_KEPT)
		st = late_drop(w);
	if (w->late_count == 0 || w->receives.sent_ns > w->late_sent_ns)
		w->late_sent_ns = w->receives.sent_ns;
	*late_at(w, w->late_count++) = waiter_late(w, &w->receives);
	return st;
}

/* Returns the part of a wait for a call that follows from lost cores. */
static int64_t
waiter_lost(const struct waiting_rank *w, int64_t wait_ns, int64_t awaited_ns,
    struct es_mpi_at awaited)
{
	const struct es__mpi_delays *delays = w->waits_work->delays;

	return delays == NULL ?
	    0 :
	    es__mpi_delay_part(wait_ns,
		awaited_ns - es__mpi_delay(delays, awaited) - w->remain_ns);
}

/* Takes a message that the current call receives or probes; posted: the tuple
   that posted its send; sent_ns: out, the time from which all of it was
   sent. */
static void
waiter_message(struct waiting_rank *w, struct es_mpi_at posted,
    int64_t *sent_ns_out)
{
	struct es_mpi_at send = es__mpi_message_sent(w->trace, posted);
	uint32_t source = waiter_rank_of(w, send.ring);
	int64_t sent_ns = waiter_ns(w, source, send);
	int64_t until = sent_ns < w->exit_ns ? sent_ns : w->exit_ns;

	*sent_ns_out = sent_ns;
	if (until - w->enter_ns > w->receives.wait_ns)
		w->receives = (struct reason){ .wait_ns = until - w->enter_ns,
			.lost_ns = waiter_lost(w, until - w->enter_ns, sent_ns,
			    send),
			.doubt = waiter_doubt(w, source, sent_ns),
			.sent_ns = sent_ns,
			.culprit = send.ring,
			.pattern = ES__WAIT_LATE_SENDER };
}

/* Takes a receive that ends with the call; send: the tuple that posted its
   send. */
static paths_status
waiter_received(struct waiting_rank *w, struct es_mpi_at send)
{
	int64_t sent_ns;

	waiter_message(w, send, &sent_ns);
	w->waits->message_violations += sent_ns > w->exit_ns;
	return late_reorder(w, waiter_rank_of(w, send.ring), sent_ns);
}

/* Takes a tuple of one-sided communication. */
static void
waiter_window(struct waiting_rank *w, struct es_mpi_at at)
{
	struct es__mpi_rma_wait wait;
	const struct es__mpi_rma_part *last;
	struct reason why;

	es__mpi_waits_rma_call(w->trace, &w->waits_work->doubts, at, &wait);
	if (wait.count == 0)
		return;
	last = &wait.parts[wait.count - 1];
	why = (struct reason){ .wait_ns = last->until_ns - w->enter_ns,
		.doubt = last->doubt,
		.culprit = last->culprit,
		.pattern = last->pattern };
	if (wait.count > 1) {
		why.lead =
		    (struct es__mpi_wait){ wait.parts[0].until_ns - w->enter_ns,
			    wait.parts[0].culprit, wait.parts[0].pattern };
		why.lead_doubt = wait.parts[0].doubt;
	}
	if (why.wait_ns > w->window.wait_ns)
		w->window = why;
}

/* Takes a send that ends with the call; recv: the tuple that posted its
   receive. */
static void
waiter_sent(struct waiting_rank *w, struct es_mpi_at recv)
{
	uint32_t receiver = waiter_rank_of(w, recv.ring);
	int64_t posted_ns = waiter_ns(w, receiver, recv);

	if (posted_ns < w->exit_ns &&
	    posted_ns - w->enter_ns > w->sends.wait_ns)
		w->sends = (struct reason){ .wait_ns = posted_ns - w->enter_ns,
			.lost_ns = waiter_lost(w, posted_ns - w->enter_ns,
			    posted_ns, recv),
			.doubt = waiter_doubt(w, receiver, posted_ns),
			.culprit = recv.ring,
			.pattern = ES__WAIT_LATE_RECEIVER };
}

static void
waiter_collective(struct waiting_rank *w, uint32_t number)
{
	const struct es__mpi_waits_part *part =
	    &w->waits_work->parts[number - w->waits_work->first];

	w->completion = (struct reason){ .wait_ns = part->completion_ns,
		.doubt = part->completion_doubt,
		.culprit = PATHS_NONE,
		.pattern = part->completion };
	w->waits->collective_violations += part->violation;
	if (part->wait_ns > w->collective.wait_ns)
		w->collective = (struct reason){ .wait_ns = part->wait_ns,
			.lost_ns = part->lost_ns,
			.doubt = part->wait_doubt,
			.culprit = part->culprit,
			.pattern = part->pattern,
			.lead = { part->early_ns, part->early_culprit,
			    ES__WAIT_EARLY_FENCE },
			.lead_doubt = part->early_doubt };
}

/* Returns whether a tuple may be of one-sided communication: of a call on a
   window, or the end of a request that is no message and no collective. */
static bool
waiter_may_access(const struct waiting_rank *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);
	const struct es_tuple_mpi *t = es_mpi_trace_tuple(&w->trace->input, at);

	if (w->trace->scans[w->rank].rma.call_count == 0)
		return false;
	return es__mpi_kind(w->trace, t->op)->rma != ES__MPI_RMA_NOTHING ||
	    (t->match != 0 && es__mpi_at_none(link->sent) &&
		es__mpi_at_none(link->received) &&
		link->collective == PATHS_NONE);
}

static paths_status
waiter_tuple(struct waiting_rank *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);
	uint32_t op = es_mpi_trace_tuple(&w->trace->input, at)->op;
	paths_status st = PATHS_OK;
	int64_t sent_ns;

	w->completion = (struct reason){ 0 };
	if (link->sent.ring < ES__MPI_LATER)
		waiter_sent(w, link->sent);
	if (link->received.ring >= ES__MPI_LATER)
		;
	else if (es__mpi_kind(w->trace, op)->role == ES_MPI_ROLE_PROBE)
		waiter_message(w, link->received, &sent_ns);
	else
		st = waiter_received(w, link->received);
	if (st == PATHS_OK && link->collective != PATHS_NONE)
		waiter_collective(w, link->collective);
	if (waiter_may_access(w, at))
		waiter_window(w, at);
	return st;
}

static void
waiter_begin(struct waiting_rank *w, struct es_mpi_at at,
    const struct es_tuple_mpi *call)
{
	const struct es_timebase *base = &w->trace->input.ranks[w->rank].base;

	w->enter_ns = es_time_ns(base, call->start);
	w->exit_ns = es_time_ns(base, call->stop);
	w->remain_ns = w->enter_ns - es__mpi_delay(w->waits_work->delays, at);
	w->ring = at.ring;
	w->site = call->site;
	w->uncovered = false;
	w->receives = w->sends = w->collective = w->window =
	    (struct reason){ 0 };
}

/* Returns the reason of the current call: the longest wait of its receives, its
   collective and its accesses to windows; without these, that of its sends;
   NULL: it did not wait. */
static const struct reason *
waiter_reason(const struct waiting_rank *w, const struct es_tuple_mpi *call)
{
	const struct reason *other = w->window.wait_ns > w->collective.wait_ns ?
	    &w->window :
	    &w->collective;

	if (es__mpi_kind(w->trace, call->op)->role == ES_MPI_ROLE_TEST)
		return NULL;
	if (w->receives.wait_ns > 0 && w->receives.wait_ns >= other->wait_ns)
		return &w->receives;
	if (other->wait_ns > 0)
		return other;
	return w->sends.wait_ns > 0 ? &w->sends : NULL;
}

/* Returns the measured time of the current call. */
static int64_t
waiter_measured(const struct waiting_rank *w)
{
	const struct es__mpi_intervals *all = w->waits_work->intervals;

	/* A rank has the number of its process. */
	return all == NULL ?
	    w->exit_ns - w->enter_ns :
	    es__mpi_interval_part(&all->of[w->rank], w->enter_ns, w->exit_ns);
}

/* Adds the current call to the sums of its function. */
static void
waiter_sum(struct waiting_rank *w, const struct es_tuple_mpi *call,
    const struct reason *why)
{
	struct es__mpi_function_waits *f;
	int64_t measured = waiter_measured(w);

	if (call->stop == 0 || call->op >= w->trace->kind_count)
		return;
	f = &w->waits->functions[call->op];
	f->calls++;
	f->time_ns += measured;
	f->uncovered_ns += w->uncovered ? measured : 0;
	if (why != NULL)
		f->wait_ns += why->wait_ns < measured ? why->wait_ns : measured;
}

static paths_status
waiter_end(struct waiting_rank *w, const struct es_tuple_mpi *call)
{
	const struct reason *why = waiter_reason(w, call);

	waiter_sum(w, call, why);
	if (why == &w->receives)
		return late_keep(w);
	return why == NULL ? PATHS_OK : waiter_because(w, why);
}

/* Takes the call at n with the tuples that belong to it; next: out, the next
   call. */
static paths_status
waiter_call(struct waiting_rank *w, uint64_t n, uint64_t *next)
{
	const struct es_mpi_trace_input *input = &w->trace->input;
	uint64_t count = es_mpi_trace_events(w->trace, w->rank);
	struct es_mpi_at at = es_mpi_trace_event(w->trace, w->rank, n);
	const struct es_tuple_mpi *call = es_mpi_trace_tuple(input, at);
	paths_status st = PATHS_OK;

	waiter_begin(w, at, call);
	do {
		if (st == PATHS_OK)
			st = waiter_tuple(w, at);
		w->uncovered |= !es__waits_covered(w->trace, at, call);
		if (st == PATHS_OK && w->completion.wait_ns > 0)
			st = waiter_because(w, &w->completion);
		if (++n == count)
			break;
		at = es_mpi_trace_event(w->trace, w->rank, n);
	} while (!es_mpi_trace_is_call(input, at));
	*next = n;
	return st == PATHS_OK ? waiter_end(w, call) : st;
}

/* Returns whether the waits of a tuple depend on no later window.  Receives
   that are posted in a later window are after the exit of a call that ends
   before it, so its sends did not wait for them. */
static bool
waiter_tuple_is_decided(const struct waiting_rank *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	if (link->received.ring == ES__MPI_LATER ||
	    link->collective == ES__MPI_LATER)
		return false;
	return link->sent.ring != ES__MPI_LATER ||
	    es_time_ns(&w->trace->input.ranks[w->rank].base,
		es_mpi_trace_tuple(&w->trace->input, at)->stop) <
	    w->trace->until_ns;
}

/* Returns the same of the call at n. */
static bool
waiter_is_decided(const struct waiting_rank *w, uint64_t n)
{
	uint64_t count = es_mpi_trace_events(w->trace, w->rank);
	struct es_mpi_at at = es_mpi_trace_event(w->trace, w->rank, n);

	if (w->trace->last)
		return true;
	do {
		if (!waiter_tuple_is_decided(w, at))
			return false;
		if (++n == count)
			break;
		at = es_mpi_trace_event(w->trace, w->rank, n);
	} while (!es_mpi_trace_is_call(&w->trace->input, at));
	return true;
}

/* Takes the calls of a rank that are decided. */
static paths_status
waits_rank(void *context, size_t item, void *result)
{
	struct waits_work *e = context;
	struct waiting_rank *w = &e->ranks[item];
	uint64_t count = es_mpi_trace_events(e->trace, (uint32_t)item);
	paths_status st = PATHS_OK;

	(void)result;
	while (
	    st == PATHS_OK && w->next < count && waiter_is_decided(w, w->next))
		st = waiter_call(w, w->next, &w->next);
	if (!e->trace->last || st != PATHS_OK)
		return st;
	while (st == PATHS_OK && w->late_count > 0)
		st = late_drop(w);
	if (st != PATHS_OK)
		return st;
	es__totals_sort(&w->waits->sites);
	es__totals_sort(&w->waits->pairs);
	es__totals_sort(&w->waits->rings);
	return PATHS_OK;
}

static paths_status
waits_collectives(void *context, size_t item, void *result)
{
	struct waits_work *e = context;
	uint64_t begin = (uint64_t)item * COLLECTIVES_BLOCK;
	const struct es_mpi_trace_collective *c;

	(void)result;
	for (uint64_t n = begin; n < begin + COLLECTIVES_BLOCK &&
	     (c = es_mpi_trace_collective(e->trace, n)) != NULL;
	     n++)
		es__mpi_waits_part_fill(e->trace, &e->doubts, e->delays, c,
		    &e->parts[c->first]);
	return PATHS_OK;
}

/* Returns tuples of a member of the first collective of a block. */
static const void *
waits_collectives_reads(const void *context, size_t item)
{
	const struct es_mpi_trace *trace =
	    ((const struct waits_work *)context)->trace;
	const struct es_mpi_trace_collective *c =
	    es_mpi_trace_collective(trace, (uint64_t)item * COLLECTIVES_BLOCK);

	return es_mpi_trace_tuple(&trace->input,
	    es_mpi_trace_parts(trace, c)[0].begin);
}

/* Puts or gets the wait states of a block of collectives. */
static void
waits_collectives_exchange(const struct waits_work *e, size_t item,
    struct es__pack *pack, bool put)
{
	uint64_t begin = (uint64_t)item * COLLECTIVES_BLOCK;
	const struct es_mpi_trace_collective *c;

	for (uint64_t n = begin; n < begin + COLLECTIVES_BLOCK &&
	     (c = es_mpi_trace_collective(e->trace, n)) != NULL;
	     n++) {
		struct es__mpi_waits_part *parts = &e->parts[c->first];
		size_t bytes =
		    e->trace->input.comms[c->comm].count * sizeof(*parts);

		if (put)
			es__pack_put(pack, parts, bytes);
		else
			es__pack_get(pack, parts, bytes);
	}
}

static void
waits_collectives_pack(const void *context, size_t item, struct es__pack *pack)
{
	waits_collectives_exchange(context, item, pack, true);
}

static void
waits_collectives_unpack(void *context, size_t item, struct es__pack *pack)
{
	waits_collectives_exchange(context, item, pack, false);
}

static const void *
waits_rank_reads(const void *context, size_t item)
{
	const struct es_mpi_trace *trace =
	    ((const struct waits_work *)context)->trace;
	const struct es__mpi_scan *scan = &trace->scans[item];

	return scan->events == 0 ?
	    NULL :
	    es_mpi_trace_tuple(&trace->input,
		(struct es_mpi_at){ scan->ring_first, 0 });
}

static void
waits_rank_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es__mpi_waits *waits =
	    ((const struct waits_work *)context)->waits;
	const struct es__mpi_rank_waits *rank = &waits->ranks[item];

	es__pack_put(pack, rank, sizeof(*rank));
	es__pack_put_array(pack, rank->functions, waits->function_count,
	    sizeof(*rank->functions));
	es__totals_pack(&rank->sites, pack);
	es__totals_pack(&rank->pairs, pack);
	es__totals_pack(&rank->rings, pack);
}

static void
waits_rank_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es__mpi_rank_waits *rank =
	    &((struct waits_work *)context)->waits->ranks[item];
	size_t functions;

	free(rank->functions);
	es__pack_get(pack, rank, sizeof(*rank));
	rank->functions =
	    es__pack_get_array(pack, &functions, sizeof(*rank->functions));
	es__totals_unpack(&rank->sites, pack);
	es__totals_unpack(&rank->pairs, pack);
	es__totals_unpack(&rank->rings, pack);
}

/* Finds the wait states of a window. */
static paths_status
waits_window(struct waits_work *e, unsigned threads)
{
	uint64_t collectives = e->trace->collective_count;
	struct es__work first = { .count = (size_t)((collectives +
							COLLECTIVES_BLOCK - 1) /
				      COLLECTIVES_BLOCK),
		.context = e,
		.work = waits_collectives,
		.reads = waits_collectives_reads,
		.pack = waits_collectives_pack,
		.unpack = waits_collectives_unpack };
	struct es__work then = { .count = e->trace->input.rank_count,
		.context = e,
		.work = waits_rank,
		.reads = waits_rank_reads,
		.pack = waits_rank_pack,
		.unpack = waits_rank_unpack };
	paths_status st;

	if (!paths__array_reserve(&e->parts, (size_t)e->trace->part_count + 1,
		&e->parts_room, sizeof(*e->parts)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	st = es__work_run(&first, threads);
	return st == PATHS_OK ? es__work_run(&then, threads) : st;
}

static void
waits_account(const struct waits_work *e)
{
	for (uint32_t r = 0; r < e->waits->rank_count; r++) {
		e->waits->ranks[r].account = *es_mpi_trace_account(e->trace, r);
		e->waits->ranks[r].events = es_mpi_trace_events(e->trace, r);
	}
}

static paths_status
waits_prepare(struct waits_work *e, const struct es_mpi_trace *trace)
{
	e->trace = trace;
	e->waits->function_count = trace->kind_count;
	for (uint32_t r = 0; r < e->waits->rank_count; r++) {
		struct es__mpi_rank_waits *waits = &e->waits->ranks[r];

		waits->functions = calloc((size_t)trace->kind_count + 1,
		    sizeof(*waits->functions));
		if (waits->functions == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for waits");
		e->ranks[r] = (struct waiting_rank){ .waits_work = e,
			.trace = trace,
			.rank = r,
			.waits = waits };
	}
	return PATHS_OK;
}

static paths_status
waits_windows(struct waits_work *e, struct es_mpi_trace *trace,
    unsigned threads)
{
	paths_status st = waits_prepare(e, trace);
	bool more = true;

	while (st == PATHS_OK && more) {
		st = es__mpi_trace_next(trace);
		if (st == PATHS_OK)
			st = waits_window(e, threads);
		for (uint32_t r = 0; st == PATHS_OK && r < e->waits->rank_count;
		     r++)
			es__mpi_trace_keep(trace, r, e->ranks[r].next);
		more = !trace->last;
	}
	if (st == PATHS_OK)
		waits_account(e);
	return st;
}

paths_status
es__mpi_waits_compute(const struct es_mpi_trace_input *input,
    struct es_analysis *a, unsigned threads, uint64_t quota,
    struct es__mpi_waits *waits)
{
	struct es__mpi_delays delays = { .rings = NULL };
	struct waits_work e = { .waits = waits };
	struct es_mpi_trace *trace = NULL;
	paths_status st = PATHS_ENOMEM;

	waits->rank_count = input->rank_count;
	waits->ranks =
	    calloc((size_t)input->rank_count + 1, sizeof(*waits->ranks));
	e.ranks = calloc((size_t)input->rank_count + 1, sizeof(*e.ranks));
	if (waits->ranks != NULL && e.ranks != NULL)
		st = es__mpi_doubts_init(&e.doubts, a, input->rank_count);
	if (st == PATHS_OK && a != NULL)
		st = es__mpi_intervals_get(a, &e.intervals);
	if (st == PATHS_OK)
		st = es__mpi_lost_delays(input, threads, a, &e.doubts, &delays,
		    &waits->sampled);
	if (delays.rings != NULL)
		e.delays = &delays;
	st = st == PATHS_OK ?
	    es__mpi_trace_begin(input, threads, quota, false, &trace) :
	    paths_log_fail(st, "no memory for waits");
	if (st == PATHS_OK)
		st = waits_windows(&e, trace, threads);
	es_mpi_trace_close(trace);
	es__mpi_delays_fini(&delays);
	es__mpi_doubts_fini(&e.doubts);
	free(e.parts);
	free(e.ranks);
	return st;
}

void
es__mpi_waits_fini(struct es__mpi_waits *waits)
{
	for (uint32_t r = 0; waits->ranks != NULL && r < waits->rank_count;
	     r++) {
		es__totals_fini(&waits->ranks[r].sites);
		es__totals_fini(&waits->ranks[r].pairs);
		es__totals_fini(&waits->ranks[r].rings);
		free(waits->ranks[r].functions);
	}
	free(waits->ranks);
}

/* Finds the wait states of the collective that ends with a tuple, if there is
   one. */
static paths_status
call_part(struct waits_work *e, struct es__mpi_call *call, struct es_mpi_at at)
{
	uint32_t part = es__mpi_link(e->trace, at)->collective;
	const struct es_mpi_trace_collective *c;

	if (part == PATHS_NONE)
		return PATHS_OK;
	c = es_mpi_trace_collective_of(e->trace, part);
	if (!paths__array_reserve(&call->parts,
		e->trace->input.comms[c->comm].count, &call->room,
		sizeof(*call->parts)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	es__mpi_waits_part_fill(e->trace, &e->doubts, NULL, c, call->parts);
	e->parts = call->parts;
	e->first = c->first;
	return PATHS_OK;
}

/* Returns a wait without its first part, if that has a reason of its own. */
static struct es__mpi_wait
call_wait(const struct reason *why)
{
	return why == NULL || why->wait_ns <= 0 ?
	    (struct es__mpi_wait){ 0 } :
	    (struct es__mpi_wait){ why->wait_ns - why->lead.ns, why->culprit,
		    why->pattern };
}

paths_status
es__mpi_call_waits(const struct es_mpi_trace *trace, struct es_mpi_at at,
    struct es__mpi_call *call)
{
	const struct es_mpi_trace_ring *ring = &trace->input.rings[at.ring];
	const struct es_tuple_mpi *tuple =
	    es_mpi_trace_tuple(&trace->input, at);
	struct es__mpi_rank_waits uncounted = { 0 };
	struct waits_work e = { .trace = trace };
	struct waiting_rank w = { .waits_work = &e,
		.trace = trace,
		.rank = ring->rank,
		.waits = &uncounted };
	struct reason completion = { 0 };
	const struct reason *why;
	paths_status st;

	waiter_begin(&w, at, tuple);
	do {
		st = call_part(&e, call, at);
		if (st == PATHS_OK)
			st = waiter_tuple(&w, at);
		if (w.completion.wait_ns > completion.wait_ns)
			completion = w.completion;
		at.n++;
	} while (st == PATHS_OK && at.n < ring->count &&
	    !es_mpi_trace_is_call(&trace->input, at));
	call->end = at.n;
	call->enter_ns = w.enter_ns;
	call->exit_ns = w.exit_ns;
	why = waiter_reason(&w, tuple);
	call->lead = why == NULL ? (struct es__mpi_wait){ 0 } : why->lead;
	call->wait = call_wait(why);
	call->completion = call_wait(&completion);
	return st;
}
