/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/match.c - matches receives with sends
 *
 * For one communicator, source, destination and tag, the k-th receive that was
 * posted matches the k-th send that was posted, because messages do not
 * overtake each other.  This includes receives that have not ended.  But a
 * receive of any source or tag that never ends could match any message.  So
 * receives that were posted after it are not matched.
 *
 * The first pass counts the sends and receives of each group (group.c).  In the
 * second pass, each half waits in a queue of its group for the other half.
 *
 * Source	The MPI standard, semantics of point-to-point communication
 */

#include "scopes/match/match_private.h"

#include "scopes/match/group_private.h"
#include "scopes/match/peer_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

struct es__mpi_slot {
	struct es_mpi_at post, done;
	uint32_t group;	  /* PATHS_NONE: the slot is free */
	uint32_t order;	  /* as in the half */
	uint32_t partner; /* slot of the other half; PATHS_NONE: none yet */
	uint32_t next;	  /* in the queue of the group, or free slot */
	uint32_t probe;	  /* first probe of the message; PATHS_NONE: none */
	bool receives;
	bool never;  /* it will never be matched */
	bool unsure; /* it is not known whether it will be matched */
	bool empty;  /* of the half */
};

#define SLOT_LATER ((struct es_mpi_at){ ES__MPI_LATER, 0 })
#define SLOT_UNSURE ((struct es_mpi_at){ ES__MPI_UNSURE, 0 })

static paths_status
match_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for messages");
}

/* Returns a free slot; PATHS_NONE: no memory. */
static uint32_t
slot_take(struct es__mpi_match *m)
{
	uint32_t slot = m->slot_free;

	if (slot != PATHS_NONE) {
		m->slot_free = m->slots[slot].next;
		return slot;
	}
	if (m->slot_count >= ES__MPI_UNSURE ||
	    !paths__array_grow(&m->slots, m->slot_count, &m->slot_room,
		sizeof(*m->slots)))
		return PATHS_NONE;
	return m->slot_count++;
}

static void
slot_give(struct es__mpi_match *m, uint32_t slot)
{
	m->slots[slot].group = PATHS_NONE;
	m->slots[slot].next = m->slot_free;
	m->slot_free = slot;
}

/* Sets the links of probes of a rank to the send of their message. */
static void
probes_link(const struct es_mpi_trace *t, uint32_t rank, uint32_t probe,
    struct es_mpi_at send)
{
	const struct es__mpi_probe *list = t->scans[rank].probes.list;

	for (; probe != PATHS_NONE; probe = list[probe].next) {
		struct es_mpi_trace_link *link =
		    es__mpi_link_kept(t, list[probe].at);

		if (link != NULL)
			link->received = send;
	}
}

/* Adds an UNSURE send whose end was dropped to the list `lates`, now that it is
   known whether it is matched. */
static void
slot_add_late(const struct es_mpi_trace *t, const struct es__mpi_slot *slot,
    bool matched)
{
	struct es__mpi_lates *lates =
	    &t->scans[t->input.rings[slot->done.ring].rank].lates;

	if (!paths__array_grow(&lates->list, lates->count, &lates->room,
		sizeof(*lates->list))) {
		lates->failed = true;
		return;
	}
	lates->list[lates->count++] =
	    (struct es__mpi_late){ slot->done, matched };
}

/* Links the tuple that ends a half to the post of the other half. */
static void
slot_link(const struct es_mpi_trace *t, const struct es__mpi_slot *slot,
    struct es_mpi_at other)
{
	struct es_mpi_trace_link *link;
	struct es_mpi_at post;

	if (slot->probe != PATHS_NONE)
		probes_link(t, t->match.groups[slot->group].target, slot->probe,
		    other);
	if (es__mpi_at_none(slot->done))
		return;
	link = es__mpi_link_kept(t, slot->done);
	if (link == NULL) {
		if (slot->unsure)
			slot_add_late(t, slot, es__mpi_at_known(other));
		return;
	}
	if (slot->receives) {
		link->received = other;
		return;
	}
	link->sent = other;
	post = es__mpi_message_sent(t, slot->post);
	link->send = es_mpi_trace_tuple(&t->input, post)->op;
}

