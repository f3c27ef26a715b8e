/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/calls.c - the time of a rank in calls for its messages
 */

#include "scopes/model/calls_private.h"

#include "libpaths/map.h"

/* A call with the tuples that belong to it. */
struct call {
	uint64_t start, stop;
	uint8_t role;
	bool collective;  /* it ends the request of a collective */
	bool message;	  /* it ends a send or a receive */
	double latest_ns; /* begin of the latest send that it received */
	double posted_ns; /* of the latest receive that its sends waited for */
};

struct calls {
	const struct es_mpi_trace *trace;
	const struct es_timebase *base;
	const struct es__localities *localities;
	uint32_t rank;
	const struct es__burst_span *spans;
	size_t count, at;
	struct es_model_run_row *rows;
	struct call call;
};

/* Returns whether calls of a role are for messages.  Those that end requests
   also end collectives. */
static bool
call_is_for_messages(const struct call *call)
{
	switch (call->role) {
	case ES_MPI_ROLE_SEND:
	case ES_MPI_ROLE_RECV:
	case ES_MPI_ROLE_SENDRECV:
	case ES_MPI_ROLE_ISEND:
	case ES_MPI_ROLE_IRECV:
	case ES_MPI_ROLE_ISENDRECV:
	case ES_MPI_ROLE_START:
	case ES_MPI_ROLE_READY:
	case ES_MPI_ROLE_PROBE:
	case ES_MPI_ROLE_IPROBE:
		return true;
	case ES_MPI_ROLE_WAIT:
	case ES_MPI_ROLE_WAIT_MANY:
	case ES_MPI_ROLE_TEST:
		return call->message || !call->collective;
	default:
		return false;
	}
}

/* Returns the burst of a call; NULL: none.  A probe belongs to the receive that
   follows it. */
static const struct es__burst_span *
calls_span(struct calls *c)
{
	const struct call *call = &c->call;
	bool probes =
	    call->role == ES_MPI_ROLE_PROBE || call->role == ES_MPI_ROLE_IPROBE;

	while (c->at < c->count && c->spans[c->at].stop <= call->start)
		c->at++;
	if (c->at == c->count ||
	    (c->spans[c->at].start > call->start && !probes))
		return NULL;
	return &c->spans[c->at];
}

/* Adds the call that was read. */
static void
calls_add(struct calls *c)
{
	const struct call *call = &c->call;
	const struct es__burst_span *span;
	double start_ns, ns, late_ns, receiver_ns;

	if (call->stop <= call->start || !call_is_for_messages(call))
		return;
	span = calls_span(c);
	if (span == NULL)
		return;
	start_ns = (double)es_time_ns(c->base, call->start);
	ns = (double)es_time_ns(c->base, call->stop) - start_ns;
	late_ns = call->latest_ns - start_ns;
	late_ns = late_ns < 0 ? 0 : late_ns > ns ? ns : late_ns;
	/* A receive that was posted after the call ended did not end it. */
	receiver_ns = call->posted_ns - start_ns;
	receiver_ns = receiver_ns < ns ? receiver_ns - late_ns : 0;
	c->rows[span->row].calls++;
	c->rows[span->row].measured_s += ns / 1e9;
	c->rows[span->row].late_s += late_ns / 1e9;
	if (receiver_ns > 0)
		c->rows[span->row].late_receiver_s += receiver_ns / 1e9;
}

/* Returns the begin of an operation of another rank. */
static double
calls_began_ns(const struct calls *c, struct es_mpi_at at)
{
	const struct es_mpi_trace_input *input = &c->trace->input;

	return (
	    double)es_time_ns(&input->ranks[input->rings[at.ring].rank].base,
	    es_mpi_trace_tuple(input, at)->start);
}

/* Takes the send that ends with a tuple: it may have waited for its receive. */
static void
calls_sent(struct calls *c, struct es_mpi_at at,
    const struct es_mpi_trace_link *link)
{
	const struct es_mpi_trace_input *input = &c->trace->input;
	const struct es__mpi_kind *kind = es__mpi_kind(c->trace, link->send);
	uint32_t other = input->rings[link->sent.ring].rank;
	uint64_t bytes = es_mpi_trace_tuple(input, at)->bytes;
	double posted_ns;

	if (kind->buffered ||
	    (!kind->synchronous &&
		!es__locality_waits(c->localities, c->rank, other, bytes)))
		return;
	posted_ns = calls_began_ns(c, link->sent);
	if (posted_ns > c->call.posted_ns)
		c->call.posted_ns = posted_ns;
}

static void
calls_link(struct calls *c, struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link_kept(c->trace, at);
	double sent_ns;

	if (link == NULL)
		return;
	if (link->collective != PATHS_NONE)
		c->call.collective = true;
	if (es__mpi_at_known(link->sent)) {
		c->call.message = true;
		calls_sent(c, at, link);
	}
	if (!es__mpi_at_known(link->received))
		return;
	c->call.message = true;
	sent_ns = calls_began_ns(c, link->received);
	if (sent_ns > c->call.latest_ns)
		c->call.latest_ns = sent_ns;
}

void
es__burst_calls(const struct es_mpi_trace *trace,
    const struct es__burst_spans *spans,
    const struct es__localities *localities, struct es_model_run_row *rows)
{
	uint32_t rank = spans->rank;
	struct calls c = { .trace = trace,
		.base = &trace->input.ranks[rank].base,
		.localities = localities,
		.rank = rank,
		.spans = spans->list,
		.count = spans->count,
		.rows = rows };
	uint64_t events = es_mpi_trace_events(trace, rank);

	for (uint64_t n = 0; n < events; n++) {
		struct es_mpi_at at = es_mpi_trace_event(trace, rank, n);
		const struct es_tuple_mpi *tuple =
		    es_mpi_trace_tuple(&trace->input, at);

		if (es_mpi_trace_is_call(&trace->input, at)) {
			calls_add(&c);
			c.call = (struct call){ .start = tuple->start,
				.stop = tuple->stop,
				.role = es__mpi_kind(trace, tuple->op)->role };
		}
		calls_link(&c, at);
	}
	calls_add(&c);
}
