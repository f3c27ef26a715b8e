/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/arrival.c - order in which operations arrive at joins
 *
 * scopes/path/arrivals_private.h defines the numbers.  The stamps are those of
 * the down-pass.
 */

#include "scopes/views/path/arrival_rows_private.h"

ES__SQL(arrival_reading);
ES__SQL(arrival_process);
ES__SQL(arrival_host);

static const struct es_column columns[] = {
	ES__ARRIVAL_COLUMNS("came", "arrival"),
};

static const struct es_column pair_columns[] = {
	ES__ARRIVAL_PAIR_COLUMNS("came", "arrival"),
};

static const struct es_column process_columns[] = {
	ES__ARRIVAL_GROUP_COLUMNS("process", "came", "arrival"),
};

static const struct es_column host_columns[] = {
	ES__ARRIVAL_GROUP_COLUMNS("host", "came", "arrival"),
};

static const struct es_table tables[] = {
	{ .name = "arrival",
	    .about = "order in which operations arrive at joins",
	    ES_COLUMNS(columns),
	    .order = "stage, last DESC",
	    .reading = es__sql_arrival_reading,
	    .reading_about =
		"join with the longest waits, and the input that is most often "
		"last there",
	    .front = 10 },
	{ .name = "arrival_pair",
	    .about = "order of arrival, by pairs of inputs",
	    ES_COLUMNS(pair_columns),
	    .order = "wait_ns_sum DESC" },
	{ .name = "arrival_process",
	    .about = "order of arrival, by the process that inputs come from",
	    ES_COLUMNS(process_columns),
	    .sql = es__sql_arrival_process,
	    .order = "stage, last DESC" },
	{ .name = "arrival_host",
	    .about = "order of arrival, by the host that inputs come from",
	    ES_COLUMNS(host_columns),
	    .sql = es__sql_arrival_host,
	    .order = "stage, last DESC" },
};

static paths_status
arrival_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__arrival_rows(a, sink, &tables[0], &tables[1], false);
}

const struct es_view es__view_arrival = {
	.name = "arrival",
	.about = "order in which operations arrive at joins",
	.question = "Which input do the joins wait for?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = arrival_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
