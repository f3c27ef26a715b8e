/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/waits_for.c - waiting time, by waiting thread and culprit
 *
 * scopes/path/waits_private.h defines the numbers; scopes/mpi/waits_private.h
 * defines those of MPI calls.
 */

#include "scopes/mpi/traced_private.h"
#include "scopes/path/waits_private.h"
#include "scopes/views/view_private.h"

ES__SQL(waits_for_finding);
ES__SQL(waits_for_process);
ES__SQL(waits_for_host);

static const struct es_column columns[] = {
	{ "waiter", ES_INTEGER, .about = "thread that waited",
	    .refers = "thread" },
	{ "culprit", ES_INTEGER,
	    .about = "thread that the waiter waited for; NULL: not known",
	    .refers = "thread" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations, or MPI calls, that waited" },
	{ "wait_ns", ES_INTEGER, .about = "total time waited",
	    .unit = ES_UNIT_NS },
	ES__DOUBT_COLUMNS("operations"),
};

/* Columns of a table that adds up the threads of a process or a host. */
#define GROUP_COLUMNS(group) \
	{ "waiter", ES_INTEGER, .about = group " whose threads waited", \
		.refers = group }, \
	    { "culprit", ES_INTEGER, \
		    .about = group \
		    " whose threads were waited for; NULL: not known", \
		    .refers = group }, \
	    { "operations", ES_INTEGER, \
		    .about = "number of operations, or MPI calls, that " \
			     "waited" }, \
	    { "wait_ns", ES_INTEGER, \
		    .about = "total time waited, summed over the threads", \
		    .unit = ES_UNIT_NS }, \
	    ES__DOUBT_COLUMNS("operations")

static const struct es_column process_columns[] = {
	GROUP_COLUMNS("process"),
};

static const struct es_column host_columns[] = {
	GROUP_COLUMNS("host"),
};

static const struct es_table tables[] = {
	{ .name = "waits_for",
	    .about = "waiting time, by waiting thread and culprit",
	    ES_COLUMNS(columns),
	    .order = "wait_ns DESC" },
	{ .name = "waits_for_process",
	    .about = "waiting time, by the processes of waiter and culprit",
	    ES_COLUMNS(process_columns),
	    .sql = es__sql_waits_for_process,
	    .order = "wait_ns DESC" },
	{ .name = "waits_for_host",
	    .about = "waiting time, by the hosts of waiter and culprit",
	    ES_COLUMNS(host_columns),
	    .sql = es__sql_waits_for_host,
	    .order = "wait_ns DESC" },
};

/* Writes the rows of the MPI calls of a rank that waited for a thread. */
static paths_status
waits_for_calls(const struct es__traced *traced, uint32_t rank,
    struct es_sink *sink)
{
	const struct es__totals *t = &traced->waits.ranks[rank].rings;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < t->count; n++)
		st = sink->row(sink, &tables[0],
		    (struct es_value[]){
			ES_INT(traced->in->rings[t->rows[n].a].thread),
			ES_INT(traced->in->rings[t->rows[n].b].thread),
			ES_INT(t->rows[n].instances), ES_INT(t->rows[n].ns),
			ES_INT(t->rows[n].undecided),
			ES_INT(t->rows[n].bound_ns) });
	return st;
}

static paths_status
waits_for_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__waits *waits;
	struct es__traced *traced = NULL;
	paths_status st = es__waits_get(a, &waits);

	for (size_t n = 0; st == PATHS_OK && n < waits->blame_count; n++) {
		const struct es__waits_blame *b = &waits->blames[n];

		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ ES_INT(b->waiter), es__id(b->culprit),
			ES_INT(b->operations), ES_INT(b->wait_ns),
			ES_INT(b->undecided), ES_INT(b->bound_ns) });
	}
	if (st == PATHS_OK)
		st = es__traced_waits(a, &traced);
	for (uint32_t r = 0; st == PATHS_OK && traced != NULL &&
	     r < traced->in->input.rank_count;
	     r++)
		st = waits_for_calls(traced, r, sink);
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_waits_for_finding,
	    .about =
		"main culprit: the thread that others wait for most, if all "
		"waiting is at least 1 % of the time of communication and "
		"it has a clear lead, 1.25 times the waiting for the next "
		"one; in a run of MPI, its process has it",
	    .weight = 40,
	    .table = "waits_for" },
};

const struct es_view es__view_waits_for = {
	.name = "waits_for",
	.about = "waiting time, by waiting thread and culprit",
	.question = "Which thread do the others wait for?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = waits_for_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
