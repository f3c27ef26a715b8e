/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/match.c - matches the receives of a rank with sends
 *
 * For one communicator, source, destination and tag, the k-th receive that was
 * posted gets the k-th send that was posted, because messages do not overtake
 * each other.  A receive that has not ended counts too.  But a receive of any
 * source or tag that has not ended could take any message, so receives that
 * were posted after it are not matched.
 *
 * Source	The MPI standard, semantics of point-to-point communication
 */

#include "scopes/match/match_private.h"

#include "scopes/run/array_private.h"

/* The halves of one communicator, source, destination and tag, oldest first. */
struct group {
	const struct es__mpi_half *sends;
	size_t send_count;
	const struct es__mpi_scan *sender;
	bool ended;			 /* both ranks have finalized */
	struct es_mpi_message *messages; /* with the receives */
	size_t receive_count;
	uint32_t first; /* number of messages[0] */
};

struct match {
	struct es_mpi_trace *trace;
	uint32_t rank; /* that receives */
	struct es__mpi_scan *receiver;
};

/* Compares a half with a message by communicator and tag; 0: equal, 1: the half
   comes before, 2: after. */
static uint32_t
order_of_key(const struct es__mpi_half *half, const struct es_mpi_message *m)
{
	if (half->comm != m->comm)
		return half->comm < m->comm ? 1 : 2;
	return half->tag == m->tag ? 0 : half->tag < m->tag ? 1 : 2;
}

/* Returns the index of the first half for `other` or a later rank. */
static size_t
halves_find(const struct es__mpi_halves *halves, uint32_t other)
{
	return es__array_find(halves->list, halves->count,
	    sizeof(*halves->list), offsetof(struct es__mpi_half, other), other);
}

/* Finds the order of the first open receive of any source or tag on a
   communicator, and that of the last one plus 1.  Without such a receive, first
   is PATHS_NONE and last is 0. */
static void
match_open(const struct match *m, uint32_t comm, uint32_t *first,
    uint32_t *last)
{
	const struct es__mpi_halves *open = &m->receiver->open;

	*first = PATHS_NONE;
	*last = 0;
	for (size_t n = 0; n < open->count; n++) {
		if (open->list[n].comm != comm)
			continue;
		if (*first == PATHS_NONE)
			*first = open->list[n].order;
		*last = open->list[n].order + 1;
	}
}

void
es__mpi_match_link(struct es_mpi_trace *trace, uint32_t number)
{
	const struct es_mpi_message *message = &trace->messages[number];

	if (es__mpi_at_none(message->send))
		return;
	if (!es__mpi_at_none(message->recv_end))
		es__mpi_link(trace, message->recv_end)->received = number;
	if (!es__mpi_at_none(message->send_end))
		es__mpi_link(trace, message->send_end)->sent = number;
}

static void
match_pair(const struct match *m, const struct group *g, size_t receive,
    const struct es__mpi_half *send)
{
	struct es_mpi_message *message = &g->messages[receive];
	uint32_t number = g->first + (uint32_t)receive;

	message->send = send->post;
	message->send_end = send->done;
	m->receiver->account.receives_matched++;
	if (!es__mpi_at_none(message->recv_end))
		m->receiver->account.empty +=
		    es_mpi_trace_tuple(&m->trace->input, message->recv_end)
			->bytes == 0;
	es__mpi_match_link(m->trace, number);
}

/* Matches from the oldest halves on, when no tuple is missing. */
static void
match_from_begin(const struct match *m, const struct group *g)
{
	size_t n =
	    g->send_count < g->receive_count ? g->send_count : g->receive_count;
	uint32_t open, last;

	if (g->ended && g->send_count != g->receive_count) {
		m->receiver->account.differing += g->receive_count;
		return;
	}
	match_open(m, g->messages[0].comm, &open, &last);
	for (size_t i = 0; i < n; i++) {
		if (g->messages[i].order >= open) {
			m->receiver->account.undecided += g->receive_count - i;
			return;
		}
		match_pair(m, g, i, &g->sends[i]);
	}
}

/* Matches from the newest halves back, when only the oldest tuples are
   missing. */
static void
match_from_end(const struct match *m, const struct group *g)
{
	size_t n = 0;
	uint32_t first, open;

	match_open(m, g->messages[0].comm, &first, &open);
	if (open < m->receiver->sure_from)
		open = m->receiver->sure_from;
	for (; n < g->send_count && n < g->receive_count; n++) {
		size_t receive = g->receive_count - 1 - n;
		const struct es__mpi_half *send =
		    &g->sends[g->send_count - 1 - n];

		if (send->order < g->sender->sure_from ||
		    g->messages[receive].order < open)
			break;
		match_pair(m, g, receive, send);
	}
	m->receiver->account.discarded += g->receive_count - n;
}

static void
match_group(const struct match *m, const struct group *g)
{
	if (m->receiver->whole && g->sender->whole)
		match_from_begin(m, g);
	else if (g->ended)
		match_from_end(m, g);
	else
		m->receiver->account.discarded += g->receive_count;
}

/* Returns how many receives at the begin of the array have the source,
   communicator and tag of the first. */
static size_t
group_receives(const struct es_mpi_message *messages, size_t count)
{
	size_t n = 1;

	while (n < count && messages[n].source == messages[0].source &&
	    messages[n].comm == messages[0].comm &&
	    messages[n].tag == messages[0].tag)
		n++;
	return n;
}

/* Matches all receives from one source; first: number of the first message. */
static void
match_source(const struct match *m, uint32_t first, size_t count)
{
	struct es_mpi_message *messages = &m->trace->messages[first];
	uint32_t source = messages->source;
	const struct es__mpi_scan *sender = &m->trace->scans[source];
	size_t at = halves_find(&sender->sends, m->rank);
	size_t end = halves_find(&sender->sends, m->rank + 1);

	for (size_t n = 0; n < count;) {
		struct group g = { .sender = sender,
			.ended = m->trace->input.ranks[m->rank].ended &&
			    m->trace->input.ranks[source].ended,
			.messages = &messages[n],
			.receive_count =
			    group_receives(&messages[n], count - n),
			.first = first + (uint32_t)n };

		while (at < end &&
		    order_of_key(&sender->sends.list[at], g.messages) == 1)
			at++;
		g.sends = &sender->sends.list[at];
		while (at < end &&
		    order_of_key(&sender->sends.list[at], g.messages) == 0) {
			at++;
			g.send_count++;
		}
		match_group(m, &g);
		n += g.receive_count;
	}
}

void
es__mpi_match(struct es_mpi_trace *trace, uint32_t rank)
{
	struct match m = { .trace = trace,
		.rank = rank,
		.receiver = &trace->scans[rank] };
	const struct es__mpi_halves *receives = &m.receiver->receives;
	uint32_t first = trace->message_first[rank];
	size_t run = 0;

	for (size_t n = 0; n < receives->count; n++) {
		const struct es__mpi_half *half = &receives->list[n];

		trace->messages[first + n] =
		    (struct es_mpi_message){ .recv = half->post,
			    .recv_end = half->done,
			    .send = ES__MPI_NOWHERE,
			    .send_end = ES__MPI_NOWHERE,
			    .source = half->other,
			    .comm = half->comm,
			    .tag = half->tag,
			    .order = half->order };
	}
	for (size_t n = 0; n < receives->count; n += run) {
		const struct es_mpi_message *m0 = &trace->messages[first + n];

		for (run = 1;
		     n + run < receives->count && m0[run].source == m0->source;
		     run++)
			;
		match_source(&m, first + (uint32_t)n, run);
	}
}
