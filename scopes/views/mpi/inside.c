/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/inside.c - MPI calls that have not returned
 *
 * Deadlocks become diagnostics, see scopes/mpi/deadlock_private.h.
 */

#include "scopes/mpi/deadlock_private.h"
#include "scopes/mpi/in_flight_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/wait_for_arcs_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static const struct es_column inside_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the rank", .refers = "mpi_rank" },
	{ "thread", ES_INTEGER, .about = "thread that made the call",
	    .refers = "thread" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "comm", ES_INTEGER, .about = "communicator; NULL: none or not known",
	    .refers = "mpi_comm" },
	{ "peer", ES_INTEGER,
	    .about = "id of the peer's rank; of MPI_Sendrecv, its destination, "
		     "although it may wait for its source, see "
		     "mpi_inside_for; NULL: any, none or not known" },
	{ "tag", ES_INTEGER, .about = "tag of the message; NULL: any or none" },
	{ "number", ES_INTEGER,
	    .about = "number of the collective on its communicator, from 1; "
		     "NULL: the call is none" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "since_ns", ES_INTEGER, .about = "start of the call; NULL: not known",
	    .unit = ES_UNIT_NS },
	{ "inside_ns", ES_INTEGER,
	    .about = "time in the call, until the view was computed or the "
		     "rank ended; NULL: not known",
	    .unit = ES_UNIT_NS },
};

static const struct es_column outside_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the rank", .refers = "mpi_rank" },
	{ "thread", ES_INTEGER, .about = "thread that has called MPI",
	    .refers = "thread" },
	{ "function", ES_TEXT,
	    .about = "MPI function that it called last; NULL: not known" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "left_ns", ES_INTEGER, .about = "end of the call; NULL: not known",
	    .unit = ES_UNIT_NS },
	{ "outside_ns", ES_INTEGER,
	    .about = "time outside of MPI, until the view was computed or the "
		     "rank ended; NULL: not known",
	    .unit = ES_UNIT_NS },
};

static const struct es_column for_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the waiting rank",
	    .refers = "mpi_rank" },
	{ "thread", ES_INTEGER, .about = "thread inside of the call",
	    .refers = "thread" },
	{ "culprit", ES_INTEGER, .about = "rank that it waits for",
	    .refers = "mpi_rank" },
};

static const struct es_column unreceived_columns[] = {
	{ "rank", ES_INTEGER,
	    .about = "id of the rank that waits for a message",
	    .refers = "mpi_rank" },
	{ "thread", ES_INTEGER, .about = "thread inside of the call",
	    .refers = "thread" },
	{ "source", ES_INTEGER,
	    .about = "rank from which it is to receive, and that has begun to "
		     "send the messages",
	    .refers = "mpi_rank" },
	{ "comm", ES_INTEGER, .about = "communicator of the messages",
	    .refers = "mpi_comm" },
	{ "tag", ES_INTEGER, .about = "tag of the messages" },
	{ "messages", ES_INTEGER, .about = "number of messages" },
	{ "wanted_comm", ES_INTEGER, .about = "communicator of the receive",
	    .refers = "mpi_comm" },
	{ "wanted_tag", ES_INTEGER, .about = "tag of the receive" },
};

enum { INSIDE, OUTSIDE, FOR, UNRECEIVED };

static const struct es_table tables[] = {
	[INSIDE] = { .name = "mpi_inside",
	    .about = "MPI calls that have not returned",
	    ES_COLUMNS(inside_columns) },
	[OUTSIDE] = { .name = "mpi_outside",
	    .about = "ranks that have left MPI and are not finalized",
	    ES_COLUMNS(outside_columns) },
	[FOR] = { .name = "mpi_inside_for",
	    .about = "ranks that MPI calls which have not returned wait for",
	    ES_COLUMNS(for_columns) },
	[UNRECEIVED] = { .name = "mpi_inside_unreceived",
	    .about =
		"messages that ranks which wait for others have not received",
	    ES_COLUMNS(unreceived_columns) },
};

static struct es_value
at_least_0(int32_t value)
{
	return value < 0 ? ES_NIL : ES_INT(value);
}

static struct es_value
time_value(const struct es_analysis *a, const struct es__inside_thread *t,
    uint64_t ticks)
{
	uint32_t process = a->map->threads[t->thread].process;

	return ticks == 0 ? ES_NIL :
			    ES_INT(es_time_ns(&a->bases[process], ticks));
}

static struct es_value
span_value(const struct es_analysis *a, const struct es__inside *inside,
    const struct es__inside_thread *t, uint64_t ticks)
{
	int64_t ns = es__inside_ns(a, inside, t->rank, ticks);

	return ns < 0 ? ES_NIL : ES_INT(ns);
}

static struct es_value
function_value(uint32_t function)
{
	const struct es_mpi_function *f = es_mpi_function(function);

	return es__text(f == NULL || function == 0 ? NULL : f->name);
}

static paths_status
emit_inside(struct es_analysis *a, const struct es__inside *inside,
    const struct es__inside_thread *t, struct es_sink *sink)
{
	struct es__traced *traced;
	paths_status st = es__traced_whole(a, &traced);
	uint32_t number;

	if (st != PATHS_OK || traced == NULL)
		return st;
	number = es__in_flight_number(traced->trace, t);
	return sink->row(sink, &tables[INSIDE],
	    (struct es_value[]){ ES_INT(t->rank), ES_INT(t->thread),
		function_value(t->function), es__id(t->comm),
		at_least_0(t->peer), at_least_0(t->tag),
		number == 0 ? ES_NIL : ES_INT(number), es__id(t->site),
		time_value(a, t, t->since),
		span_value(a, inside, t, t->since) });
}

