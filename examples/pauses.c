/* SPDX-License-Identifier: MIT */
/*
 * examples/pauses.c - a plugin with a view: the pauses between operations
 *
 * A pause is the time from the end of an operation to the start of the next one
 * at the same collector.  Long pauses are computation, or waiting that no
 * collector sees.  Compile the plugin and use it with
 *
 *	cc -O2 -fPIC -shared -o pauses.so pauses.c \
 *	    $(pkg-config --cflags --libs eventspace)
 *	eventspace show --plugin pauses.so RUN pause
 */

#include "scopes/analysis.h"
#include "scopes/operation.h"
#include "scopes/plugin.h"

static const struct es_column pause_columns[] = {
	{ "collector", ES_INTEGER, .about = "collector of the operations",
	    .refers = "collector" },
	{ "thread", ES_INTEGER, .about = "thread that pauses",
	    .refers = "thread" },
	{ "pauses", ES_INTEGER, .about = "number of pauses" },
	{ "pause_ns_sum", ES_INTEGER, .about = "sum of the pauses",
	    .unit = ES_UNIT_NS },
	{ "pause_ns_max", ES_INTEGER, .about = "longest pause",
	    .unit = ES_UNIT_NS },
	{ "after_seq", ES_INTEGER,
	    .about = "number of the operation before the longest pause" },
};

static const struct es_table pause_tables[] = {
	{
	    .name = "pause",
	    .about = "pauses of threads between operations",
	    ES_COLUMNS(pause_columns),
	    .key = "collector",
	    .order = "pause_ns_max DESC",
	    .reading = "SELECT printf('Threads pause %s, %s on average.',"
		       " readable_ns(sum(pause_ns_sum)),"
		       " readable_ns(1.0 * sum(pause_ns_sum) / sum(pauses)))"
		       " FROM pause HAVING sum(pauses) > 0",
	    .reading_about = "number and total time of all pauses",
	},
};

static const struct es_view_finding pause_findings[] = {
	{
	    .sql = "SELECT 'thread', thread,"
		   " printf('%s has the longest pause: %s after its operation"
		   " %d.', t.name, readable_ns(pause_ns_max), after_seq)"
		   " FROM pause JOIN thread t USING (thread)"
		   " ORDER BY pause_ns_max DESC LIMIT 1",
	    .about = "thread with the longest pause",
	    .weight = 5,
	    .table = "pause",
	},
};

struct pauses {
	int64_t count, sum_ns, max_ns;
	uint32_t after_seq;
};

/* Adds up the pauses of a collector, whose operations are in order of time. */
static struct pauses
pauses_of(const struct es_collector *collector, const struct es_timebase *base)
{
	struct pauses pauses = { 0 };

	for (uint64_t n = 1; n < collector->count; n++) {
		const struct es_operation *last, *next;
		int64_t ns;

		last = es_operation_get(collector, n - 1);
		next = es_operation_get(collector, n);
		ns = es_time_ns(base, next->start) -
		    es_time_ns(base, last->stop);
		/* Tuples of one MPI call have the same seq and times. */
		if (last->stop == 0 || next->seq == last->seq || ns < 0)
			continue;
		pauses.count++;
		pauses.sum_ns += ns;
		if (ns > pauses.max_ns) {
			pauses.max_ns = ns;
			pauses.after_seq = last->seq;
		}
	}
	return pauses;
}

static paths_status
pause_compute(struct es_analysis *analysis, struct es_sink *sink)
{
	const struct es_run *run = es_analysis_run(analysis);
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < es_run_collector_count(run);
	     n++) {
		const struct es_collector *c = es_run_collector(run, n);
		struct pauses pauses;

		if (es_operation_type(c) == ES_OPERATION_NONE ||
		    c->thread == PATHS_NONE)
			continue;
		pauses =
		    pauses_of(c, es_analysis_timebase(analysis, c->process));
		if (pauses.count == 0)
			continue;
		st = sink->row(sink, &pause_tables[0],
		    (struct es_value[]){ ES_INT(n), ES_INT(c->thread),
			ES_INT(pauses.count), ES_INT(pauses.sum_ns),
			ES_INT(pauses.max_ns), ES_INT(pauses.after_seq) });
	}
	return st;
}

static const struct es_view pause_view = {
	.name = "pauses",
	.about = "pauses of threads between operations",
	.question = "How long do threads pause between operations?",
	.topic = ES_TOPIC_TIME,
	.tables = pause_tables,
	.table_count = 1,
	.compute = pause_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.findings = pause_findings,
	.finding_count = 1,
};

static const struct es_view *const views[] = { &pause_view, NULL };

const struct es_plugin es_plugin = {
	.abi = ES_PLUGIN_ABI,
	.name = "pauses",
	.views = views,
};
