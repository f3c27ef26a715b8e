/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/departure.c - order of departure from the inputs of a join
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/joins.h"
#include "viewer/plot/query.h"

ESV__SQL(departure_sums);
ESV__SQL(departure_inputs);
ESV__SQL(departure_processes);
ESV__SQL(departure_hosts);
ESV__SQL(departure_pairs);

static void
departure_draw(struct esv__sheet *sheet)
{
	esv__join_draw(sheet,
	    &(struct esv__join_table){ .name = "departure",
		.sums = esv__sql_departure_sums,
		.inputs = esv__sql_departure_inputs,
		.processes = esv__sql_departure_processes,
		.hosts = esv__sql_departure_hosts,
		.pairs = esv__sql_departure_pairs,
		.first = "left first",
		.last = "left last",
		.before = "left before",
		.after = "this input",
		.wait_axis = "mean time before the last input",
		.waited = " between each departure and the last." });
}

const struct esv_chart esv__chart_departure = {
	.name = "departure",
	.title = "Departure from a join",
	.about = "Shows which input of a join gets its result last, and how "
		 "long after the others.  After each bar: mean and longest "
		 "time before the last.",
	.measures = "operations wait",
	.levels = "thread process host",
	.tables = "departure departure_pair join_input stage path thread",
	.applies = "EXISTS (SELECT 1 FROM departure)",
	.nothing = "No join has a collector on each input.",
	.draw = departure_draw,
};
