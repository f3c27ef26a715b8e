/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wrapper_latency.c - latency of each stage
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

static void
latency_fill(struct es__bars *bars, struct es__sheet *sheet, const char *order)
{
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT l.stage, s.name || CASE WHEN t.name IS NULL "
	    "OR instr(s.name, '/') THEN '' ELSE ' (' || t.name || ')' END, "
	    "l.latency_ns_mean, l.latency_ns_median, l.latency_ns_p95, "
	    "l.latency_ns_min, l.operations, l.latency_ns_max "
	    "FROM wrapper_latency l JOIN stage s USING (stage) "
	    "LEFT JOIN path p ON p.path = l.path "
	    "LEFT JOIN thread t ON t.thread = p.thread "
	    "ORDER BY %s DESC, l.stage, l.path",
	    order);
	while (es__query_next(&q))
		es__bars_add(bars, sheet,
		    &(struct es__bar){ .label = es__query_text(&q, 1),
			.thing = ES_THING(ES_THING_STAGE, es__query_int(&q, 0)),
			.parts = { es__query_num(&q, 2), es__query_num(&q, 3),
			    es__query_num(&q, 4), es__query_num(&q, 5) },
			.note = es_figure_printf(sheet->figure,
			    "%s operations, longest %s",
			    es__number(sheet, es__query_num(&q, 6),
				PATHS_UNIT_COUNT),
			    es__number(sheet, es__query_num(&q, 7),
				PATHS_UNIT_TIME)) });
}

static void
wrapper_latency_draw(struct es__sheet *sheet)
{
	struct es__bars bars = { .what = "stages on their paths",
		.axis = "latency of one operation",
		.unit = PATHS_UNIT_TIME,
		.parts = { "mean", "median", "95th percentile", "minimum" },
		.roles = { ES_ROLE_SERIES, ES_ROLE_SERIES + 2,
		    ES_ROLE_SERIES + 1, ES_ROLE_SERIES + 7 },
		.part_count = 4,
		.logarithmic = true,
		.single = true,
		.top = true };
	const char *order = "l.latency_ns_mean * l.operations";

	if (es__sheet_measure(sheet, "mean"))
		order = "l.latency_ns_mean";
	else if (es__sheet_measure(sheet, "p95"))
		order = "l.latency_ns_p95";
	else if (es__sheet_measure(sheet, "max"))
		order = "l.latency_ns_max";
	latency_fill(&bars, sheet, order);
	es__bars_draw(&bars, sheet);
}

const struct es_chart es__chart_wrapper_latency = {
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
