/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/root_cause.c - the delays that waiting follows from
 *
 * scopes/graph/causes_private.h defines the costs of a delay.
 */

#include "scopes/views/mpi/activity_private.h"

#include <math.h>

ES__SQL(root_cause_reading);
ES__SQL(wait_chain_reading);

static const struct es_column cause_columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that was late",
	    .refers = "mpi_rank" },
	ES__ACTIVITY_COLUMNS,
	{ "short_term_ns", ES_INTEGER,
	    .about = "waiting for the rank because of the activity",
	    .unit = ES_UNIT_NS },
	{ "long_term_ns", ES_INTEGER,
	    .about = "waiting of further ranks, for those that waited for the "
		     "rank",
	    .unit = ES_UNIT_NS },
};

static const struct es_column chain_columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that waited",
	    .refers = "mpi_rank" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "direct_ns", ES_INTEGER,
	    .about = "waiting because of delays of the rank that it waited "
		     "for",
	    .unit = ES_UNIT_NS },
	{ "indirect_ns", ES_INTEGER,
	    .about = "waiting because that rank had waited",
	    .unit = ES_UNIT_NS },
	{ "propagating_ns", ES_INTEGER,
	    .about = "part of the waiting that let others wait",
	    .unit = ES_UNIT_NS },
};

enum { CAUSE, CHAIN };

static const struct es_table tables[] = {
	[CAUSE] = { .name = "root_cause",
	    .about = "delays that waiting follows from",
	    ES_COLUMNS(cause_columns),
	    .order = "short_term_ns + long_term_ns DESC, rank, from_site, site",
	    .reading = es__sql_root_cause_reading,
	    .reading_about = "delay that most waiting follows from" },
	[CHAIN] = { .name = "wait_chain",
	    .about = "waiting for ranks that were late, and for ranks that "
		     "waited themselves",
	    ES_COLUMNS(chain_columns),
	    .order = "direct_ns + indirect_ns DESC, rank, site",
	    .reading = es__sql_wait_chain_reading,
	    .reading_about = "share of waiting for ranks that waited" },
};

static paths_status
emit(const struct es__graph_result *r, uint32_t thread, uint32_t class,
    struct es_sink *sink)
{
	const struct es__graph_cause *c =
	    &r->causes.list[(size_t)thread * r->causes.class_count + class];
	const struct es__graph_activity *a = &r->classes.names.list[class];
	struct es_value function = es__activity_function(a);
	struct es_value rank = ES_INT(r->ranks[thread]);
	paths_status st = PATHS_OK;

	if (c->short_term + c->long_term > 0)
		st = sink->row(sink, &tables[CAUSE],
		    (struct es_value[]){ rank, es__id(a->from), es__id(a->site),
			function, ES_INT(llround(c->short_term)),
			ES_INT(llround(c->long_term)) });
	if (st == PATHS_OK && c->direct + c->indirect > 0)
		st = sink->row(sink, &tables[CHAIN],
		    (struct es_value[]){ rank, es__id(a->site), function,
			ES_INT(llround(c->direct)),
			ES_INT(llround(c->indirect)),
			ES_INT(llround(c->propagating)) });
	return st;
}

static paths_status
root_cause_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__graph_result *r;
	paths_status st = es__graph_result_get(a, &r);

	if (st != PATHS_OK || r == NULL)
		return st;
	for (uint32_t t = 0; t < r->causes.thread_count; t++)
		for (uint32_t n = 0;
		     st == PATHS_OK && n < r->causes.class_count; n++)
			st = emit(r, t, n, sink);
	return st;
}

const struct es_view es__view_root_cause = {
	.name = "root_cause",
	.about = "causes of waiting in MPI calls",
	.question = "Why were the ranks late that others waited for?",
	.topic = ES_TOPIC_CAUSES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = root_cause_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_MPI | ES_NEED_TRACE,
};