/* Adds the message of a receive to the list of the window. */
static paths_status
slot_list(struct es_mpi_trace *t, const struct es__mpi_slot *receive)
{
	const struct es__mpi_group *g = &t->match.groups[receive->group];
	struct es_mpi_message *message;

	if (!t->lists)
		return PATHS_OK;
	if (t->message_count >= ES__MPI_LATER)
		return paths_log_fail(PATHS_EFULL, "over 2^32 messages");
	if (!paths__array_grow(&t->messages, t->message_count, &t->message_room,
		sizeof(*t->messages)))
		return match_no_memory();
	message = &t->messages[t->message_count++];
	*message = (struct es_mpi_message){ .recv = receive->post,
		.recv_end = receive->done,
		.send = ES__MPI_NOWHERE,
		.send_end = ES__MPI_NOWHERE,
		.source = g->source,
		.comm = g->comm & ~ES__MPI_PARTITIONED,
		.tag = g->tag,
		.order = receive->order };
	if (receive->partner != PATHS_NONE) {
		message->send = t->match.slots[receive->partner].post;
		message->send_end = t->match.slots[receive->partner].done;
	}
	return PATHS_OK;
}

/* Lists a message, and frees its receive, and its send if there is one. */
static paths_status
slot_finish(struct es_mpi_trace *t, uint32_t number)
{
	struct es__mpi_match *m = &t->match;
	const struct es__mpi_slot *receive = &m->slots[number];
	uint32_t target = m->groups[receive->group].target;
	paths_status st = slot_list(t, receive);

	if (receive->partner != PATHS_NONE) {
		if (!es__mpi_at_none(receive->done))
			t->scans[target].account.empty += receive->empty;
		slot_give(m, receive->partner);
	}
	slot_give(m, number);
	return st;
}

/* Frees a matched pair if both halves have ended, or a half that has ended and
   will never be matched. */
static paths_status
slot_settle(struct es_mpi_trace *t, uint32_t number)
{
	struct es__mpi_match *m = &t->match;
	const struct es__mpi_slot *slot = &m->slots[number];

	if (slot->partner != PATHS_NONE) {
		if (es__mpi_at_none(slot->done) ||
		    es__mpi_at_none(m->slots[slot->partner].done))
			return PATHS_OK;
		return slot_finish(t, slot->receives ? number : slot->partner);
	}
	if (!slot->never)
		return PATHS_OK;
	if (!slot->receives) {
		if (!es__mpi_at_none(slot->done))
			slot_give(m, number);
		return PATHS_OK;
	}
	return es__mpi_at_none(slot->done) ? PATHS_OK : slot_finish(t, number);
}

/* Marks a half that will never be matched. */
static paths_status
slot_refuse(struct es_mpi_trace *t, uint32_t number)
{
	struct es__mpi_slot *slot = &t->match.slots[number];

	slot->never = true;
	slot_link(t, slot, ES__MPI_NOWHERE);
	return slot_settle(t, number);
}

static void
queue_add(struct es__mpi_match *m, uint32_t *first, uint32_t *last,
    uint32_t slot)
{
	m->slots[slot].next = PATHS_NONE;
	if (*first == PATHS_NONE)
		*first = slot;
	else
		m->slots[*last].next = slot;
	*last = slot;
}

static uint32_t
queue_take(const struct es__mpi_match *m, uint32_t *first)
{
	uint32_t slot = *first;

	*first = m->slots[slot].next;
	return slot;
}

/* Matches the oldest waiting send and receive of a group, if there are both. */
static paths_status
group_match(struct es_mpi_trace *t, struct es__mpi_group *g)
{
	struct es__mpi_match *m = &t->match;
	struct es__mpi_slot *send, *receive;
	uint32_t s, r;
	paths_status st;

	if (g->send_first == PATHS_NONE || g->receive_first == PATHS_NONE)
		return PATHS_OK;
	s = queue_take(m, &g->send_first);
	r = queue_take(m, &g->receive_first);
	send = &m->slots[s];
	receive = &m->slots[r];
	if (g->mode == GROUP_END &&
	    (send->order < t->scans[g->source].sure_from ||
		receive->order < g->from)) {
		st = slot_refuse(t, s);
		return st == PATHS_OK ? slot_refuse(t, r) : st;
	}
	send->partner = r;
	receive->partner = s;
	g->matched++;
	t->scans[g->source].account.sends_matched++;
	t->scans[g->target].account.receives_matched++;
	slot_link(t, send, receive->post);
	slot_link(t, receive, send->post);
	return slot_settle(t, r);
}

/* Returns whether the next half of a group is not matched. */
static bool
group_refuses(struct es__mpi_group *g, const struct es__mpi_half *half,
    bool receives)
{
	uint32_t *skip = receives ? &g->skip_receives : &g->skip_sends;
	uint32_t *taken = receives ? &g->taken_receives : &g->taken_sends;
	uint32_t others = receives ? g->sends : g->receives;

	++*taken;
	if (g->mode == GROUP_BEGIN && *taken > others)
		return true;
	if (g->mode == GROUP_DIFFERING || g->mode == GROUP_DISCARDED ||
	    (receives && half->order >= g->until))
		return true;
	if (*skip == 0)
		return false;
	--*skip;
	return true;
}

