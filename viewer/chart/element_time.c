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

/* Returns the subject, or the thread that waits longest. */
static int64_t
element_thread(struct esv__sheet *sheet)
{
	const struct esv_thing *subject = &sheet->options->subject;

	if (subject->kind == ESV_THING_THREAD)
		return subject->id;
	return esv__query_one(sheet, -1,
	    "SELECT thread FROM load_balance WHERE thread IN "
	    "(SELECT thread FROM path JOIN wrapper_latency_step USING (path)) "
	    "ORDER BY coalesce(wait_ns, 0) DESC, communication_ns DESC, thread "
	    "LIMIT 1");
}

/* SQL expression for the first stage after a path's first collector. */
#define FIRST_STAGE \
	"(SELECT l.stage FROM path_stage s JOIN wrapper_latency l " \
	"ON l.stage = s.stage AND l.path = s.path WHERE s.path = %" PRId64 \
	" ORDER BY s.position LIMIT 1)"

static void
element_curves(struct esv__curves *curves, struct esv__sheet *sheet,
    int64_t thread)
{
	struct esv__query q;

	esv__query_open(&q, sheet,
	    "SELECT p.path, e.name, sum(l.time_ns_mean * l.operations) "
	    "FROM path p JOIN element e USING (element) "
	    "JOIN wrapper_latency_step l USING (path) "
	    "WHERE p.thread = %" PRId64
	    " GROUP BY p.path ORDER BY 3 DESC, p.path LIMIT %d",
	    thread, ESV__PARTS);
	while (esv__query_next(&q)) {
		struct esv__curve *curve = &curves->curves[curves->count++];

		curve->label = esv__query_text(&q, 1);
		curve->thing = ESV_THING(ESV_THING_PATH, esv__query_int(&q, 0));
	}
	for (uint32_t n = 0; n < curves->count; n++) {
		int64_t path = curves->curves[n].thing.id;

		esv__curve_fill(&curves->curves[n], sheet,
		    esv_figure_printf(sheet->figure,
			"SELECT step + (steps - 1) / 2.0, time_ns_min, "
			"time_ns_mean, time_ns_max FROM wrapper_latency_step "
			"WHERE path = %" PRId64 " AND stage = " FIRST_STAGE
			" AND step <= %" PRId64 " AND step + steps > %" PRId64
			" ORDER BY step",
			path, path, curves->last, curves->first));
	}
}

static void
element_time_draw(struct esv__sheet *sheet)
{
	int64_t thread = element_thread(sheet);
	struct esv__curves curves = { .x_axis = "step",
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
