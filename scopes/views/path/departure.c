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
	ES__ARRIVAL_COLUMNS("left", "departure"),
};

static const struct es_column pair_columns[] = {
	ES__ARRIVAL_PAIR_COLUMNS("left", "departure"),
};

static const struct es_table tables[] = {
	{ .name = "departure",
	    .about = "order in which operations leave joins",
	    ES_COLUMNS(columns),
	    .order = "stage, last DESC",
	    .reading = es__sql_departure_reading,
	    .reading_about =
		"join with the longest waits, and the input that most often "
		"leaves it last" },
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
	.question = "Which input leaves the joins last?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = departure_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
