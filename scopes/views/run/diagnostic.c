/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/diagnostic.c - warnings about the run and its views
 *
 * The view is the last one, so it has the diagnostics of the views before it.
 */

#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "severity", ES_TEXT, .about = "severity: note, warning or error" },
	{ "subject", ES_TEXT,
	    .about =
		"object concerned, such as a process, thread, stage, view or "
		"file; or deadlock, map or world" },
	{ "text", ES_TEXT,
	    .about = "description of the problem, one sentence" },
};

static const struct es_table tables[] = {
	{ .name = "diagnostic",
	    .about = "warnings about the run and its views",
	    ES_COLUMNS(columns),
	    .order = "instr('error warning note', severity)" },
};

static paths_status
diagnostic_compute(struct es_analysis *a, struct es_sink *sink)
{
	static const char *const severities[] = {
		[ES_NOTE] = "note",
		[ES_WARNING] = "warning",
		[ES_ERROR] = "error",
	};
	const struct es_diagnostic *d;
	paths_status st = PATHS_OK;

	for (size_t n = 0;
	     st == PATHS_OK && (d = es_run_diagnostic(a->run, n)) != NULL; n++)
		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ ES_STR(severities[d->severity]),
			ES_STR(d->subject), ES_STR(d->text) });
	return st;
}

const struct es_view es__view_diagnostic = {
	.name = "diagnostic",
	.about = "warnings about the run and its views",
	.question = "Which numbers of the run are incomplete or uncertain?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = diagnostic_compute,
	.flags = ES_VIEW_ALWAYS,
};
