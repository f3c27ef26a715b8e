/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/profile.c - operation counts and times of collectors in
 * mode profile
 *
 * Such collectors keep no tuples.  They count operations by kind; collectors on
 * paths have a single size class.
 */

#include "scopes/views/view_private.h"

static const struct es_column columns[] = {
	{ "collector", ES_INTEGER, .about = "id of the collector",
	    .refers = "collector" },
	{ "kind", ES_TEXT,
	    .about = "kind of operation: write, read, exchange or delete" },
	{ "size_class", ES_INTEGER,
	    .about =
		"size class, always 0: collectors on paths have one class" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that returned" },
	{ "time_ns", ES_INTEGER, .about = "total duration",
	    .unit = ES_UNIT_NS },
	{ "min_ns", ES_INTEGER, .about = "shortest operation",
	    .unit = ES_UNIT_NS },
	{ "max_ns", ES_INTEGER, .about = "longest operation",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "profile",
	    .about = "operation counts and times of collectors in mode profile",
	    ES_COLUMNS(columns) },
};

static paths_status
profile_row(struct es_analysis *a, struct es_sink *sink, uint32_t collector,
    const struct es_space_collector *c, uint32_t row)
{
	const struct es_collector *place = &a->run->collectors[collector];
	const struct es_timebase *base = es__base_of(a, place);
	const char *kind =
	    es_operation_name(ES_OPERATION_PATH, row / c->profile_classes);
	struct es_profile p;
	paths_status st = es_space_profile(a->run->spaces[place->process],
	    place->entry, row, &p);

	if (st != PATHS_OK || p.count == 0 || kind == NULL)
		return PATHS_OK;
	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(collector), ES_STR(kind),
		ES_INT(row % c->profile_classes), ES_INT(p.count),
		ES_INT(es_time_span(base, p.sum_ticks)),
		ES_INT(es_time_span(base, p.min_ticks)),
		ES_INT(es_time_span(base, p.max_ticks)) });
}

static paths_status
profile_compute(struct es_analysis *a, struct es_sink *sink)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < a->run->collector_count;
	     n++) {
		const struct es_collector *place = &a->run->collectors[n];
		struct es_space_collector c;

		if (place->entry == PATHS_NONE ||
		    es_space_collector(a->run->spaces[place->process],
			place->entry, &c) != PATHS_OK)
			continue;
		for (uint32_t row = 0;
		     st == PATHS_OK && row < c.profile_ops * c.profile_classes;
		     row++)
			st = profile_row(a, sink, n, &c, row);
	}
	return st;
}

const struct es_view es__view_profile = {
	.name = "profile",
	.about = "operation counts and times of collectors in mode profile",
	.question =
	    "How many operations did each collector count, and how long "
	    "did they take?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = profile_compute,
	.needs = ES_NEED_PATHS | ES_NEED_PROFILE,
};
