/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waiter.c - finds the wait states in the calls of a rank
 *
 * A call counts once, even if it completes several requests.
 */

#include "scopes/mpi/waiter_private.h"

#include "scopes/mpi/waiter_unsure_private.h"
#include "scopes/mpi/waits_cover_private.h"
#include "scopes/mpi/waits_rma_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/operation.h"

static int64_t
waiter_ns(const struct es__waiter *w, uint32_t rank, struct es_mpi_at at)
{
	return es_time_ns(&w->trace->input.ranks[rank].base,
	    es_mpi_trace_tuple(&w->trace->input, at)->start);
}

/* Returns the largest error of the difference of the enter of the call and a
   time of another rank. */
static int64_t
waiter_doubt(const struct es__waiter *w, uint32_t rank, int64_t ns)
{
	return es__mpi_doubt_between(&w->waits_work->doubts, w->rank, rank,
	    w->enter_ns, ns);
}

static uint32_t
waiter_rank_of(const struct es__waiter *w, uint32_t ring)
{
	return ring == PATHS_NONE ? ring : w->trace->input.rings[ring].rank;
}

static paths_status
waiter_count(struct es__waiter *w, const struct es__wait_late *late,
    enum es__wait_pattern pattern)
{
	paths_status st;

	if (late->wait.ns <= 0)
		return PATHS_OK;
	st = es__totals_add(&w->waits->sites, late->site, (uint32_t)pattern,
	    late->wait, late->lost_ns);
	if (st == PATHS_OK)
		st = es__totals_add(&w->waits->calls, late->site, late->op,
		    late->wait, late->lost_ns);
	if (st == PATHS_OK)
		st = es__totals_add(&w->waits->pairs,
		    waiter_rank_of(w, late->culprit), (uint32_t)pattern,
		    late->wait, late->lost_ns);
	if (st != PATHS_OK || late->culprit == PATHS_NONE)
		return st;
	return es__totals_add(&w->waits->rings, late->waiter, late->culprit,
	    late->wait, late->lost_ns);
}

/* Returns the part of a wait of the current call that is inside the measured
   interval; from_ns: begin of the wait.  The part that follows from lost cores
   is at the end of the wait. */
static struct es__wait_late
waiter_late(const struct es__waiter *w, const struct es__wait_reason *why,
    int64_t from_ns)
{
	int64_t ns = es__waiter_inside(w, from_ns, why->wait_ns);

	return (struct es__wait_late){ .sent_ns = why->sent_ns,
		.wait = es__doubted(ns, w->exit_ns - w->enter_ns, why->doubt),
		.lost_ns = why->lost_ns < ns ? why->lost_ns : ns,
		.site = w->site,
		.op = w->op,
		.waiter = w->ring,
		.culprit = why->culprit };
}

/* Counts a wait of the current call that begins at a time. */
static paths_status
waiter_part(struct es__waiter *w, const struct es__wait_reason *why,
    int64_t from_ns)
{
	struct es__wait_late late = waiter_late(w, why, from_ns);

	return waiter_count(w, &late, why->pattern);
}

/* Counts the wait of the current call; its first part may have a reason of its
   own. */
static paths_status
waiter_because(struct es__waiter *w, const struct es__wait_reason *why)
{
	int64_t rest_ns = why->wait_ns - why->lead.ns;
	const struct es__wait_reason lead = { .wait_ns = why->lead.ns,
		.lost_ns = why->lost_ns > rest_ns ? why->lost_ns - rest_ns : 0,
		.doubt = why->lead_doubt,
		.culprit = why->lead.culprit,
		.pattern = why->lead.pattern };
	struct es__wait_reason rest = *why;
	paths_status st = waiter_part(w, &lead, w->enter_ns);

	rest.wait_ns = rest_ns;
	return st == PATHS_OK ?
	    waiter_part(w, &rest, w->enter_ns + lead.wait_ns) :
	    st;
}

