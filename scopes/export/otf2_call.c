/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_call.c - messages and collectives in OTF2
 *
 * A matched message is an MpiSend at the begin of the call that sends it, and
 * an MpiRecv at the end of the call that receives it; nonblocking ones have a
 * request, from the call that makes it to the one that completes it.
 */

#include "scopes/export/otf2_call_private.h"

#include "scopes/export/arrow_private.h"
#include "scopes/export/meeting_private.h"

#ifdef ES_OTF2

static uint64_t
bytes_of(const struct es__export_event *event)
{
	return ((const struct es_tuple_mpi *)event->tuple)->bytes;
}

/* Returns the number of a request: messages and collectives have their own. */
static uint64_t
request_of(uint64_t message, bool receive)
{
	return message * 2 + receive;
}

/* Returns true if a call that begins a send also ends it. */
static bool
sends_at_once(const struct es__export_event *event)
{
	const struct es_mpi_function *f =
	    es_mpi_function(((const struct es_tuple_mpi *)event->tuple)->op);

	return f != NULL &&
	    (f->role == ES_MPI_ROLE_SEND || f->role == ES_MPI_ROLE_SENDRECV);
}

static void
message_send(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	const struct es_mpi_message *message =
	    es__export_arrow_message(o->export, event->out);
	const struct es_mpi_trace_input *input =
	    es_mpi_trace_input(o->export->trace);
	uint32_t to = es__export_members_place(&o->members, message->comm,
	    input->rings[message->recv.ring].rank);
	OTF2_CommRef comm;

	if (to == PATHS_NONE) {
		o->unplaced++;
		return;
	}
	comm = o->members.comms[message->comm].number;
	if (sends_at_once(event))
		es__otf2_check(o,
		    OTF2_EvtWriter_MpiSend(es__otf2_writer(o, event), NULL,
			es__otf2_time(o, ns), to, comm, (uint32_t)message->tag,
			bytes_of(event)));
	else
		es__otf2_check(o,
		    OTF2_EvtWriter_MpiIsend(es__otf2_writer(o, event), NULL,
			es__otf2_time(o, ns), to, comm, (uint32_t)message->tag,
			bytes_of(event), request_of(event->out, false)));
}

static void
message_recv(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	const struct es_mpi_message *message =
	    es__export_arrow_message(o->export, event->in);
	uint32_t from = es__export_members_place(&o->members, message->comm,
	    message->source);
	OTF2_CommRef comm;

	if (from == PATHS_NONE)
		return;
	comm = o->members.comms[message->comm].number;
	if (es__export_arrow_is_posted(o->export, message))
		es__otf2_check(o,
		    OTF2_EvtWriter_MpiIrecv(es__otf2_writer(o, event), NULL,
			es__otf2_time(o, ns), from, comm,
			(uint32_t)message->tag, bytes_of(event),
			request_of(event->in, true)));
	else
		es__otf2_check(o,
		    OTF2_EvtWriter_MpiRecv(es__otf2_writer(o, event), NULL,
			es__otf2_time(o, ns), from, comm,
			(uint32_t)message->tag, bytes_of(event)));
}

/* Writes that a receive is posted, or that a send ends that an earlier call
   began. */
static void
message_mark(struct es__otf2 *o, const struct es__export_event *event,
    uint32_t number, bool receive, int64_t ns)
{
	const struct es_mpi_message *message;
	uint32_t peer;

	if (number == 0)
		return;
	message = es__export_arrow_message(o->export, number);
	peer = receive ? message->source :
			 es_mpi_trace_input(o->export->trace)
			     ->rings[message->recv.ring]
			     .rank;
	if (es__export_members_place(&o->members, message->comm, peer) ==
	    PATHS_NONE)
		return;
	es__otf2_check(o,
	    (receive ?
		    OTF2_EvtWriter_MpiIrecvRequest :
		    OTF2_EvtWriter_MpiIsendComplete)(es__otf2_writer(o, event),
		NULL, es__otf2_time(o, ns), request_of(number, receive)));
}

/* ---- Collectives. */

_Static_assert(OTF2_COLLECTIVE_OP_BARRIER == 0 &&
	OTF2_COLLECTIVE_OP_REDUCE_SCATTER == 13 &&
	OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK == 16 &&
	OTF2_COLLECTIVE_ROOT_NONE == PATHS_NONE,
    "the numbers of struct es__export_meeting");

/* Returns the request of a part of a collective. */
static uint64_t
meeting_request(uint32_t number)
{
	return UINT64_C(1) << 40 | number;
}

static void
meeting_begin(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	OTF2_EvtWriter *writer = es__otf2_writer(o, event);
	uint32_t number = event->marks.begun;
	struct es__export_meeting m;

	if (number == 0 ||
	    !es__export_meeting_find(o->export, &o->members, number, &m))
		return;
	if (m.later)
		es__otf2_check(o,
		    OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, NULL,
			es__otf2_time(o, ns), meeting_request(number)));
	/* A call that did not return has no end. */
	else if (event->marks.done == number)
		es__otf2_check(o,
		    OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL,
			es__otf2_time(o, ns)));
}

static void
meeting_end(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	OTF2_EvtWriter *writer = es__otf2_writer(o, event);
	uint32_t number = event->marks.done;
	struct es__export_meeting m;
	OTF2_CommRef comm;

	if (number == 0 ||
	    !es__export_meeting_find(o->export, &o->members, number, &m))
		return;
	comm = o->members.comms[m.comm].number;
	es__otf2_check(o,
	    m.later ? OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL,
			  es__otf2_time(o, ns), (OTF2_CollectiveOp)m.op, comm,
			  m.root, m.sent, m.received, meeting_request(number)) :
		      OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL,
			  es__otf2_time(o, ns), (OTF2_CollectiveOp)m.op, comm,
			  m.root, m.sent, m.received));
}

/* Returns true if arrows are messages.  OTF2 has no record of other arrows. */
static bool
has_messages(const struct es__otf2 *o, const struct es__export_event *event)
{
	return o->export->trace != NULL && event->type->calls &&
	    o->sink.st == PATHS_OK;
}

void
es__otf2_call_begin(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	if (!has_messages(o, event))
		return;
	meeting_begin(o, event, ns);
	if (event->out != 0)
		message_send(o, event, ns);
	message_mark(o, event, event->marks.posted, true, ns);
}

void
es__otf2_call_end(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	if (!has_messages(o, event))
		return;
	if (event->in != 0)
		message_recv(o, event, ns);
	message_mark(o, event, event->marks.ended, false, ns);
	meeting_end(o, event, ns);
}

#endif
