/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/arrival.c - order of arrival at the inputs of a join
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/joins.h"
#include "viewer/plot/query.h"

ESV__SQL(arrival_sums);
ESV__SQL(arrival_inputs);
ESV__SQL(arrival_processes);
ESV__SQL(arrival_hosts);
ESV__SQL(arrival_pairs);

static void
arrival_draw(struct esv__sheet *sheet)
{
	esv__join_draw(sheet,
	    &(struct esv__join_table){ .name = "arrival",
		.sums = esv__sql_arrival_sums,
		.inputs = esv__sql_arrival_inputs,
		.processes = esv__sql_arrival_processes,
		.hosts = esv__sql_arrival_hosts,
		.pairs = esv__sql_arrival_pairs,
		.first = "arrived first",
		.last = "arrived last",
		.before = "arrived before",
		.after = "this input",
		.wait_axis = "mean wait for the last input",
		.waited = " of waiting for the last input." });
}

const struct esv_chart esv__chart_arrival = {
	.name = "arrival",
	.title = "Arrival at a join",
	.about = "Shows which input of a join arrives last, and how long the "
		 "others wait for it.  After each bar: mean and longest wait.",
	.measures = "operations wait",
	.levels = "thread process host",
	.tables = "arrival arrival_pair join_input stage path thread",
	.applies = "EXISTS (SELECT 1 FROM arrival)",
	.nothing = "No join has a collector on each input.",
	.draw = arrival_draw,
};
