/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/efficiency.c - how well a program uses its cores
 *
 * Source	POP Standard Metrics for Parallel Performance Analysis
 */

#include "scopes/graph/result_private.h"
#include "scopes/views/view_private.h"

ES__SQL(efficiency_reading);

static const struct es_column columns[] = {
	{ "elapsed_ns", ES_INTEGER, .about = "length of the measured interval",
	    .unit = ES_UNIT_NS },
	{ "useful_ns_mean", ES_INTEGER,
	    .about = "mean time of the threads outside of operations",
	    .unit = ES_UNIT_NS },
	{ "useful_ns_max", ES_INTEGER,
	    .about = "largest time of a thread outside of operations",
	    .unit = ES_UNIT_NS },
	{ "ideal_ns", ES_INTEGER,
	    .about = "length of the interval if messages and operations took "
		     "no time",
	    .unit = ES_UNIT_NS },
	{ "uncoupled_ns", ES_INTEGER,
	    .about = "ideal_ns if sends did not wait for receives, or writes "
		     "for room, either",
	    .unit = ES_UNIT_NS },
	{ "parallel_efficiency", ES_REAL,
	    .about = "product of load balance and communication efficiency",
	    .unit = ES_UNIT_SHARE },
	{ "load_balance_efficiency", ES_REAL,
	    .about = "useful_ns_mean / useful_ns_max", .unit = ES_UNIT_SHARE },
	{ "communication_efficiency", ES_REAL,
	    .about = "product of serialisation and transfer efficiency",
	    .unit = ES_UNIT_SHARE },
	{ "serialisation_efficiency", ES_REAL,
	    .about = "useful_ns_max / ideal_ns", .unit = ES_UNIT_SHARE },
	{ "transfer_efficiency", ES_REAL, .about = "ideal_ns / elapsed_ns",
	    .unit = ES_UNIT_SHARE },
};

static const struct es_table tables[] = {
	{ .name = "efficiency",
	    .about = "parallel efficiency, and the factors that it is the "
		     "product of",
	    ES_COLUMNS(columns),
	    .order = "rowid",
	    .reading = es__sql_efficiency_reading,
	    .reading_about = "parallel efficiency and its factors" },
};

static paths_status
efficiency_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__graph_result *r;
	int64_t elapsed_ns, sum_ns = 0, max_ns = 0;
	double mean_ns;
	paths_status st = es__graph_result_get(a, &r);

	if (st != PATHS_OK || r == NULL || r->graph->account.operations == 0)
		return st;
	elapsed_ns = r->graph->to_ns - r->graph->from_ns;
	for (uint32_t t = 0; t < r->graph->thread_count; t++) {
		sum_ns += r->useful_ns[t];
		max_ns = r->useful_ns[t] > max_ns ? r->useful_ns[t] : max_ns;
	}
	if (elapsed_ns <= 0 || max_ns <= 0 || r->ideal_ns <= 0)
		return PATHS_OK;
	mean_ns = (double)sum_ns / r->graph->thread_count;
	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(elapsed_ns), ES_INT((int64_t)mean_ns),
		ES_INT(max_ns), ES_INT(r->ideal_ns), ES_INT(r->uncoupled_ns),
		ES_NUM(mean_ns / (double)elapsed_ns),
		ES_NUM(mean_ns / (double)max_ns), es__share(max_ns, elapsed_ns),
		es__share(max_ns, r->ideal_ns),
		es__share(r->ideal_ns, elapsed_ns) });
}

const struct es_view es__view_efficiency = {
	.name = "efficiency",
	.about = "parallel efficiency and its factors",
	.question = "How well are the cores used, and what is lost to balance, "
		    "order and transfer?",
	.topic = ES_TOPIC_CAUSES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = efficiency_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
