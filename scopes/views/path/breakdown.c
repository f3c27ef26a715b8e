/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/breakdown.c - time of each thread's operations, by stage
 *
 * scopes/path/waits_private.h defines the numbers.
 */

#include "scopes/path/waits_private.h"
#include "scopes/views/view_private.h"

ES__SQL(breakdown_reading);
ES__SQL(breakdown_finding);

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, .about = "thread that issued the operations",
	    .refers = "thread" },
	{ "stage", ES_INTEGER, .about = "stage where the time was spent",
	    .refers = "stage" },
	{ "operations", ES_INTEGER,
	    .about = "number of complete operations that passed the stage" },
	{ "own_ns", ES_INTEGER, .about = "time at the stage without waiting",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER,
	    .about = "time at the stage spent waiting for other threads",
	    .unit = ES_UNIT_NS },
	{ "share", ES_REAL,
	    .about = "share of the time of all operations of the thread",
	    .unit = ES_UNIT_SHARE },
};

static const struct es_table tables[] = {
	{ .name = "breakdown",
	    .about = "time of each thread's operations, by stage",
	    ES_COLUMNS(columns),
	    .order = "thread, own_ns + wait_ns DESC",
	    .reading = es__sql_breakdown_reading,
	    .reading_about =
		"stage where the operations of all threads spend the most time",
	    .front = 20 },
};

/* Returns the time of all operations of the thread whose costs begin at n. */
static int64_t
thread_total(const struct es__waits *waits, size_t n)
{
	uint32_t thread = waits->costs[n].thread;
	int64_t total = 0;

	for (; n < waits->cost_count && waits->costs[n].thread == thread; n++)
		total += waits->costs[n].own_ns + waits->costs[n].wait_ns;
	return total;
}

static paths_status
breakdown_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__waits *waits;
	int64_t total = 0;
	paths_status st = es__waits_get(a, &waits);

	for (size_t n = 0; st == PATHS_OK && n < waits->cost_count; n++) {
		const struct es__waits_cost *c = &waits->costs[n];

		if (n == 0 || c->thread != c[-1].thread)
			total = thread_total(waits, n);
		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ ES_INT(c->thread), ES_INT(c->stage),
			ES_INT(c->operations), ES_INT(c->own_ns),
			ES_INT(c->wait_ns),
			es__share(c->own_ns + c->wait_ns, total) });
	}
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_breakdown_finding,
	    .about =
		"stage (by own_ns) or computation where the main culprit (see "
		"waits_for) exceeds the mean of the other threads by at least "
		"10 % of the time that threads waited for it",
	    .weight = 30 },
};

const struct es_view es__view_breakdown = {
	.name = "breakdown",
	.about = "time of each thread's operations, by stage",
	.question = "At which stages do the operations of a thread spend their "
		    "time?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = breakdown_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
