/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/departure.c - order in which operations leave joins
 *
 * scopes/path/arrivals_private.h defines the numbers.  The stamps are those of
 * the up-pass.
 */

#include "scopes/views/path/arrival_rows_private.h"

ES__SQL(departure_reading);
ES__SQL(departure_process);
ES__SQL(departure_host);

static const struct es_column columns[] = {
	ES__ARRIVAL_COLUMNS("left", "departure"),
};

static const struct es_column pair_columns[] = {
	ES__ARRIVAL_PAIR_COLUMNS("left", "departure"),
};

static const struct es_column process_columns[] = {
	ES__ARRIVAL_GROUP_COLUMNS("process", "left", "departure"),
};

static const struct es_column host_columns[] = {
	ES__ARRIVAL_GROUP_COLUMNS("host", "left", "departure"),
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
	{ .name = "departure_process",
	    .about = "order of departure, by the process that inputs come from",
	    ES_COLUMNS(process_columns),
	    .sql = es__sql_departure_process,
	    .order = "stage, last DESC" },
	{ .name = "departure_host",
	    .about = "order of departure, by the host that inputs come from",
	    ES_COLUMNS(host_columns),
	    .sql = es__sql_departure_host,
	    .order = "stage, last DESC" },
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
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = departure_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
