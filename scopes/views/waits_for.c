/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/waits_for.c - who waits for whom
 *
 * See scopes/waits_private.h for what is counted.
 */

#include "scopes/view_private.h"
#include "scopes/waits_private.h"

static const struct es_column columns[] = {
	{ "waiter", ES_INTEGER, "the thread that waited" },
	{ "culprit", ES_INTEGER,
	    "the thread that it waited for; NULL: not known" },
	{ "operations", ES_INTEGER, "in which it waited for that" },
	{ "wait_ns", ES_INTEGER, "how long in all" },
};

static const struct es_table tables[] = {
	ES__TABLE("waits_for", columns, "who waits for whom"),
};

static paths_status
waits_for_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__waits *waits;
	paths_status st = es__waits_get(a, &waits);

	for (size_t n = 0; st == PATHS_OK && n < waits->blame_count; n++) {
		const struct es__blame *b = &waits->blames[n];

		st = sink->row(sink, &tables[0],
		    (struct es_value[]){ ES_INT(b->waiter), es__id(b->culprit),
			ES_INT(b->operations), ES_INT(b->wait_ns) });
	}
	return st;
}

const struct es_view es__view_waits_for = {
	.name = "waits_for",
	.about = "who waits for whom",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = waits_for_compute,
};
