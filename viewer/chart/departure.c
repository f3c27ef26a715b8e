/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/departure.c - in which order operations leave a join
 */

#include "viewer/chart/chart_private.h"

static void
departure_draw(struct es__sheet *sheet)
{
	es__join_draw(sheet,
	    &(struct es__join_table){ .name = "departure",
		.first = "left first",
		.last = "left last",
		.before = "left before",
		.after = "this one",
		.wait_axis = "mean time before the last to leave",
		.waited = " between leaving and the last to leave." });
}

const struct es_chart es__chart_departure = {
	.name = "departure",
	.title = "Departure from a join",
	.about = "Which input of a join gets its result last, and how long "
		 "after the others?  (Behind the bars: mean and longest time "
		 "before the last.)",
	.measures = "operations wait",
	.tables = "departure departure_pair join_input stage path thread",
	.applies = "EXISTS (SELECT 1 FROM departure)",
	.nothing = "There is no join all of whose inputs have a collector.",
	.draw = departure_draw,
};
