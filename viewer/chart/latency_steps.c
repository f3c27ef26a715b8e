/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/latency_steps.c - latency of a stage in each step
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/curves.h"
#include "viewer/plot/query.h"

#include <inttypes.h>

ESV__SQL(latency_stage);
ESV__SQL(latency_paths);
ESV__SQL(latency_steps);

/* Returns the subject, or the stage with the largest total latency. */
static int64_t
latency_stage(struct esv__sheet *sheet)
{
	const struct esv_thing *subject = &sheet->options->subject;
	struct esv__query q;

	if (subject->kind == ESV_THING_STAGE)
		return subject->id;
	esv__query_begin(&q, sheet, esv__sql_latency_stage);
	return esv__query_take(&q, -1);
}

static void
latency_curves(struct esv__curves *curves, struct esv__sheet *sheet,
    int64_t stage)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_latency_paths);
	esv__query_bind(&q, "stage", stage);
	esv__query_bind(&q, "most", ESV__PARTS);
	while (esv__query_next(&q)) {
		struct esv__curve *curve = &curves->curves[curves->count++];

		curve->label = esv__query_text(&q, 1);
		if (esv__query_null(&q, 0))
			curve->thing = ESV_THING(ESV_THING_STAGE, stage);
		else
			curve->thing =
			    ESV_THING(ESV_THING_PATH, esv__query_int(&q, 0));
	}
	for (uint32_t n = 0; n < curves->count; n++) {
		esv__query_begin(&q, sheet, esv__sql_latency_steps);
		esv__query_bind(&q, "stage", stage);
		if (curves->curves[n].thing.kind == ESV_THING_PATH)
			esv__query_bind(&q, "path", curves->curves[n].thing.id);
		esv__query_bind(&q, "first", curves->first);
		esv__query_bind(&q, "last", curves->last);
		esv__curve_fill(&curves->curves[n], &q);
	}
}

static void
latency_steps_draw(struct esv__sheet *sheet)
{
	int64_t stage = latency_stage(sheet);
	struct esv__curves curves = { .x_axis = "step",
		.x_unit = PATHS_UNIT_PLAIN,
		.y_axis = "latency of one operation",
		.unit = PATHS_UNIT_TIME,
		.logarithmic = esv__sheet_measure(sheet, "logarithmic") };
	int64_t paths = esv__query_one(sheet, 0,
	    "SELECT count(*) FROM wrapper_latency WHERE stage = %" PRId64,
	    stage);

	if (paths == 0) {
		esv__sheet_nothing(sheet,
		    "No latency of this stage was recorded.");
		return;
	}
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure, "Stage %s%s",
		esv__query_one_text(sheet,
		    "SELECT name || ' (' || kind || ').' FROM stage "
		    "WHERE stage = %" PRId64,
		    stage),
		sheet->options->subject.kind == ESV_THING_STAGE ?
		    "" :
		    "  It has the largest total latency of all stages."));
	if (paths > ESV__PARTS)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"Only the %d slowest of its %" PRId64
			" paths are shown.",
			ESV__PARTS, paths));
	esv__curves_steps(&curves, sheet);
	latency_curves(&curves, sheet, stage);
	esv__curves_draw(&curves, sheet);
}

const struct esv_chart esv__chart_latency_steps = {
	.name = "latency_steps",
	.title = "Latency of a stage, step by step",
	.about = "Shows when a stage takes long.  Thick lines: mean of the "
		 "operations of a step; thin lines: from the shortest to the "
		 "longest.",
	.measures = "linear logarithmic",
	.tables =
	    "wrapper_latency wrapper_latency_step stage path thread element",
	.applies = "EXISTS (SELECT 1 FROM wrapper_latency_step)",
	.nothing = "No stage follows a collector that recorded operations.",
	.timed = true,
	.draw = latency_steps_draw,
};