static struct es__wait_late *
late_at(struct es__waiter *w, uint32_t n)
{
	return &w->late[(w->late_first + n) % ES__WAIT_LATE_KEPT];
}

/* Finds, among the kept Late Senders, those whose message was sent later than
   this received message.  They are of wrong order. */
static paths_status
late_reorder(struct es__waiter *w, uint32_t source, int64_t sent_ns)
{
	uint32_t kept = 0;
	paths_status st = PATHS_OK;

	if (w->late_count == 0 || sent_ns >= w->late_sent_ns)
		return PATHS_OK;
	w->late_sent_ns = INT64_MIN;
	for (uint32_t n = 0; n < w->late_count; n++) {
		struct es__wait_late late = *late_at(w, n);

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
late_drop(struct es__waiter *w)
{
	struct es__wait_late *oldest = late_at(w, 0);

	w->late_first = (w->late_first + 1) % ES__WAIT_LATE_KEPT;
	w->late_count--;
	return waiter_count(w, oldest, ES__WAIT_LATE_SENDER);
}

static paths_status
late_keep(struct es__waiter *w)
{
	paths_status st = PATHS_OK;

	if (w->late_count == ES__WAIT_LATE_KEPT)
		st = late_drop(w);
	if (w->late_count == 0 || w->receives.sent_ns > w->late_sent_ns)
		w->late_sent_ns = w->receives.sent_ns;
	*late_at(w, w->late_count++) =
	    waiter_late(w, &w->receives, w->enter_ns);
	return st;
}

/* Returns the part of a wait for a call that follows from lost cores. */
static int64_t
waiter_lost(const struct es__waiter *w, int64_t wait_ns, int64_t awaited_ns,
    struct es_mpi_at awaited)
{
	const struct es__mpi_delays *delays = w->waits_work->delays;

	return delays == NULL ?
	    0 :
	    es__mpi_delay_part(wait_ns,
		awaited_ns - es__mpi_delay(delays, awaited) - w->remain_ns);
}

/* Returns the wait of the current call up to a time, for the start of a tuple
   of another rank. */
static struct es__wait_reason
waiter_until(const struct es__waiter *w, int64_t until_ns, int64_t awaited_ns,
    struct es_mpi_at awaited, enum es__wait_pattern pattern)
{
	int64_t ns = until_ns - w->enter_ns;

	return (struct es__wait_reason){ .wait_ns = ns,
		.lost_ns = waiter_lost(w, ns, awaited_ns, awaited),
		.doubt = waiter_doubt(w, waiter_rank_of(w, awaited.ring),
		    awaited_ns),
		.sent_ns = awaited_ns,
		.culprit = awaited.ring,
		.pattern = pattern };
}

/* Takes a message that the current call receives or probes; posted: the tuple
   that posted its send.  Returns the time from which all of it was sent. */
static int64_t
waiter_message(struct es__waiter *w, struct es_mpi_at posted)
{
	struct es_mpi_at send = es__mpi_message_sent(w->trace, posted);
	uint32_t source = waiter_rank_of(w, send.ring);
	int64_t sent_ns = waiter_ns(w, source, send);
	int64_t until = sent_ns < w->exit_ns ? sent_ns : w->exit_ns;

	if (until - w->enter_ns > w->receives.wait_ns)
		w->receives =
		    waiter_until(w, until, sent_ns, send, ES__WAIT_LATE_SENDER);
	return sent_ns;
}

/* Takes a receive that ends with the call; send: the tuple that posted its
   send. */
static paths_status
waiter_received(struct es__waiter *w, struct es_mpi_at send)
{
	int64_t sent_ns = waiter_message(w, send);

	w->waits->message_violations += sent_ns > w->exit_ns;
	return late_reorder(w, waiter_rank_of(w, send.ring), sent_ns);
}

/* Takes a tuple of one-sided communication. */
static void
waiter_window(struct es__waiter *w, struct es_mpi_at at)
{
	struct es__mpi_rma_wait wait;
	const struct es__mpi_rma_part *last;
	struct es__wait_reason why;

	if (es_mpi_trace_tuple(&w->trace->input, at)->stop == 0)
		return;
	es__mpi_waits_rma_call(w->trace, &w->waits_work->doubts, at, &wait);
	if (wait.count == 0)
		return;
	last = &wait.parts[wait.count - 1];
	why = (struct es__wait_reason){ .wait_ns = last->until_ns - w->enter_ns,
		.lost_ns = waiter_lost(w, last->until_ns - w->enter_ns,
		    last->until_ns, last->call),
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
waiter_sent(struct es__waiter *w, struct es_mpi_at recv)
{
	uint32_t receiver = waiter_rank_of(w, recv.ring);
	int64_t posted_ns = waiter_ns(w, receiver, recv);

	if (posted_ns < w->exit_ns &&
	    posted_ns - w->enter_ns > w->sends.wait_ns)
		w->sends = waiter_until(w, posted_ns, posted_ns, recv,
		    ES__WAIT_LATE_RECEIVER);
}

static void
waiter_collective(struct es__waiter *w, uint32_t number)
{
	const struct es__mpi_waits_part *part =
	    &w->waits_work->parts[number - w->waits_work->first];

	w->completion =
	    (struct es__wait_reason){ .wait_ns = part->completion_ns,
		    .doubt = part->completion_doubt,
		    .culprit = PATHS_NONE,
		    .pattern = part->completion };
	w->waits->collective_violations += part->violation;
	w->waits->other_roots += part->other_root;
	if (part->wait_ns > w->collective.wait_ns)
		w->collective =
		    (struct es__wait_reason){ .wait_ns = part->wait_ns,
			    .lost_ns = part->lost_ns,
			    .doubt = part->wait_doubt,
			    .culprit = part->culprit,
			    .pattern = part->pattern,
			    .lead = { part->early_ns, part->early_culprit,
				part->early },
			    .lead_doubt = part->early_doubt };
}

/* Returns whether a tuple may be of one-sided communication: of a call on a
   window, or the end of a request that is no message and no collective. */
static bool
waiter_may_access(const struct es__waiter *w, struct es_mpi_at at)
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

/* Finds the wait of the current call for the progress of the peer that posted
   the other half of a message. */
static void
waiter_progress(struct es__waiter *w, struct es_mpi_at half)
{
	int64_t known_ns =
	    w->receives.wait_ns > 0 ? w->receives.wait_ns : w->sends.wait_ns;
	struct es__peer_progress found;

	if (es__peer_progress_find(w->trace, half, w->enter_ns + known_ns,
		w->exit_ns, &found) &&
	    found.stop_ns > w->progress.stop_ns)
		w->progress = found;
}

static paths_status
waiter_tuple(struct es__waiter *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);
	uint32_t op = es_mpi_trace_tuple(&w->trace->input, at)->op;
	struct es_mpi_at taker = es__peer_progress_persistent(w->trace, at);
	paths_status st = PATHS_OK;

	w->completion.wait_ns = 0;
	if (es__mpi_at_known(link->sent)) {
		waiter_sent(w, link->sent);
		waiter_progress(w, link->sent);
	}
	if (!es__mpi_at_none(taker))
		waiter_progress(w, taker);
	w->unsure += link->sent.ring == ES__MPI_UNSURE;
	if (!es__mpi_at_known(link->received))
		;
	else if (es__mpi_kind(w->trace, op)->role == ES_MPI_ROLE_PROBE)
		(void)waiter_message(w, link->received);
	else
		st = waiter_received(w, link->received);
	if (es__mpi_at_known(link->received))
		waiter_progress(w, link->received);
	if (st == PATHS_OK && link->collective != PATHS_NONE)
		waiter_collective(w, link->collective);
	if (waiter_may_access(w, at))
		waiter_window(w, at);
	return st;
}

static void
waiter_begin(struct es__waiter *w, struct es_mpi_at at,
    const struct es_tuple_mpi *call)
{
	const struct es_timebase *base = &w->trace->input.ranks[w->rank].base;

	w->enter_ns = es_time_ns(base, call->start);
	w->exit_ns = es_time_ns(base, call->stop);
	w->remain_ns = w->enter_ns - es__mpi_delay(w->waits_work->delays, at);
	w->ring = at.ring;
	w->site = call->site;
	w->op = call->op;
	w->uncovered = false;
	w->unsure = 0;
	/* Other members of a reason are only read if it has a wait. */
	w->receives.wait_ns = w->sends.wait_ns = w->collective.wait_ns =
	    w->window.wait_ns = 0;
	w->progress.stop_ns = INT64_MIN;
}

/* Returns the reason for the wait of the current call: the longest wait of its
   receives, its collective and its accesses to windows, or, if there is none,
   of its sends; NULL: it did not wait. */
static const struct es__wait_reason *
waiter_reason(const struct es__waiter *w, const struct es_tuple_mpi *call)
{
	const struct es__wait_reason *other =
	    w->window.wait_ns > w->collective.wait_ns ? &w->window :
							&w->collective;

	if (es__mpi_kind(w->trace, call->op)->role == ES_MPI_ROLE_TEST)
		return NULL;
	if (w->receives.wait_ns > 0 && w->receives.wait_ns >= other->wait_ns)
		return &w->receives;
	if (other->wait_ns > 0)
		return other;
	return w->sends.wait_ns > 0 ? &w->sends : NULL;
}

/* Sets the second wait of the current call, after that of `why`, from a time
   on. */
static void
waiter_behind_set(struct es__waiter *w, const struct es__wait_reason *why,
    const struct es__wait_reason *behind, int64_t from_ns)
{
	int64_t ns = w->enter_ns + behind->wait_ns - from_ns;

	if (ns <= w->behind.wait_ns)
		return;
	w->behind_ns = from_ns;
	w->behind = *behind;
	w->behind.wait_ns = ns;
	/* The first wait already contains the time that was lost before. */
	if (why != NULL)
		w->behind.lost_ns -= why->lost_ns;
	if (w->behind.lost_ns < 0)
		w->behind.lost_ns = 0;
	if (w->behind.lost_ns > ns)
		w->behind.lost_ns = ns;
}

/* Finds the second wait of the current call: for the progress of a peer, or of
   a send after waits of receives. */
static void
waiter_behind(struct es__waiter *w, const struct es_tuple_mpi *call,
    const struct es__wait_reason *why)
{
	struct es__peer_progress *p = &w->progress;
	int64_t from_ns = w->enter_ns + (why == NULL ? 0 : why->wait_ns);
	struct es__wait_reason found;

	w->behind.wait_ns = 0;
	if (es__mpi_kind(w->trace, call->op)->role == ES_MPI_ROLE_TEST)
		return;
	if (why == &w->receives &&
	    es__peer_progress_ends(from_ns, w->enter_ns + w->sends.wait_ns,
		w->exit_ns))
		waiter_behind_set(w, why, &w->sends, from_ns);
	if (p->stop_ns == INT64_MIN ||
	    !es__peer_progress_cut(p, from_ns, w->exit_ns))
		return;
	found = waiter_until(w, p->stop_ns, p->stop_ns, p->comes,
	    ES__WAIT_PEER_PROGRESS);
	waiter_behind_set(w, why, &found, p->start_ns);
}

/* Adds a wait of the current call to its step. */
static void
waiter_step(struct es__waiter *w, const struct es_tuple_mpi *call, int64_t ns)
{
	const struct es__phases *phases = w->waits_work->phases;
	const struct es__phase_part *part;
	uint32_t bin;

	if (phases == NULL || w->waits->step_wait_ns == NULL)
		return;
	part = es__phases_part(phases, w->trace->input.rings[w->ring].thread,
	    phases->steps);
	bin = part == NULL ? PATHS_NONE :
			     es__phases_bin_near(part, call->start, &w->bin);
	if (bin != PATHS_NONE)
		w->waits->step_wait_ns[(w->ring - w->waits->ring_first) *
			w->waits->step_count +
		    bin] += ns;
}

/* Adds the current call to the sums of its function. */
static void
waiter_sum(struct es__waiter *w, const struct es_tuple_mpi *call,
    const struct es__wait_reason *why)
{
	struct es__mpi_function_waits *f;
	int64_t measured =
	    es__waiter_inside(w, w->enter_ns, w->exit_ns - w->enter_ns);
	int64_t wait_ns = es__waiter_inside(w, w->behind_ns, w->behind.wait_ns);

	if (call->stop == 0 || call->op >= w->trace->kind_count)
		return;
	f = &w->waits->functions[call->op];
	f->calls++;
	f->time_ns += measured;
	f->uncovered_ns += w->uncovered ? measured : 0;
	if (why != NULL)
		wait_ns += es__waiter_inside(w, w->enter_ns, why->wait_ns);
	if (wait_ns <= 0)
		return;
	f->wait_ns += wait_ns;
	waiter_step(w, call, wait_ns);
}

/* Logs a part of the current call, if it is not empty. */
static paths_status
waiter_log_part(struct es__waiter *w, uint32_t op, int64_t start_ns,
    const struct es__mpi_wait *wait)
{
	const struct es_mpi_trace_input *input = &w->trace->input;
	const struct es_timeline_span span = { start_ns, start_ns + wait->ns,
		es_operation_group(ES_OPERATION_MPI, op), wait->pattern,
		wait->culprit == PATHS_NONE ?
		    PATHS_NONE :
		    input->rings[wait->culprit].thread };

	return wait->ns <= 0 ?
	    PATHS_OK :
	    es__wait_log_add(&w->waits_work->waits->logs[w->ring], &span);
}

/* Logs the waits of the current call in order: the first wait, whose first part
   may have another reason, the second wait, and the completion. */
static paths_status
waiter_log(struct es__waiter *w, uint32_t op, const struct es__wait_reason *why,
    int64_t completion_ns)
{
	struct es__mpi_wait lead = { 0 }, rest = { 0 };
	const struct es__mpi_wait completion = { completion_ns,
		w->completion.culprit, w->completion.pattern };
	paths_status st;

	if (why != NULL) {
		lead = why->lead;
		rest = (struct es__mpi_wait){ why->wait_ns - lead.ns,
			why->culprit, why->pattern };
	}
	st = waiter_log_part(w, op, w->enter_ns, &lead);
	if (st == PATHS_OK)
		st = waiter_log_part(w, op, w->enter_ns + lead.ns, &rest);
	if (st == PATHS_OK)
		st = waiter_log_part(w, op, w->behind_ns,
		    &(struct es__mpi_wait){ w->behind.wait_ns,
			w->behind.culprit, w->behind.pattern });
	return st == PATHS_OK ?
	    waiter_log_part(w, op, w->exit_ns - completion_ns, &completion) :
	    st;
}

static paths_status
waiter_end(struct es__waiter *w, const struct es_tuple_mpi *call,
    int64_t completion_ns)
{
	const struct es__wait_reason *why = waiter_reason(w, call);
	paths_status st;

	waiter_behind(w, call, why);
	st = waiter_log(w, call->op, why, completion_ns);
	if (st == PATHS_OK)
		st = waiter_part(w, &w->behind, w->behind_ns);
	if (st != PATHS_OK)
		return st;
	waiter_sum(w, call, why);
	if (why == &w->receives)
		return late_keep(w);
	return why == NULL ? PATHS_OK : waiter_because(w, why);
}

paths_status
es__waiter_call(struct es__waiter *w, uint64_t n, uint64_t end)
{
	const struct es_mpi_trace_input *input = &w->trace->input;
	const struct es_mpi_at first =
	    es__mpi_trace_event(w->trace, w->rank, n);
	const struct es_tuple_mpi *call = es_mpi_trace_tuple(input, first);
	struct es_mpi_at at = first;
	int64_t completion_ns = 0;
	paths_status st = PATHS_OK;

	waiter_begin(w, at, call);
	for (;;) {
		if (st == PATHS_OK)
			st = waiter_tuple(w, at);
		w->uncovered |= !es__waits_covered(w->trace, at, call,
		    es__mpi_link(w->trace, at));
		if (st == PATHS_OK && w->completion.wait_ns > 0) {
			/* Completion is only computed for blocking calls, which
			   have one such tuple. */
			completion_ns = w->completion.wait_ns;
			st = waiter_part(w, &w->completion,
			    w->exit_ns - completion_ns);
		}
		if (++n == end)
			break;
		at = es__mpi_trace_event(w->trace, w->rank, n);
	}
	if (st == PATHS_OK && w->unsure > 0)
		st = es__waiter_unsure(w, first);
	return st == PATHS_OK ? waiter_end(w, call, completion_ns) : st;
}

/* Returns whether the delays that the waits of a tuple depend on are known. */
static bool
waiter_delays_known(const struct es__waiter *w, struct es_mpi_at at)
{
	const struct es__mpi_delays *delays = w->waits_work->delays;
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	return es__mpi_delay_behind_known(delays, at) &&
	    (!es__mpi_at_known(link->sent) ||
		es__mpi_delay_known(delays, link->sent)) &&
	    (!es__mpi_at_known(link->received) ||
		es__mpi_delay_known(delays,
		    es__mpi_message_sent(w->trace, link->received)));
}

/* Returns whether the waits of a tuple do not depend on a later window.  A
   receive that is posted in a later window begins after all calls that end in
   this window, so their sends did not wait for it. */
static bool
waiter_tuple_is_decided(const struct es__waiter *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	if (link->received.ring == ES__MPI_LATER ||
	    (link->collective != PATHS_NONE &&
		!w->waits_work->parts[link->collective].decided) ||
	    (w->waits_work->delays != NULL && !waiter_delays_known(w, at)))
		return false;
	return es__mpi_at_known(link->sent) || es__mpi_at_none(link->sent) ||
	    es_time_ns(&w->trace->input.ranks[w->rank].base,
		es_mpi_trace_tuple(&w->trace->input, at)->stop) <
	    w->trace->until_ns;
}

bool
es__waiter_is_decided(const struct es__waiter *w, uint64_t n, uint64_t *end)
{
	const struct es_mpi_trace *trace = w->trace;
	uint64_t count = trace->scans[w->rank].event_end;
	struct es_mpi_at at = es__mpi_trace_event(trace, w->rank, n);
	uint32_t ring = at.ring;

	do {
		if (!trace->last && !waiter_tuple_is_decided(w, at))
			return false;
		if (++n == count)
			break;
		at = es__mpi_trace_event(trace, w->rank, n);
	} while (at.ring == ring && !es_mpi_trace_is_call(&trace->input, at));
	*end = n;
	return true;
}

paths_status
es__waiter_finish(struct es__waiter *w)
{
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && w->late_count > 0)
		st = late_drop(w);
	return st;
}

/* Finds the wait states of the collective that ends with a tuple, if there is
   one. */
static paths_status
call_part(struct es__waits_work *e, struct es__mpi_call *call,
    struct es_mpi_at at)
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

/* Returns a wait without its first part, if that part has another reason. */
static struct es__mpi_wait
call_wait(const struct es__wait_reason *why)
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
	struct es__waits_work e = { .trace = trace };
	struct es__waiter w = { .waits_work = &e,
		.trace = trace,
		.rank = ring->rank,
		.waits = &uncounted };
	struct es__wait_reason completion = { 0 };
	const struct es__wait_reason *why;
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
	waiter_behind(&w, tuple, why);
	call->behind = call_wait(&w.behind);
	call->behind_ns = w.behind_ns;
	call->completion = call_wait(&completion);
	return st;
}
