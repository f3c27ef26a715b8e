/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wrapper_latency.c - latency of each stage
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

static void
latency_fill(struct esv__bars *bars, struct esv__sheet *sheet,
    const char *order)
{
	struct esv__query q;

	esv__query_open(&q, sheet,
	    "SELECT l.stage, s.name || CASE WHEN t.name IS NULL "
	    "OR instr(s.name, '/') THEN '' ELSE ' (' || t.name || ')' END, "
	    "l.latency_ns_mean, l.latency_ns_median, l.latency_ns_p95, "
	    "l.latency_ns_min, l.operations, l.latency_ns_max "
	    "FROM wrapper_latency l JOIN stage s USING (stage) "
	    "LEFT JOIN path p ON p.path = l.path "
	    "LEFT JOIN thread t ON t.thread = p.thread "
	    "ORDER BY %s DESC, l.stage, l.path",
	    order);
	while (esv__query_next(&q))
		esv__bars_add(bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 1),
			.thing =
			    ESV_THING(ESV_THING_STAGE, esv__query_int(&q, 0)),
			.parts = { esv__query_num(&q, 2), esv__query_num(&q, 3),
			    esv__query_num(&q, 4), esv__query_num(&q, 5) },
			.note = esv_figure_printf(sheet->figure,
			    "%s operations, longest %s",
			    esv__sheet_number(sheet, esv__query_num(&q, 6),
				PATHS_UNIT_COUNT),
			    esv__sheet_number(sheet, esv__query_num(&q, 7),
				PATHS_UNIT_TIME)) });
}

static void
wrapper_latency_draw(struct esv__sheet *sheet)
{
	struct esv__bars bars = { .what = "stages on their paths",
		.axis = "latency of one operation",
		.unit = PATHS_UNIT_TIME,
		.parts = { "mean", "median", "95th percentile", "minimum" },
		.roles = { ESV_ROLE_SERIES, ESV_ROLE_SERIES + 2,
		    ESV_ROLE_SERIES + 1, ESV_ROLE_SERIES + 7 },
		.part_count = 4,
		.logarithmic = true,
		.single = true,
		.top = true };
	const char *order = "l.latency_ns_mean * l.operations";

	if (esv__sheet_measure(sheet, "mean"))
		order = "l.latency_ns_mean";
	else if (esv__sheet_measure(sheet, "p95"))
		order = "l.latency_ns_p95";
	else if (esv__sheet_measure(sheet, "max"))
		order = "l.latency_ns_max";
	latency_fill(&bars, sheet, order);
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_wrapper_latency = {
	.name = "wrapper_latency",
	.title = "Latency of stages",
	.about = "Shows the time of one operation in each stage, without the "
		 "stages after it.  The stages with the largest total are "
		 "first.  Joins include the wait for other threads.  The scale "
		 "is logarithmic.",
	.measures = "total mean p95 max",
	.tables = "wrapper_latency stage path thread",
	.applies = "EXISTS (SELECT 1 FROM wrapper_latency)",
	.nothing = "No stage follows a collector that recorded operations.",
	.draw = wrapper_latency_draw,
};
