/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/critical_path.c - what the threads did on the critical path
 *
 * scopes/graph/critical_private.h defines the path.
 */

#include "scopes/views/mpi/activity_private.h"

#include "scopes/graph/hops_private.h"

#include "libpaths/log.h"

#include <math.h>

ES__SQL(critical_path_reading);
ES__SQL(critical_hop_reading);

/* Most rows of critical_hop: shorter parts of a longer path are left out. */
#define HOPS (UINT64_C(1) << 20)

static const struct es_column columns[] = {
	ES__ACTIVITY_COLUMNS("id of the thread"),
	{ "time_ns", ES_INTEGER,
	    .about = "time of the thread in the activity, without waiting",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER,
	    .about = "time that the operation waited for other threads",
	    .unit = ES_UNIT_NS },
	{ "path_ns", ES_INTEGER,
	    .about = "part of time_ns on the critical path",
	    .unit = ES_UNIT_NS },
	{ "imbalance_ns", ES_INTEGER,
	    .about = "part, by path_ns, of what the path has of the activity "
		     "in all threads beyond their mean time_ns",
	    .unit = ES_UNIT_NS },
	{ "choices", ES_INTEGER,
	    .about =
		"number of operations that could have got another message, "
		"lock or tuple: see activity_graph" },
	{ "path_choices", ES_INTEGER,
	    .about = "number of these that the critical path passes" },
};

static const struct es_column hop_columns[] = {
	{ "hop", ES_INTEGER, .about = "number on the path, by time" },
	{ "thread", ES_INTEGER, .about = "thread that the path is on",
	    .refers = "thread" },
	{ "start_ns", ES_INTEGER, .about = "time at which the path comes to it",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "time at which the path leaves it",
	    .unit = ES_UNIT_NS },
};

enum { PATH, HOP };

static const struct es_table tables[] = {
	[PATH] = { .name = "critical_path",
	    .about = "activities of the threads, and what they took of the "
		     "critical path",
	    ES_COLUMNS(columns),
	    .order = "path_ns DESC, time_ns DESC, rank, thread, from_site, "
		     "site, from_path, path, stage",
	    .reading = es__sql_critical_path_reading,
	    .reading_about = "activity with most of the critical path" },
	[HOP] = { .name = "critical_hop",
	    .about = "way of the critical path from thread to thread",
	    ES_COLUMNS(hop_columns),
	    .order = "hop",
	    .key = "start_ns, hop",
	    .reading = es__sql_critical_hop_reading,
	    .reading_about = "threads that the path crosses" },
};

/* The sums of a class over all threads. */
struct class_sum {
	int64_t ns, path_ns;
};

static struct class_sum *
class_sums(const struct es__graph_result *r)
{
	struct class_sum *sums =
	    calloc((size_t)r->classes.count + 1, sizeof(*sums));

	for (uint32_t n = 0; sums != NULL && n < r->graph->names.count; n++) {
		sums[r->classes.of[n]].ns += r->sums[n].ns;
		sums[r->classes.of[n]].path_ns += r->sums[n].path_ns;
	}
	return sums;
}

static paths_status
emit(const struct es__graph_result *r, const struct es_analysis *a,
    uint32_t activity, const struct class_sum *class_sum, struct es_sink *sink)
{
	const struct es__graph_activity *own = &r->graph->names.list[activity];
	const struct es__graph_sum *sum = &r->sums[activity];
	double excess_ns = (double)class_sum->path_ns -
	    (double)class_sum->ns / r->graph->thread_count;
	double share = class_sum->path_ns > 0 ?
	    (double)sum->path_ns / (double)class_sum->path_ns :
	    0;
	struct es_value v[ES__ACTIVITY_VALUES + 6];

	es__activity_values(r, a, own->thread,
	    r->paths ? own : &r->classes.names.list[r->classes.of[activity]],
	    v);
	v[ES__ACTIVITY_VALUES] = ES_INT(sum->ns);
	v[ES__ACTIVITY_VALUES + 1] = ES_INT(sum->wait_ns);
	v[ES__ACTIVITY_VALUES + 2] = ES_INT(sum->path_ns);
	/* Times of a damaged run may have any value. */
	v[ES__ACTIVITY_VALUES + 3] =
	    ES_INT((int64_t)fmin(fmax(excess_ns * share, 0), 0x1p62));
	v[ES__ACTIVITY_VALUES + 4] = ES_INT(sum->choices.all.either);
	v[ES__ACTIVITY_VALUES + 5] = ES_INT(sum->choices.path.either);
	return sink->row(sink, &tables[PATH], v);
}

/* Writes the way of the path; it was found backward.  The last part is always
   there, because its number tells how many there are. */
static paths_status
emit_hops(const struct es__graph_result *r, struct es_sink *sink)
{
	const struct es__graph_hop *hops = (const void *)r->hops.bytes;
	uint64_t count = r->hops.size / sizeof(*hops);
	struct es__graph_hops choice =
	    es__graph_hops_choose(hops, count, HOPS - 1);
	paths_status st = PATHS_OK;

	for (uint64_t n = 0; st == PATHS_OK && n < count; n++) {
		const struct es__graph_hop *hop = &hops[count - 1 - n];

		if (es__graph_hops_take(&choice, hop) || n + 1 == count)
			st = sink->row(sink, &tables[HOP],
			    (struct es_value[]){ ES_INT(n + 1),
				ES_INT(r->threads[hop->thread]),
				ES_INT(hop->start_ns), ES_INT(hop->stop_ns) });
	}
	return st;
}

static paths_status
critical_path_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__graph_result *r;
	struct class_sum *sums;
	paths_status st = es__graph_result_get(a, &r);

	if (st != PATHS_OK || r == NULL)
		return st;
	sums = class_sums(r);
	if (sums == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a view");
	for (uint32_t n = 0; st == PATHS_OK && n < r->graph->names.count; n++)
		if (r->sums[n].ns > 0 || r->sums[n].wait_ns > 0 ||
		    r->sums[n].path_ns > 0 || r->sums[n].choices.all.either > 0)
			st = emit(r, a, n, &sums[r->classes.of[n]], sink);
	free(sums);
	return st == PATHS_OK ? emit_hops(r, sink) : st;
}

const struct es_view es__view_critical_path = {
	.name = "critical_path",
	.about = "critical path of the run, by activity",
	.question = "Which code and which operations is the length of the run "
		    "the sum of?",
	.topic = ES_TOPIC_CAUSES,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = critical_path_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
