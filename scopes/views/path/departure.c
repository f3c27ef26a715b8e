/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/departure.c - order in which operations leave joins
 *
 * scopes/path/arrivals_private.h defines the numbers.  The stamps are those of
 * the up-pass.
 */

#include "scopes/views/path/arrival_rows_private.h"

ES__SQL(departure_reading);

static const struct es_column columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" },
	{ "input", ES_INTEGER, .about = "number of the input, see join_input",
	    .refers = "join_input" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that all inputs retain" },
	{ "first", ES_INTEGER,
	    .about = "number of those in which this input left first" },
	{ "last", ES_INTEGER,
	    .about = "number of those in which this input left last" },
	{ "wait_ns_sum", ES_INTEGER,
	    .about =
		"total time from this input's departure to the last departure",
	    .unit = ES_UNIT_NS },
	{ "wait_ns_max", ES_INTEGER,
	    .about = "longest time from this input's departure to the last one",
	    .unit = ES_UNIT_NS },
};

static const struct es_column pair_columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" },
	{ "before", ES_INTEGER, .about = "input that left first of the two",
	    .refers = "join_input" },
	{ "after", ES_INTEGER, .about = "input that left second",
	    .refers = "join_input" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that left in this order" },
	{ "wait_ns_sum", ES_INTEGER,
	    .about = "total time between the two departures",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "departure",
	    .about = "order in which operations leave joins",
	    ES_COLUMNS(columns),
	    .order = "stage, last DESC",
	    .reading = es__sql_departure_reading },
	{ .name = "departure_pair",
	    .about = "order of departure, by pairs of inputs",
	    ES_COLUMNS(pair_columns),
	    .order = "wait_ns_sum DESC" },
};

static paths_status
departure_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__arrival_rows(a, sink, &tables[0], &tables[1], true);
}

const struct es_view es__view_departure = {
	.name = "departure",
	.about = "order in which operations leave joins",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = departure_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
