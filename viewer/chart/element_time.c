/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/element_time.c - time of a thread's operations, by element
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		figure 7
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/curves.h"
#include "viewer/plot/query.h"

#include <inttypes.h>

ESV__SQL(element_thread);
ESV__SQL(element_paths);
ESV__SQL(element_steps);

/* Returns the subject, or the thread that waits longest. */
static int64_t
element_thread(struct esv__sheet *sheet)
{
	const struct esv_thing *subject = &sheet->options->subject;
	struct esv__query q;

	if (subject->kind == ESV_THING_THREAD)
		return subject->id;
	esv__query_begin(&q, sheet, esv__sql_element_thread);
	return esv__query_take(&q, -1);
}

static void
element_curves(struct esv__curves *curves, struct esv__sheet *sheet,
    int64_t thread)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_element_paths);
	esv__query_bind(&q, "thread", thread);
	esv__query_bind(&q, "most", ESV__PARTS);
	while (esv__query_next(&q)) {
		struct esv__curve *curve = &curves->curves[curves->count++];

		curve->label = esv__query_text(&q, 1);
		curve->thing = ESV_THING(ESV_THING_PATH, esv__query_int(&q, 0));
	}
	for (uint32_t n = 0; n < curves->count; n++) {
		esv__query_begin(&q, sheet, esv__sql_element_steps);
		esv__query_bind(&q, "path", curves->curves[n].thing.id);
		esv__query_bind(&q, "first", curves->first);
		esv__query_bind(&q, "last", curves->last);
		esv__curve_fill(&curves->curves[n], &q);
	}
}

static void
element_time_draw(struct esv__sheet *sheet)
{
	int64_t thread = element_thread(sheet);
	struct esv__curves curves = { .x_axis = "step",
		.x_unit = PATHS_UNIT_PLAIN,
		.y_axis = "time of one operation",
		.unit = PATHS_UNIT_TIME,
		.logarithmic = esv__sheet_measure(sheet, "logarithmic") };

	esv__curves_steps(&curves, sheet);
	element_curves(&curves, sheet, thread);
	if (curves.count == 0) {
		esv__sheet_nothing(sheet,
		    "No operation of this thread was recorded.");
		return;
	}
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure, "Operations of thread %s%s",
		esv__query_one_text(sheet,
		    "SELECT name FROM thread WHERE thread = %" PRId64, thread),
		sheet->options->subject.kind == ESV_THING_THREAD ?
		    "." :
		    ", which waits longest of all threads."));
	esv__curves_draw(&curves, sheet);
}

const struct esv_chart esv__chart_element_time = {
	.name = "element_time",
	.title = "Time of a thread's operations, by element",
	.about = "Shows on which element a thread spends its time, and when "
		 "this changes.  Thick lines: mean of the operations of a "
		 "step; thin lines: from the shortest to the longest.",
	.measures = "linear logarithmic",
	.tables =
	    "wrapper_latency wrapper_latency_step load_balance path path_stage thread element",
	.applies = "EXISTS (SELECT 1 FROM wrapper_latency_step "
		   "WHERE path IS NOT NULL)",
	.nothing = "No path has a collector that recorded operations.",
	.timed = true,
	.draw = element_time_draw,
};