static paths_status
emit_outside(const struct es_analysis *a, const struct es__inside *inside,
    const struct es__inside_thread *t, struct es_sink *sink)
{
	const struct es_mpi_rank *rank =
	    es_mpi_rank(es_run_mpi(a->run), t->rank);

	if (rank->control != NULL && rank->control->state == ES_MPI_FINALIZED)
		return PATHS_OK;
	return sink->row(sink, &tables[OUTSIDE],
	    (struct es_value[]){ ES_INT(t->rank), ES_INT(t->thread),
		function_value(t->last), es__id(t->site),
		time_value(a, t, t->left), span_value(a, inside, t, t->left) });
}

static int
compare_ranks(const void *one, const void *other)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

	return (a > b) - (a < b);
}

/* Emits the ranks that a thread waits for, each once. */
static paths_status
emit_culprits(const struct es__wait_for_graph *graph,
    const struct es__wait_for_node *node, const struct es__inside_thread *t,
    struct es_sink *sink)
{
	const struct es__wait_for_arc *arcs = graph->arcs + node->first;
	uint32_t *ranks, count = 0, last = t->rank;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < node->count; n++)
		count += arcs[n].count;
	ranks = calloc(count + (size_t)1, sizeof(*ranks));
	if (ranks == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	count = 0;
	for (uint32_t n = 0; n < node->count; n++)
		for (uint32_t k = 0; k < arcs[n].count; k++)
			ranks[count++] = graph->targets[arcs[n].first + k];
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		if (ranks[n] != t->rank && (n == 0 || ranks[n] != last))
			st = sink->row(sink, &tables[FOR],
			    (struct es_value[]){ ES_INT(t->rank),
				ES_INT(t->thread), ES_INT(ranks[n]) });
		last = ranks[n];
	}
	free(ranks);
	return st;
}

/* Emits the culprits of all threads.  The graph has a node for each thread that
   has not exited, in order. */
static paths_status
emit_waits(struct es_analysis *a, const struct es__inside *inside,
    struct es_sink *sink)
{
	struct es__wait_for_graph graph;
	paths_status st =
	    es__wait_for_arcs(a, inside, !es_run_live(a->run), &graph);
	uint32_t node = 0;

	for (uint32_t t = 0; st == PATHS_OK && node < graph.node_count; t++)
		if (!inside->threads[t].exited)
			st = emit_culprits(&graph, &graph.nodes[node++],
			    &inside->threads[t], sink);
	es__wait_for_arcs_fini(&graph);
	return st;
}

/* A sink, and the thread whose rows it gets. */
struct unreceived_to {
	struct es_sink *sink;
	const struct es__inside_thread *thread;
};

static paths_status
emit_unreceived(void *to, const struct es__in_flight_sent *m)
{
	const struct unreceived_to *u = to;

	return u->sink->row(u->sink, &tables[UNRECEIVED],
	    (struct es_value[]){ ES_INT(u->thread->rank),
		ES_INT(u->thread->thread), ES_INT(m->source), es__id(m->comm),
		ES_INT(m->tag), ES_INT(m->messages), es__id(m->wanted_comm),
		ES_INT(m->wanted_tag) });
}

/* Emits the messages that the threads in receives have not received.  The whole
   trace is read only for a thread that is in a call. */
static paths_status
emit_messages(struct es_analysis *a, const struct es__inside *inside,
    struct es_sink *sink)
{
	struct es__in_flight f = { .a = a, .inside = inside };
	paths_status st = PATHS_OK;

	for (uint32_t t = 0; st == PATHS_OK && t < inside->count; t++) {
		const struct es__inside_thread *thread = &inside->threads[t];
		struct unreceived_to to = { sink, thread };
		struct es__traced *traced;

		if (thread->exited || thread->function == 0)
			continue;
		st = es__traced_whole(a, &traced);
		if (st != PATHS_OK || traced == NULL)
			continue;
		f.trace = traced->trace;
		st = es__in_flight_unreceived(&f, thread, emit_unreceived, &to);
	}
	return st;
}

static paths_status
mpi_inside_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__inside inside;
	paths_status st = es__inside_read(a, &inside);

	for (uint32_t t = 0; st == PATHS_OK && t < inside.count; t++) {
		const struct es__inside_thread *thread = &inside.threads[t];

		if (!thread->exited)
			st = thread->function != 0 ?
			    emit_inside(a, &inside, thread, sink) :
			    emit_outside(a, &inside, thread, sink);
	}
	if (st == PATHS_OK && inside.count > 0)
		st = emit_waits(a, &inside, sink);
	if (st == PATHS_OK && inside.count > 0)
		st = emit_messages(a, &inside, sink);
	if (st == PATHS_OK)
		st = es__deadlock_diagnose(a, &inside);
	free(inside.threads);
	return st;
}

const struct es_view es__view_mpi_inside = {
	.name = "mpi_inside",
	.about = "MPI calls that have not returned",
	.question = "Which MPI call is each rank in, and is there a deadlock?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_inside_compute,
	.needs = ES_NEED_MPI,
};
