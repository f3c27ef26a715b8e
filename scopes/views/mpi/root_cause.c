/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/root_cause.c - the delays that waiting follows from
 *
 * scopes/graph/causes_private.h defines the costs of a delay.
 */

#include "scopes/views/mpi/activity_private.h"

#include "scopes/whatif/gain_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ES__SQL(root_cause_reading);
ES__SQL(root_cause_finding);
ES__SQL(root_cause_place);
ES__SQL(graph_waiting_little);
ES__SQL(graph_waiting_most);
ES__SQL(root_cause_gain_reading);
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

static const struct es_column gain_columns[] = {
	ES__ACTIVITY_COLUMNS("thread that was late"),
	{ "before_ns", ES_INTEGER, .about = "length of the replayed run",
	    .unit = ES_UNIT_NS },
	{ "after_ns", ES_INTEGER, .about = "length with that evened out",
	    .unit = ES_UNIT_NS },
	{ "leaves_out", ES_INTEGER,
	    .about = "1: both without the time that threads were without a "
		     "core; 0: with it, which is short; NULL: not known if "
		     "threads were without a core",
	    .optional = true },
};

enum { CAUSE, CHAIN, GAIN };

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
	[GAIN] = { .name = "root_cause_gain",
	    .about = "first cause, if it is code, and the length of the run "
		     "with that code, or all of it, evened out",
	    ES_COLUMNS(gain_columns),
	    .order = "after_ns",
	    .reading = es__sql_root_cause_gain_reading,
	    .reading_about = "time that the run would take" },
};

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_root_cause_finding,
	    .about = "first cause of waiting, if it stands out, and the time "
		     "of the run with that code evened out",
	    .weight = 45,
	    .table = "root_cause" },
	{ .sql = es__sql_root_cause_place,
	    .about = "code to even out, on an overloaded machine",
	    .weight = 45,
	    .table = "root_cause" },
	{ .sql = es__sql_graph_waiting_little,
	    .about = "share of the waiting that the activity graph has, if "
		     "that is less than half",
	    .weight = 45,
	    .table = "root_cause" },
	{ .sql = es__sql_graph_waiting_most,
	    .about = "share of the waiting that the activity graph has, if "
		     "some is missing",
	    .weight = 44,
	    .table = "wait_chain" },
};

/* A cause that costs a smaller share of the time of all threads is not evened
   out. */
#define GAIN_LEAST 0.005
/* A gain of a smaller share of the run is not told. */
#define GAIN_REPORTED 0.01

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

/* Returns the place of the cause with the largest cost; PATHS_NONE: none. */
static uint32_t
first_cause(const struct names *n)
{
	const struct es__graph_causes *causes = &n->r->causes;
	size_t count = (size_t)causes->thread_count * causes->class_count;
	double most = 0;
	uint32_t first = PATHS_NONE;

	for (size_t at = 0; at < count; at++) {
		const struct es__graph_cause *c = &causes->list[at];

		if (n->first[at] == PATHS_NONE ||
		    c->short_term + c->long_term <= most)
			continue;
		most = c->short_term + c->long_term;
		first = (uint32_t)at;
	}
	return most < GAIN_LEAST * causes->thread_count *
		    (double)(n->r->graph->to_ns - n->r->graph->from_ns) ?
	    PATHS_NONE :
	    first;
}

static bool
gain_is_reported(const struct es__whatif_gain *gain)
{
	return gain->sure &&
	    gain->after_ns <= (1 - GAIN_REPORTED) * gain->before_ns;
}

/* Finds what evening out the first cause gains, and what evening out all
   computations gains if that is not sure or little.  all: out */
static paths_status
gain_find(struct es_analysis *a, uint32_t class, struct es__whatif_gain *gain,
    bool *all)
{
	paths_status st = es__whatif_gain_find(a, class, gain);

	*all = st == PATHS_OK && !gain_is_reported(gain);
	return *all ? es__whatif_gain_find(a, PATHS_NONE, gain) : st;
}

/* Writes what evening out the first cause gains, or all computations, if that
   is sure. */
static paths_status
emit_gain(const struct names *n, struct es_analysis *a)
{
	const struct es__graph_result *r = n->r;
	uint32_t at = first_cause(n), class;
	const struct es__graph_activity *cause;
	struct es_value v[ES__ACTIVITY_VALUES + 3];
	struct es__whatif_gain gain;
	bool all;
	paths_status st;

	if (at == PATHS_NONE)
		return PATHS_OK;
	class = at % r->causes.class_count;
	cause = r->paths ? &r->graph->names.list[n->first[at]] :
			   &r->classes.names.list[class];
	if (cause->function != 0)
		return PATHS_OK;
	st = gain_find(a, class, &gain, &all);
	if (st != PATHS_OK || !gain_is_reported(&gain))
		return st;
	es__activity_values(r, a, at / r->causes.class_count, cause, v);
	for (unsigned i = 2; all && i < ES__ACTIVITY_VALUES; i++)
		v[i] = i + 1 < ES__ACTIVITY_VALUES ? ES_NIL :
						     ES_STR("all computations");
	v[ES__ACTIVITY_VALUES] = ES_INT(llround(gain.before_ns));
	v[ES__ACTIVITY_VALUES + 1] = ES_INT(llround(gain.after_ns));
	v[ES__ACTIVITY_VALUES + 2] =
	    gain.sampled ? ES_INT(gain.leaves_out) : ES_NIL;
	return n->sink->row(n->sink, &tables[GAIN], v);
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
	if (st == PATHS_OK)
		st = emit_gain(&n, a);
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
	.findings = findings,
	.finding_count = ES__COUNT(findings),
	.compute = root_cause_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
