/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wrapper_latency.c - latency of each stage
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

ESV__SQL(latency_stages);

static void
latency_fill(struct esv__bars *bars, struct esv__sheet *sheet)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_latency_stages);
	esv__query_bind_text(&q, "measure", sheet->options->measure);
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

	latency_fill(&bars, sheet);
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