/* Adds a half that was posted in this window to its group. */
static paths_status
half_take(struct es_mpi_trace *t, uint32_t rank, struct es__mpi_half *half,
    bool receives)
{
	struct es__mpi_match *m = &t->match;
	struct es__mpi_group *g = es__mpi_group_of(m, rank, half, receives);
	struct es__mpi_slot *slot;

	if (g == NULL)
		return match_no_memory();
	half->slot = slot_take(m);
	if (half->slot == PATHS_NONE)
		return match_no_memory();
	slot = &m->slots[half->slot];
	*slot = (struct es__mpi_slot){ .post = half->post,
		.done = half->done,
		.group = (uint32_t)(g - m->groups),
		.order = half->order,
		.partner = PATHS_NONE,
		.probe = PATHS_NONE,
		.receives = receives,
		.empty = half->empty,
		.unsure = !receives &&
		    (g->mode != GROUP_BEGIN || g->until != PATHS_NONE) };
	if (receives) {
		slot->probe = g->probe_first;
		g->probe_first = PATHS_NONE;
	}
	if (group_refuses(g, half, receives))
		return slot_refuse(t, half->slot);
	slot_link(t, slot, slot->unsure ? SLOT_UNSURE : SLOT_LATER);
	if (receives)
		queue_add(m, &g->receive_first, &g->receive_last, half->slot);
	else
		queue_add(m, &g->send_first, &g->send_last, half->slot);
	return group_match(t, g);
}

/* Ends a half that was posted in an earlier window. */
static paths_status
half_end(struct es_mpi_trace *t, const struct es__mpi_half *half)
{
	struct es__mpi_slot *slot = &t->match.slots[half->slot];

	slot->done = half->done;
	slot->empty = half->empty;
	if (slot->partner != PATHS_NONE)
		slot_link(t, slot, t->match.slots[slot->partner].post);
	else if (!slot->never)
		slot_link(t, slot, slot->unsure ? SLOT_UNSURE : SLOT_LATER);
	return slot_settle(t, half->slot);
}

/* Sets the source and tag of a half that ends in a later window, as the first
   pass has found them. */
static void
half_set_fate(struct es__mpi_fates *fates, struct es__mpi_half *half)
{
	while (fates->at < fates->count &&
	    fates->list[fates->at].order < half->order)
		fates->at++;
	if (fates->at == fates->count ||
	    fates->list[fates->at].order != half->order)
		return;
	half->other = fates->list[fates->at].other;
	half->tag = fates->list[fates->at].tag;
}

/* Lets a probe wait for the receive of its message: the next one of its
   group.  PATHS_OK; PATHS_ENOMEM. */
static paths_status
probe_take(struct es_mpi_trace *t, uint32_t rank, uint32_t number)
{
	const struct es_mpi_trace_rank *r = &t->input.ranks[rank];
	struct es__mpi_probe *probe = &t->scans[rank].probes.list[number];
	const struct es_tuple_mpi *tuple =
	    es_mpi_trace_tuple(&t->input, probe->at);
	struct es__mpi_half half = { .tag = tuple->tag,
		.comm = es__mpi_comm(r, tuple),
		.other = es__mpi_peer(r, tuple) };
	struct es__mpi_group *g;

	if (half.comm == PATHS_NONE || half.other == PATHS_NONE)
		return PATHS_OK;
	g = es__mpi_group_of(&t->match, rank, &half, true);
	if (g == NULL)
		return match_no_memory();
	if (g->taken_receives >= g->receives)
		return PATHS_OK;
	probe->next = g->probe_first;
	g->probe_first = number;
	es__mpi_link(t, probe->at)->received = SLOT_LATER;
	return PATHS_OK;
}

/* Takes the probes of the window that come before the half with number
   `order`. */
static paths_status
probes_take(struct es_mpi_trace *t, uint32_t rank, uint32_t order)
{
	const struct es__mpi_scan *scan = &t->scans[rank];
	struct es__mpi_probes *probes = &t->scans[rank].probes;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && probes->taken < probes->count) {
		const struct es__mpi_probe *next = &probes->list[probes->taken];

		if (next->order > order ||
		    next->at.n >= scan->next[next->at.ring - scan->ring_first])
			break;
		st = probe_take(t, rank, (uint32_t)probes->taken++);
	}
	return st;
}

static paths_status
halves_take(struct es_mpi_trace *t, uint32_t rank,
    struct es__mpi_halves *halves, bool receives)
{
	struct es__mpi_scan *scan = &t->scans[rank];
	struct es__mpi_fates *fates =
	    receives ? &scan->receive_fates : &scan->send_fates;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < halves->count; n++) {
		struct es__mpi_half *half = &halves->list[n];

		if (n < halves->old) {
			if (half->slot != PATHS_NONE &&
			    !es__mpi_at_none(half->done))
				st = half_end(t, half);
			continue;
		}
		if (half->request != 0)
			half_set_fate(fates, half);
		if (receives)
			st = probes_take(t, rank, half->order);
		if (st == PATHS_OK && es__mpi_half_decided(half))
			st = half_take(t, rank, half, receives);
	}
	return st == PATHS_OK && receives ? probes_take(t, rank, PATHS_NONE) :
					    st;
}

