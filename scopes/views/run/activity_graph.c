/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/activity_graph.c - the coverage of the activity graph of a
 * run
 *
 * The views root_cause, critical_path and efficiency are computed from that
 * graph, see scopes/graph/graph_private.h.
 */

#include "scopes/graph/result_private.h"
#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "threads", ES_INTEGER, .about = "number of threads with operations" },
	{ "ranks_missing", ES_INTEGER,
	    .about = "number of MPI ranks without calls in mode trace: what "
		     "waits for them counts as time of calls; NULL: paths" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations, or MPI calls, that returned" },
	{ "messages", ES_INTEGER,
	    .about = "number of dependences on a send or a receive, or on a "
		     "write or a read of an element" },
	{ "collectives", ES_INTEGER,
	    .about = "number of times that a thread was in a collective or "
		     "at a join" },
	{ "unknown", ES_INTEGER,
	    .about = "number of operations on paths that may have waited for "
		     "something that was not recorded; NULL: MPI calls" },
	{ "missing", ES_INTEGER,
	    .about = "number of operations on paths that were not recorded, "
		     "while earlier and later ones were: their time counts as "
		     "computation; NULL: MPI calls" },
	{ "choices", ES_INTEGER,
	    .about = "number of operations that could have got another tuple, "
		     "of elements with several writers, or readers that share "
		     "tuples; or of calls that received from any source, or "
		     "depend on what comes first, as MPI_Waitany, or waited "
		     "for a lock of a window" },
	{ "sources_unknown", ES_INTEGER,
	    .about = "number of receives and probes of which an older version "
		     "did not record if their source was any; NULL: paths" },
	{ "contradictions", ES_INTEGER,
	    .about = "number of operations that ended, by the clocks, before "
		     "something that they wait for" },
	{ "cycles", ES_INTEGER,
	    .about = "number of dependences that were left out, because each "
		     "would wait for the other" },
};

static const struct es_table tables[] = {
	{ .name = "activity_graph",
	    .about = "operations and dependences from which causes, critical "
		     "path and efficiency are computed",
	    ES_COLUMNS(columns),
	    .order = "rowid" },
};

static paths_status
activity_graph_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__graph_result *r;
	const struct es__graph_account *account;
	paths_status st = es__graph_result_get(a, &r);

	if (st != PATHS_OK || r == NULL || r->graph->account.operations == 0)
		return st;
	account = &r->graph->account;
	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(r->graph->thread_count),
		r->paths ? ES_NIL : ES_INT(r->ranks_missing),
		ES_INT(account->operations), ES_INT(account->messages),
		ES_INT(account->collectives),
		r->paths ? ES_INT(account->unknown) : ES_NIL,
		r->paths ? ES_INT(account->missing) : ES_NIL,
		ES_INT(account->choices),
		r->paths ? ES_NIL : ES_INT(account->sources_unknown),
		ES_INT(account->contradictions), ES_INT(account->cycles) });
}

const struct es_view es__view_activity_graph = {
	.name = "activity_graph",
	.topic = ES_TOPIC_CAUSES,
	.about = "coverage of causes, critical path and efficiency",
	.question = "How much is known of what operations wait for?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = activity_graph_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
