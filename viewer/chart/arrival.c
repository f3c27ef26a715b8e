/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/arrival.c - in which order operations come to a join
 */

#include "viewer/chart/chart_private.h"

static void
arrival_draw(struct es__sheet *sheet)
{
	es__join_draw(sheet,
	    &(struct es__join_table){ .name = "arrival",
		.first = "came first",
		.last = "came last",
		.before = "came before",
		.after = "this one",
		.wait_axis = "mean wait for the last to come",
		.waited = " waiting for the last to come." });
}

const struct es_chart es__chart_arrival = {
	.name = "arrival",
	.title = "Arrival at a join",
	.about = "Which input of a join comes last, and how long do the others "
		 "wait for it?  (Behind the bars: mean and longest wait.)",
	.measures = "operations wait",
	.tables = "arrival arrival_pair join_input stage path thread",
	.applies = "EXISTS (SELECT 1 FROM arrival)",
	.nothing = "There is no join all of whose inputs have a collector.",
	.draw = arrival_draw,
};