/* At the end of the trace, lists messages that have not ended, and clears links
   to halves that do not exist. */
static paths_status
match_finish(struct es_mpi_trace *t)
{
	struct es__mpi_match *m = &t->match;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < m->slot_count; n++) {
		struct es__mpi_slot *slot = &m->slots[n];

		if (slot->group == PATHS_NONE)
			continue;
		if (slot->partner == PATHS_NONE)
			slot_link(t, slot, ES__MPI_NOWHERE);
		if (slot->receives)
			st = slot_finish(t, n);
		else if (slot->partner == PATHS_NONE)
			slot_give(m, n);
	}
	for (uint32_t n = 0; n < m->group_count; n++) {
		const struct es__mpi_group *g = &m->groups[n];
		struct es_mpi_trace_account *account =
		    &t->scans[g->target].account;
		uint32_t left = g->receives - g->matched;

		probes_link(t, g->target, g->probe_first, ES__MPI_NOWHERE);
		if (g->mode == GROUP_DIFFERING)
			account->differing += left;
		else if (g->mode != GROUP_BEGIN)
			account->discarded += left;
		else if (g->until != PATHS_NONE && g->matched < g->sends)
			account->undecided += left;
	}
	return st;
}

static int
message_order(const void *left, const void *right)
{
	const struct es_mpi_message *a = left, *b = right;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static uint32_t
message_target(const struct es_mpi_trace *t, const struct es_mpi_message *m)
{
	return t->input.rings[m->recv.ring].rank;
}

/* Sorts the messages of the window by the receiving rank, then as
   es_mpi_trace_messages tells. */
static paths_status
match_sort(struct es_mpi_trace *t)
{
	struct es_mpi_message *sorted;
	uint32_t ranks = t->input.rank_count;
	uint32_t *first = t->message_first;

	sorted = malloc((t->message_count + 1) * sizeof(*sorted));
	if (sorted == NULL)
		return match_no_memory();
	for (uint32_t r = 0; r <= ranks; r++)
		first[r] = 0;
	for (size_t n = 0; n < t->message_count; n++)
		first[message_target(t, &t->messages[n]) + 1]++;
	for (uint32_t r = 0; r < ranks; r++)
		first[r + 1] += first[r];
	for (size_t n = 0; n < t->message_count; n++)
		sorted[first[message_target(t, &t->messages[n])]++] =
		    t->messages[n];
	for (uint32_t r = ranks; r > 0; r--)
		first[r] = first[r - 1];
	first[0] = 0;
	for (uint32_t r = 0; r < ranks; r++)
		if (first[r + 1] > first[r])
			qsort(&sorted[first[r]], first[r + 1] - first[r],
			    sizeof(*sorted), message_order);
	free(t->messages);
	t->messages = sorted;
	t->message_room = t->message_count + 1;
	return PATHS_OK;
}

paths_status
es__mpi_match(struct es_mpi_trace *trace)
{
	paths_status st = PATHS_OK;

	trace->message_count = 0;
	for (uint32_t r = 0; r < trace->input.rank_count; r++)
		trace->scans[r].lates.count = 0;
	for (uint32_t r = 0; st == PATHS_OK && r < trace->input.rank_count;
	     r++) {
		struct es__mpi_scan *scan = &trace->scans[r];

		st = halves_take(trace, r, &scan->sends, false);
		if (st == PATHS_OK)
			st = halves_take(trace, r, &scan->receives, true);
	}
	if (st == PATHS_OK && trace->last)
		st = match_finish(trace);
	for (uint32_t r = 0; r < trace->input.rank_count; r++)
		if (st == PATHS_OK && trace->scans[r].lates.failed)
			st = match_no_memory();
	return st == PATHS_OK && trace->lists ? match_sort(trace) : st;
}

void
es__mpi_match_posts(const struct es_mpi_trace *t, es__mpi_post *post, void *to)
{
	for (uint32_t n = 0; n < t->match.slot_count; n++) {
		const struct es__mpi_slot *slot = &t->match.slots[n];

		if (slot->group == PATHS_NONE)
			continue;
		post(to,
		    slot->receives ? slot->post :
				     es__mpi_message_sent(t, slot->post),
		    slot->receives);
	}
}

void
es__mpi_match_fini(struct es__mpi_match *m)
{
	free(m->names.slots);
	free(m->groups);
	free(m->slots);
}
