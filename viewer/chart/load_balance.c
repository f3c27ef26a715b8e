/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/load_balance.c - communication and computation of each thread
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/threads.h"

#include <math.h>

enum { WAIT, COMMUNICATION, COMPUTATION, PARTS };

static void
balance_add(struct es__bars *bars, const struct es__query *q)
{
	double communication = es__query_num(q, 2);
	double wait = fmin(es__query_num(q, 4), communication);

	es__bars_add(bars, q->sheet,
	    &(struct es__bar){ .label = es__query_text(q, 1),
		.thing = ES_THING(ES_THING_THREAD, es__query_int(q, 0)),
		.parts = { wait, communication - wait, es__query_num(q, 3) },
		.note = es_figure_printf(q->sheet->figure, "%s",
		    es__number(q->sheet, es__query_num(q, 5),
			PATHS_UNIT_SHARE)) });
}

static void
balance_say(struct es__sheet *sheet)
{
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT t.name, sum(w.wait_ns) AS ns, "
	    "(SELECT sum(wait_ns) FROM waits_for), b.communication_share "
	    "FROM waits_for w JOIN thread t ON t.thread = w.culprit "
	    "JOIN load_balance b ON b.thread = w.culprit "
	    "GROUP BY w.culprit HAVING ns > 0 ORDER BY ns DESC LIMIT 1");
	if (es__query_next(&q))
		es__sheet_say(sheet, ES_ROLE_TEXT,
		    es_figure_printf(sheet->figure,
			"The others wait most for %s: %s, %s of all waiting.  "
			"It communicates for %s of its own time.",
			es__query_text(&q, 0),
			es__number(sheet, es__query_num(&q, 1),
			    PATHS_UNIT_TIME),
			es__number(sheet,
			    es__query_num(&q, 1) / es__query_num(&q, 2),
			    PATHS_UNIT_SHARE),
			es__number(sheet, es__query_num(&q, 3),
			    PATHS_UNIT_SHARE)));
	es__query_close(&q);
}

static void
load_balance_draw(struct es__sheet *sheet)
{
	struct es__bars bars = { .what = "threads",
		.axis = "time (after the bar: share of communication)",
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting for others", "other communication",
		    "computation" },
		.roles = { ES_ROLE_SERIES + 1, ES_ROLE_GREY + ES_GREYS - 1,
		    ES_ROLE_GREY + 3 },
		.part_count = PARTS };
	const bool *shown = es__threads_shown(sheet);
	struct es__query q;

	balance_say(sheet);
	es__query_open(&q, sheet,
	    "SELECT b.thread, t.name, b.communication_ns, b.computation_ns, "
	    "coalesce(b.wait_ns, 0), b.communication_share "
	    "FROM load_balance b JOIN thread t USING (thread) "
	    "ORDER BY b.thread");
	while (es__query_next(&q))
		if (es__threads_shows(sheet, shown, es__query_int(&q, 0)))
			balance_add(&bars, &q);
	if (es__sheet_measure(sheet, "wait"))
		es__bars_sort(&bars, sheet, WAIT);
	else if (es__sheet_measure(sheet, "communication"))
		es__bars_sort(&bars, sheet, COMMUNICATION);
	else if (es__sheet_measure(sheet, "computation"))
		es__bars_sort(&bars, sheet, COMPUTATION);
	es__bars_draw(&bars, sheet);
}

const struct es_chart es__chart_load_balance = {
	.name = "load_balance",
	.title = "Load balance",
	.about = "Shows how long each thread computes, communicates and waits "
		 "for others.  A thread that waits little keeps the others "
		 "waiting.",
	.measures = "map wait communication computation",
	.tables = "load_balance waits_for thread",
	.applies = "EXISTS (SELECT 1 FROM load_balance)",
	.nothing = "No operation was recorded.",
	.draw = load_balance_draw,
};
