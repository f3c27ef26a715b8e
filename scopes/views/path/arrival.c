/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/arrival.c - order in which operations arrive at joins
 *
 * scopes/path/arrivals_private.h defines the numbers.  The stamps are those of
 * the down-pass.
 */

#include "scopes/views/path/arrival_rows_private.h"

ES__SQL(arrival_reading);

static const struct es_column columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" },
	{ "input", ES_INTEGER, .about = "number of the input, see join_input",
	    .refers = "join_input" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that all inputs retain" },
	{ "first", ES_INTEGER,
	    .about = "number of those in which this input came first" },
	{ "last", ES_INTEGER,
	    .about = "number of those in which this input came last" },
	{ "wait_ns_sum", ES_INTEGER,
	    .about = "total time from this input's arrival to the last arrival",
	    .unit = ES_UNIT_NS },
	{ "wait_ns_max", ES_INTEGER,
	    .about = "longest time from this input's arrival to the last one",
	    .unit = ES_UNIT_NS },
};

static const struct es_column pair_columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" },
	{ "before", ES_INTEGER, .about = "input that came first of the two",
	    .refers = "join_input" },
	{ "after", ES_INTEGER, .about = "input that came second",
	    .refers = "join_input" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that came in this order" },
	{ "wait_ns_sum", ES_INTEGER,
	    .about = "total time between the two arrivals",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "arrival",
	    .about = "order in which operations arrive at joins",
	    ES_COLUMNS(columns),
	    .order = "stage, last DESC",
	    .reading = es__sql_arrival_reading,
	    .front = 10 },
	{ .name = "arrival_pair",
	    .about = "order of arrival, by pairs of inputs",
	    ES_COLUMNS(pair_columns),
	    .order = "wait_ns_sum DESC" },
};

static paths_status
arrival_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__arrival_rows(a, sink, &tables[0], &tables[1], false);
}

const struct es_view es__view_arrival = {
	.name = "arrival",
	.about = "order in which operations arrive at joins",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = arrival_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
