/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/breakdown.c - time of operations, by stage
 *
 * Draws all threads by kind of stage, or one thread by stage.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/threads.h"

#include <inttypes.h>
#include <string.h>

ESV__SQL(breakdown_kinds);
ESV__SQL(breakdown_kind_count);
ESV__SQL(breakdown_threads);
ESV__SQL(breakdown_stages);

/* Kinds with a colour of their own; all other kinds share one. */
#define KINDS (ESV__PARTS - 2)

static uint32_t
kind_part(const struct esv__bars *bars, const char *kind)
{
	for (uint32_t p = 1; p < bars->part_count; p++)
		if (strcmp(bars->parts[p], kind) == 0)
			return p;
	return bars->part_count - 1;
}

static void
breakdown_kinds(struct esv__bars *bars, struct esv__sheet *sheet)
{
	struct esv__query q;

	bars->parts[0] = "waiting for others";
	bars->roles[0] = ESV_ROLE_WAITING;
	bars->part_count = 1;
	esv__query_begin(&q, sheet, esv__sql_breakdown_kinds);
	esv__query_bind(&q, "most", KINDS);
	while (esv__query_next(&q)) {
		static const int roles[] = { 0, 2, 3, 4, 1, 6 };

		bars->roles[bars->part_count] =
		    ESV_ROLE_SERIES + roles[bars->part_count - 1];
		bars->parts[bars->part_count++] = esv__query_text(&q, 0);
	}
	esv__query_begin(&q, sheet, esv__sql_breakdown_kind_count);
	if (esv__query_take(&q, 0) > KINDS) {
		bars->roles[bars->part_count] = ESV_ROLE_SERIES + 7;
		bars->parts[bars->part_count++] = "other stages";
	}
}

static void
breakdown_threads(struct esv__bars *bars, struct esv__sheet *sheet)
{
	const bool *shown = esv__threads_shown(sheet);
	int64_t thread = -1;
	struct esv__query q;

	breakdown_kinds(bars, sheet);
	esv__query_begin(&q, sheet, esv__sql_breakdown_threads);
	while (esv__query_next(&q)) {
		int64_t id = esv__query_int(&q, 0);
		struct esv__bar *bar;

		if (!esv__threads_shows(sheet, shown, id))
			continue;
		if (id != thread)
			esv__bars_add(bars, sheet,
			    &(struct esv__bar){ .label = esv__query_text(&q, 1),
				.thing = ESV_THING(ESV_THING_THREAD, id) });
		thread = id;
		if (bars->bars == NULL)
			continue;
		bar = &bars->bars[bars->count - 1];
		bar->parts[0] += esv__query_num(&q, 4);
		bar->parts[kind_part(bars, esv__query_text(&q, 2))] +=
		    esv__query_num(&q, 3);
	}
}

static void
breakdown_stages(struct esv__bars *bars, struct esv__sheet *sheet,
    int64_t thread)
{
	struct esv__query q;

	bars->what = "stages";
	bars->part_count = 2;
	bars->parts[0] = "waiting for others";
	bars->roles[0] = ESV_ROLE_WAITING;
	bars->parts[1] = "own time of the stage";
	bars->roles[1] = ESV_ROLE_SERIES;
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure, "Stages of thread %s.",
		esv__query_one_text(sheet,
		    "SELECT name FROM thread WHERE thread = %" PRId64,
		    thread)));
	esv__query_begin(&q, sheet, esv__sql_breakdown_stages);
	esv__query_bind(&q, "thread", thread);
	while (esv__query_next(&q))
		esv__bars_add(bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 1),
			.thing =
			    ESV_THING(ESV_THING_STAGE, esv__query_int(&q, 0)),
			.parts = { esv__query_num(&q, 2),
			    esv__query_num(&q, 3) },
			.note = esv__sheet_number(sheet, esv__query_num(&q, 4),
			    PATHS_UNIT_SHARE) });
	bars->top = true;
}

static void
breakdown_draw(struct esv__sheet *sheet)
{
	struct esv__bars bars = { .what = "threads",
		.axis = "time of all operations",
		.unit = PATHS_UNIT_TIME };

	if (sheet->options->subject.kind == ESV_THING_THREAD)
		breakdown_stages(&bars, sheet, sheet->options->subject.id);
	else
		breakdown_threads(&bars, sheet);
	if (esv__sheet_measure(sheet, "total"))
		esv__bars_sort(&bars, sheet, bars.part_count);
	else if (esv__sheet_measure(sheet, "wait"))
		esv__bars_sort(&bars, sheet, 0);
	if (bars.count == 0)
		esv__sheet_nothing(sheet,
		    "No operation of this thread was recorded.");
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_breakdown = {
	.name = "breakdown",
	.title = "Cost of operations, by stage",
	.about = "Shows in which stages the operations of a thread spend their "
		 "time.  Waiting is caused by other threads; the other parts "
		 "are the own time of stages.  All parts add up exactly to the "
		 "time of the operations.",
	.measures = "map total wait",
	.tables = "breakdown stage thread",
	.applies = "EXISTS (SELECT 1 FROM breakdown)",
	.nothing = "No path has the collectors that separate its stages.",
	.draw = breakdown_draw,
};
