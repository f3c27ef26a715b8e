/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/arrow.c - finds the arrows from one event to another
 *
 * In an MPI run, an arrow goes from the event that sent a message to the one
 * that received it, as scopes/mpi_trace.h matched them; its number is 1 + that
 * of the message.  In a run with paths, an arrow goes from the last collector
 * before an operation enters another process to the first one there.  Both have
 * a tuple with the number of the operation.
 */

#include "scopes/export/arrow_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* The neighbours of a collector on its path that are in other processes. */
struct link {
	uint32_t to;		 /* next collector; NONE */
	uint32_t from;		 /* previous collector; NONE */
	uint64_t to_at, from_at; /* tuples there, near the next match */
};

struct es__export_arrows {
	struct link *links; /* of each collector; NULL: an MPI run */
	uint32_t *rings;    /* of each thread; NONE */
	uint32_t **sent;    /* of each tuple of a ring: 1 + message; or 0 */
	struct es__export_marks **marks; /* of each tuple; NULL: not wanted */
	uint32_t ring_count;
};

/* The collectors of a path are consecutive, in the order of the map. */
static void
links_fill(const struct es__export *export, struct link *links)
{
	uint32_t count = es_run_collector_count(export->run);

	for (uint32_t c = 0; c < count; c++)
		links[c].to = links[c].from = PATHS_NONE;
	for (uint32_t c = 0; c + 1 < count; c++) {
		const struct es_collector *upper =
		    es_run_collector(export->run, c);
		const struct es_collector *lower =
		    es_run_collector(export->run, c + 1);

		if (upper->chain != lower->chain ||
		    upper->process == lower->process ||
		    export->type_of[c] == PATHS_NONE ||
		    export->type_of[c + 1] == PATHS_NONE ||
		    !export->types[export->type_of[c]].paths ||
		    !export->types[export->type_of[c + 1]].paths)
			continue;
		links[c].to = c + 1;
		links[c + 1].from = c;
	}
}

static bool
went_well(const struct es_tuple_path *tuple)
{
	return tuple->status == 0 && tuple->stop != 0;
}

/* Returns true if a collector has a tuple of an operation that succeeded.
   Searches from `at` on, and sets it to the tuple after. */
static bool
link_passed(const struct es_collector *c, uint64_t seq, uint64_t *at)
{
	const struct es_tuple_path *tuple = NULL;

	if (*at < c->count)
		tuple = es_collector_tuple(c, *at);
	if (tuple == NULL || es_collector_seq(c, tuple->seq) != seq)
		*at = es_collector_seek(c, seq);
	/* An operation that failed has the number of the next one. */
	for (; *at < c->count; ++*at) {
		tuple = es_collector_tuple(c, *at);
		if (es_collector_seq(c, tuple->seq) != seq)
			return false;
		if (went_well(tuple)) {
			++*at;
			return true;
		}
	}
	return false;
}

static uint64_t
link_arrow(uint32_t collector, uint32_t seq)
{
	return (uint64_t)(collector + 1) << 32 | seq;
}

static void
links_find(struct es__export *export, struct es__export_event *event)
{
	struct link *link = &export->arrows->links[event->collector];
	const struct es_tuple_path *tuple = event->tuple;
	uint64_t seq;

	if (!event->type->paths || !went_well(tuple))
		return;
	seq = es_collector_seq(es_run_collector(export->run, event->collector),
	    tuple->seq);
	if (link->to != PATHS_NONE &&
	    link_passed(es_run_collector(export->run, link->to), seq,
		&link->to_at))
		event->out = link_arrow(event->collector, tuple->seq);
	if (link->from != PATHS_NONE &&
	    link_passed(es_run_collector(export->run, link->from), seq,
		&link->from_at))
		event->in = link_arrow(link->from, tuple->seq);
}

static bool
message_whole(const struct es_mpi_message *message)
{
	return message->send.ring != PATHS_NONE &&
	    message->recv_end.ring != PATHS_NONE;
}

/* Finds the ring of each thread. */
static paths_status
rings_fill(const struct es__export *export, struct es__export_arrows *arrows)
{
	const struct es_mpi_trace_input *input =
	    es_mpi_trace_input(export->trace);
	uint32_t threads = export->map->thread_count;

	arrows->ring_count = input->ring_count;
	arrows->rings = calloc(threads + (size_t)1, sizeof(uint32_t));
	arrows->sent =
	    calloc(input->ring_count + (size_t)1, sizeof(*arrows->sent));
	if (export->requests)
		arrows->marks = calloc(input->ring_count + (size_t)1,
		    sizeof(*arrows->marks));
	if (arrows->rings == NULL || arrows->sent == NULL ||
	    (export->requests && arrows->marks == NULL))
		return PATHS_ENOMEM;
	for (uint32_t t = 0; t < threads; t++)
		arrows->rings[t] = PATHS_NONE;
	for (uint32_t r = 0; r < input->ring_count; r++) {
		arrows->rings[input->rings[r].thread] = r;
		arrows->sent[r] =
		    calloc(input->rings[r].count + 1, sizeof(uint32_t));
		if (export->requests)
			arrows->marks[r] = calloc(input->rings[r].count + 1,
			    sizeof(**arrows->marks));
		if (arrows->sent[r] == NULL ||
		    (export->requests && arrows->marks[r] == NULL))
			return PATHS_ENOMEM;
	}
	return PATHS_OK;
}

/* Returns true if two tuples are of different calls. */
static bool
calls_differ(const struct es__export *export, struct es_mpi_at one,
    struct es_mpi_at other)
{
	const struct es_mpi_trace_input *input =
	    es_mpi_trace_input(export->trace);

