/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/root_cause.c - the delays that waiting follows from
 *
 * scopes/graph/causes_private.h defines the costs of a delay.
 */

#include "scopes/views/mpi/activity_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ES__SQL(root_cause_reading);
ES__SQL(wait_chain_reading);

static const struct es_column cause_columns[] = {
	ES__ACTIVITY_COLUMNS("thread that was late"),
	{ "short_term_ns", ES_INTEGER,
	    .about = "waiting for the thread because of the activity",
	    .unit = ES_UNIT_NS },
	{ "long_term_ns", ES_INTEGER,
	    .about = "waiting of further threads, for those that waited for "
		     "the thread",
	    .unit = ES_UNIT_NS },
};

static const struct es_column chain_columns[] = {
	{ "rank", ES_INTEGER,
	    .about = "MPI rank of the thread; NULL: a run of paths",
	    .refers = "mpi_rank", .optional = true },
	{ "thread", ES_INTEGER, .about = "thread that waited",
	    .refers = "thread" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site", .optional = true },
	{ "path", ES_INTEGER, .about = "path of the operation",
	    .refers = "path", .optional = true },
	{ "stage", ES_INTEGER, .about = "stage at which it waited",
	    .refers = "stage", .optional = true },
	{ "function", ES_TEXT,
	    .about = "MPI function, or kind of the operation" },
	{ "direct_ns", ES_INTEGER,
	    .about = "waiting because of delays of the thread that it waited "
		     "for",
	    .unit = ES_UNIT_NS },
	{ "indirect_ns", ES_INTEGER,
	    .about = "waiting because that thread had waited",
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
	    .order = "short_term_ns + long_term_ns DESC, rank, thread, "
		     "from_site, site, from_path, path, stage",
	    .reading = es__sql_root_cause_reading,
	    .reading_about = "delay that most waiting follows from" },
	[CHAIN] = { .name = "wait_chain",
	    .about = "waiting for threads that were late, and for threads "
		     "that waited themselves",
	    ES_COLUMNS(chain_columns),
	    .order = "direct_ns + indirect_ns DESC, rank, thread, site, path, "
		     "stage",
	    .reading = es__sql_wait_chain_reading,
	    .reading_about = "share of waiting for threads that waited" },
};

/* The activities that name the classes of each thread. */
struct names {
	const struct es_analysis *a;
	const struct es__graph_result *r;
	uint32_t *first; /* of each class of each thread: its first activity */
	struct es_sink *sink;
};

static bool
names_init(struct names *n)
{
	const struct es__graph_result *r = n->r;
	size_t count = (size_t)r->causes.thread_count * r->causes.class_count;

	n->first = malloc((count + 1) * sizeof(*n->first));
	if (n->first == NULL)
		return false;
	memset(n->first, 0xff, (count + 1) * sizeof(*n->first));
	for (uint32_t i = r->graph->names.count; i-- > 0;)
		n->first[(size_t)r->graph->names.list[i].thread *
			r->causes.class_count +
		    r->classes.of[i]] = i;
	return true;
}

static paths_status
emit(const struct names *n, uint32_t thread, uint32_t class)
{
	const struct es__graph_result *r = n->r;
	size_t at = (size_t)thread * r->causes.class_count + class;
	const struct es__graph_cause *c = &r->causes.list[at];
	struct es_value v[ES__ACTIVITY_VALUES + 2];
	paths_status st = PATHS_OK;

	if (n->first[at] == PATHS_NONE)
		return PATHS_OK;
	es__activity_values(r, n->a, thread,
	    r->paths ? &r->graph->names.list[n->first[at]] :
		       &r->classes.names.list[class],
	    v);
	v[ES__ACTIVITY_VALUES] = ES_INT(llround(c->short_term));
	v[ES__ACTIVITY_VALUES + 1] = ES_INT(llround(c->long_term));
	if (c->short_term + c->long_term > 0)
		st = n->sink->row(n->sink, &tables[CAUSE], v);
	if (st == PATHS_OK && c->direct + c->indirect > 0)
		st = n->sink->row(n->sink, &tables[CHAIN],
		    (struct es_value[]){ v[0], v[1], v[3], v[5], v[6], v[7],
			ES_INT(llround(c->direct)),
			ES_INT(llround(c->indirect)),
			ES_INT(llround(c->propagating)) });
	return st;
}

static paths_status
root_cause_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__graph_result *r;
	struct names n = { .a = a, .sink = sink };
	paths_status st = es__graph_result_get(a, &r);

	if (st != PATHS_OK || r == NULL)
		return st;
	n.r = r;
	if (!names_init(&n))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a view");
	for (uint32_t t = 0; t < r->causes.thread_count; t++)
		for (uint32_t c = 0;
		     st == PATHS_OK && c < r->causes.class_count; c++)
			st = emit(&n, t, c);
	free(n.first);
	return st;
}

const struct es_view es__view_root_cause = {
	.name = "root_cause",
	.about = "causes of waiting",
	.question = "Why were the threads late that others waited for?",
	.topic = ES_TOPIC_CAUSES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = root_cause_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
