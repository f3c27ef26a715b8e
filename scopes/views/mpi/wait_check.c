/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/wait_check.c - the part of the time in MPI whose waiting is
 * known
 *
 * wait_check has the matched calls of each rank, and the time in calls that no
 * analysis searches.  wait_function has the waiting of each function from its
 * best source.
 */

#include "scopes/mpi.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/mpi/wait_sums_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <string.h>

ES__SQL(wait_check_reading);
ES__SQL(wait_function_reading);

static const struct es_column check_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the rank", .refers = "mpi_rank" },
	{ "sends", ES_INTEGER,
	    .about = "number of sends to ranks that left an event space; NULL: "
		     "there is no trace" },
	{ "sends_matched", ES_INTEGER,
	    .about = "number of sends matched with their receive" },
	{ "receives", ES_INTEGER,
	    .about = "number of receives that got a message or wait for one" },
	{ "receives_matched", ES_INTEGER,
	    .about = "number of receives matched with their send" },
	{ "empty", ES_INTEGER,
	    .about = "number of messages of 0 bytes received" },
	{ "collectives", ES_INTEGER,
	    .about = "number of collective calls, except on MPI_COMM_SELF" },
	{ "collectives_matched", ES_INTEGER,
	    .about = "number of collective calls that are in the trace for all "
		     "members" },
	{ "early_messages", ES_INTEGER,
	    .about =
		"number of messages received before they were sent, because "
		"clocks disagree" },
	{ "early_exits", ES_INTEGER,
	    .about =
		"number of collectives left before others entered, because "
		"clocks disagree" },
	{ "time_ns", ES_INTEGER,
	    .about = "time in MPI in the measured interval",
	    .unit = ES_UNIT_NS },
	{ "uncovered_ns", ES_INTEGER,
	    .about = "part of it in calls that may wait for other ranks, and "
		     "that no analysis covers",
	    .unit = ES_UNIT_NS },
	{ "uncovered_share", ES_REAL,
	    .about = "share of the time in MPI that no analysis covers",
	    .unit = ES_UNIT_SHARE },
};

static const struct es_column function_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the calling rank",
	    .refers = "mpi_rank" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "source", ES_TEXT,
	    .about = "source of wait_ns: trace, or profile, which gives an "
		     "estimate; NULL: calls that do not wait for others, or "
		     "that no analysis covers" },
	{ "calls", ES_INTEGER, .about = "number of calls" },
	{ "time_ns", ES_INTEGER,
	    .about = "time in the calls in the measured interval",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER,
	    .about = "time spent waiting for others, by the source",
	    .unit = ES_UNIT_NS },
	{ "uncovered_ns", ES_INTEGER,
	    .about = "time in calls that may wait for other ranks, and that no "
		     "analysis covers",
	    .unit = ES_UNIT_NS },
};

enum { CHECK, FUNCTION };

static const struct es_table tables[] = {
	[CHECK] = { .name = "wait_check",
	    .about = "calls whose waiting is known, and time in others",
	    ES_COLUMNS(check_columns),
	    .order = "rank",
	    .reading = es__sql_wait_check_reading,
	    .reading_about = "share of the time in MPI that no analysis "
			     "covers" },
	[FUNCTION] = { .name = "wait_function",
	    .about = "waiting in each MPI function, from its best source",
	    ES_COLUMNS(function_columns),
	    .order = "wait_ns DESC, time_ns DESC",
	    .reading = es__sql_wait_function_reading,
	    .reading_about = "function with the most waiting" },
};

/* Sums over the functions of each rank. */
struct checked {
	struct es_sink *sink;
	int64_t *time_ns, *uncovered_ns; /* of each rank */
};

static paths_status
checked_function(void *to, const struct es__wait_sum *sum)
{
	struct checked *c = to;
	const struct es_mpi_function *function = es_mpi_function(sum->function);

	c->time_ns[sum->rank] += sum->time_ns;
	c->uncovered_ns[sum->rank] += sum->uncovered_ns;
	return c->sink->row(c->sink, &tables[FUNCTION],
	    (struct es_value[]){ ES_INT(sum->rank),
		es__text(function == NULL ? NULL : function->name),
		es__text(sum->source), ES_INT(sum->calls), ES_INT(sum->time_ns),
		ES_INT(sum->wait_ns), ES_INT(sum->uncovered_ns) });
}

static paths_status
checked_show(const struct checked *c, const struct es__traced *traced,
    uint32_t rank)
{
	int64_t time = c->time_ns[rank], uncovered = c->uncovered_ns[rank];
	struct es_value share = es__share(uncovered, time);
	const struct es_mpi_trace_account *t;
	const struct es__mpi_rank_waits *w;

	if (traced == NULL || traced->waits.ranks[rank].events == 0)
		return time == 0 ?
		    PATHS_OK :
		    c->sink->row(c->sink, &tables[CHECK],
			(struct es_value[]){ ES_INT(rank), ES_NIL, ES_NIL,
			    ES_NIL, ES_NIL, ES_NIL, ES_NIL, ES_NIL, ES_NIL,
			    ES_NIL, ES_INT(time), ES_INT(uncovered), share });
	w = &traced->waits.ranks[rank];
	t = &w->account;
	return c->sink->row(c->sink, &tables[CHECK],
	    (struct es_value[]){ ES_INT(rank), ES_INT(t->sends),
		ES_INT(t->sends_matched), ES_INT(t->receives),
		ES_INT(t->receives_matched), ES_INT(t->empty),
		ES_INT(t->collectives), ES_INT(t->collectives_matched),
		ES_INT(w->message_violations), ES_INT(w->collective_violations),
		ES_INT(time), ES_INT(uncovered), share });
}

/* Returns whether the run has tuples of MPI calls. */
static bool
run_is_traced(const struct es_analysis *a)
{
	for (uint32_t n = 0; n < a->run->collector_count; n++)
		if (es__collector_calls(&a->run->collectors[n]) &&
		    a->run->collectors[n].count > 0)
			return true;
	return false;
}

static paths_status
checked_run(struct es_analysis *a, struct checked *c)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	struct es__traced *traced = NULL;
	paths_status st = es__wait_sums(a, checked_function, c);

	if (st == PATHS_OK && run_is_traced(a))
		st = es__traced_waits(a, &traced);
	for (uint32_t r = 0; st == PATHS_OK && es_mpi_rank(mpi, r) != NULL; r++)
		st = checked_show(c, traced, r);
	return st;
}

static paths_status
wait_check_compute(struct es_analysis *a, struct es_sink *sink)
{
	size_t room = (size_t)a->map->process_count + 1;
	struct checked c = { .sink = sink,
		.time_ns = calloc(room, sizeof(*c.time_ns)),
		.uncovered_ns = calloc(room, sizeof(*c.uncovered_ns)) };
	paths_status st = PATHS_OK;

	if (c.time_ns == NULL || c.uncovered_ns == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
	else if (es_run_mpi(a->run) != NULL)
		st = checked_run(a, &c);
	free(c.time_ns);
	free(c.uncovered_ns);
	return st;
}

const struct es_view es__view_wait_check = {
	.name = "wait_check",
	.about = "part of the time in MPI whose waiting is known",
	.question = "How much of the time in MPI do the analyses cover?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = wait_check_compute,
	.needs = ES_NEED_MPI | ES_NEED_TRACE | ES_NEED_MPI_PROFILE,
};
