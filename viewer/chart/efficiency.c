/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/efficiency.c - how well a run uses its cores, over time
 *
 * Source	POP Standard Metrics for Parallel Performance Analysis
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/curves.h"
#include "viewer/plot/query.h"

ESV__SQL(efficiency_run);
ESV__SQL(efficiency_doubt);
ESV__SQL(efficiency_windows);

/* Writes the text that a query answers, if there is one. */
static void
efficiency_say(struct esv__sheet *sheet, int role, const char *sql)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, sql);
	while (esv__query_next(&q))
		esv__sheet_say(sheet, role, esv__query_text(&q, 0));
}

static void
efficiency_draw(struct esv__sheet *sheet)
{
	static const char *const factors[] = { "parallel efficiency",
		"load balance", "serialisation", "transfer" };
	struct esv__curves curves = { .x_axis = "time",
		.x_unit = PATHS_UNIT_TIME,
		.y_axis = "share of the time",
		.unit = PATHS_UNIT_SHARE };

	efficiency_say(sheet, ESV_ROLE_TEXT, esv__sql_efficiency_run);
	efficiency_say(sheet, ESV_ROLE_WARNING, esv__sql_efficiency_doubt);
	for (uint32_t n = 0; n < sizeof(factors) / sizeof(factors[0]); n++) {
		struct esv__curve *curve = &curves.curves[curves.count++];
		struct esv__query q;

		curve->label = factors[n];
		esv__query_begin(&q, sheet, esv__sql_efficiency_windows);
		esv__query_bind(&q, "factor", n);
		esv__query_bind_time(&q);
		esv__curve_fill(curve, &q);
	}
	esv__curves_draw(&curves, sheet);
}

const struct esv_chart esv__chart_efficiency = {
	.name = "efficiency",
	.title = "Efficiency over time",
	.about = "Shows when the cores are used well, and which factor is low "
		 "when they are not.  Each point is one of 50 windows of the "
		 "measured interval; parallel efficiency is the product of the "
		 "other lines.",
	.tables = "efficiency efficiency_window cpu_sample wait_lost "
		  "load_balance",
	.applies = "EXISTS (SELECT 1 FROM efficiency_window "
		   "WHERE parallel_efficiency IS NOT NULL)",
	.nothing = "Efficiencies over time need the trace of an MPI run.",
	.measured = true,
	.timed = true,
	.draw = efficiency_draw,
};