	return one.ring != other.ring ||
	    es_mpi_trace_tuple(input, one)->seq !=
	    es_mpi_trace_tuple(input, other)->seq;
}

bool
es__export_arrow_is_posted(const struct es__export *export,
    const struct es_mpi_message *message)
{
	return calls_differ(export, message->recv, message->recv_end);
}

/* Marks the requests of a message. */
static void
message_mark(const struct es__export *export, const struct es_mpi_message *m,
    uint32_t number)
{
	struct es__export_marks **marks = export->arrows->marks;

	if (calls_differ(export, m->recv, m->recv_end))
		marks[m->recv.ring][m->recv.n].posted = number;
	if (m->send_end.ring != PATHS_NONE &&
	    calls_differ(export, m->send, m->send_end))
		marks[m->send_end.ring][m->send_end.n].ended = number;
}

/* Marks the tuples that begin and end the parts of a collective. */
static void
collective_mark(const struct es__export *export,
    const struct es_mpi_trace_collective *c)
{
	struct es__export_marks **marks = export->arrows->marks;
	const struct es_mpi_part_taken *parts =
	    es_mpi_trace_parts(export->trace, c);
	uint32_t members =
	    es_mpi_trace_input(export->trace)->comms[c->comm].count;

	for (uint32_t m = 0; m < members; m++) {
		struct es_mpi_at begin = parts[m].begin, end = parts[m].end;
		uint32_t number = (uint32_t)(c->first + m + 1);

		if (begin.ring != PATHS_NONE)
			marks[begin.ring][begin.n].begun = number;
		if (end.ring != PATHS_NONE)
			marks[end.ring][end.n].done = number;
	}
}

static void
collectives_mark(const struct es__export *export)
{
	const struct es_mpi_trace_collective *c;

	for (uint64_t n = 0;
	     (c = es_mpi_trace_collective(export->trace, n)) != NULL; n++)
		if (c->kind == ES_MPI_TRACE_COLLECTIVE)
			collective_mark(export, c);
}

static void
messages_fill(const struct es__export *export, struct es__export_arrows *arrows)
{
	uint32_t ranks = es_mpi_trace_input(export->trace)->rank_count;

	for (uint32_t rank = 0; rank < ranks; rank++) {
		uint32_t first, count;
		const struct es_mpi_message *messages =
		    es_mpi_trace_messages(export->trace, rank, &first, &count);

		for (uint32_t n = 0; n < count; n++)
			if (message_whole(&messages[n])) {
				arrows->sent[messages[n].send.ring]
					    [messages[n].send.n] =
				    first + n + 1;
				if (arrows->marks != NULL)
					message_mark(export, &messages[n],
					    first + n + 1);
			}
	}
}

struct es_mpi_at
es__export_arrow_place(const struct es__export *export,
    const struct es__export_event *event)
{
	uint32_t thread =
	    es_run_collector(export->run, event->collector)->thread;

	return (struct es_mpi_at){ export->arrows->rings[thread],
		(uint32_t)event->n };
}

/* Returns the number of a message if its receive ends with a tuple; 0: it does
   not.  An Mprobe also has a link to the send. */
static uint32_t
message_ends(const struct es__export *export, uint32_t number,
    struct es_mpi_at at)
{
	struct es_mpi_at end;

	if (number == 0)
		return 0;
	end = es__export_arrow_message(export, number)->recv_end;
	return end.ring == at.ring && end.n == at.n ? number : 0;
}

static void
messages_find(struct es__export *export, struct es__export_event *event)
{
	const struct es__export_arrows *arrows = export->arrows;
	struct es_mpi_at at = es__export_arrow_place(export, event);
	struct es_mpi_at sent;

	if (at.ring == PATHS_NONE || !event->type->calls)
		return;
	event->out = arrows->sent[at.ring][at.n];
	if (arrows->marks != NULL)
		event->marks = arrows->marks[at.ring][at.n];
	sent = es_mpi_trace_link(export->trace, at)->received;
	if (sent.ring != PATHS_NONE)
		event->in =
		    message_ends(export, arrows->sent[sent.ring][sent.n], at);
}

paths_status
es__export_arrow_open(struct es__export *export)
{
	struct es__export_arrows *arrows = calloc(1, sizeof(*arrows));
	uint32_t count = es_run_collector_count(export->run);
	paths_status st = PATHS_OK;

	export->arrows = arrows;
	if (arrows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for arrows");
	if (export->trace != NULL) {
		st = rings_fill(export, arrows);
		if (st == PATHS_OK)
			messages_fill(export, arrows);
		if (st == PATHS_OK && export->requests)
			collectives_mark(export);
	} else {
		arrows->links =
		    calloc(count + (size_t)1, sizeof(*arrows->links));
		if (arrows->links == NULL)
			st = PATHS_ENOMEM;
		else
			links_fill(export, arrows->links);
	}
	return st == PATHS_OK ? st : paths_log_fail(st, "no memory for arrows");
}

void
es__export_arrow_close(struct es__export *export)
{
	struct es__export_arrows *arrows = export->arrows;

	if (arrows == NULL)
		return;
	for (uint32_t r = 0; arrows->sent != NULL && r < arrows->ring_count;
	     r++)
		free(arrows->sent[r]);
	for (uint32_t r = 0; arrows->marks != NULL && r < arrows->ring_count;
	     r++)
		free(arrows->marks[r]);
	free(arrows->marks);
	free(arrows->sent);
	free(arrows->rings);
	free(arrows->links);
	free(arrows);
	export->arrows = NULL;
}

void
es__export_arrow_find(struct es__export *export, struct es__export_event *event)
{
	if (export->trace != NULL)
		messages_find(export, event);
	else
		links_find(export, event);
}
