/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/departure.c - in which order operations leave a join
 *
 * See scopes/arrivals_private.h for what counts.  Stamps are those of
 * the up-pass.
 */

#include "scopes/arrivals_private.h"

static const struct es_column columns[] = {
	{ "stage", ES_INTEGER, "the join" },
	{ "input", ES_INTEGER, "see join_input" },
	{ "operations", ES_INTEGER, "that all inputs retain" },
	{ "first", ES_INTEGER, "of them, in which this input was the first" },
	{ "last", ES_INTEGER, "of them, in which it was the last" },
	{ "wait_ns_sum", ES_INTEGER, "from its departures to the last ones" },
	{ "wait_ns_max", ES_INTEGER, "the longest of those times" },
};

static const struct es_column pair_columns[] = {
	{ "stage", ES_INTEGER, "the join" },
	{ "before", ES_INTEGER, "an input" },
	{ "after", ES_INTEGER, "another input" },
	{ "operations", ES_INTEGER, "in which they left in that order" },
	{ "wait_ns_sum", ES_INTEGER, "the time between them, over those" },
};

static const struct es_table tables[] = {
	ES__TABLE("departure", columns,
	    "in which order operations leave a join"),
	ES__TABLE("departure_pair", pair_columns,
	    "the same, by pairs of inputs"),
};

static paths_status
departure_compute(struct es_analysis *a, struct es_sink *sink)
{
	return es__arrivals_compute(a, sink, &tables[0], &tables[1], true);
}

const struct es_view es__view_departure = {
	.name = "departure",
	.about = "in which order operations leave a join",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = departure_compute,
};
