/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/load_balance.c - communication and computation of each thread
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/part.h"
#include "viewer/plot/query.h"
#include "viewer/plot/threads.h"

#include <math.h>

ESV__SQL(balance_culprit);
ESV__SQL(balance_threads);
ESV__SQL(balance_processes);
ESV__SQL(balance_hosts);
ESV__SQL(balance_run);

enum { WAIT, COMMUNICATION, COMPUTATION, PARTS };

static void
balance_add(struct esv__bars *bars, const struct esv__query *q)
{
	double communication = esv__query_num(q, 2);
	double wait = fmin(esv__query_num(q, 4), communication);

	esv__bars_add(bars, q->sheet,
	    &(struct esv__bar){ .label = esv__query_text(q, 1),
		.thing = esv__threads_thing(q->sheet, esv__query_int(q, 0)),
		.parts = { wait, communication - wait, esv__query_num(q, 3) },
		.note = esv_figure_printf(q->sheet->figure, "%s",
		    esv__sheet_number(q->sheet, esv__query_num(q, 5),
			PATHS_UNIT_SHARE)) });
}

static void
balance_say(struct esv__sheet *sheet)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_balance_culprit);
	if (esv__query_next(&q))
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"The others wait most for %s: %s, %s of all waiting.  "
			"It communicates for %s of its own time.",
			esv__query_text(&q, 0),
			esv__sheet_number(sheet, esv__query_num(&q, 1),
			    PATHS_UNIT_TIME),
			esv__sheet_number(sheet,
			    esv__query_num(&q, 1) / esv__query_num(&q, 2),
			    PATHS_UNIT_SHARE),
			esv__sheet_number(sheet, esv__query_num(&q, 3),
			    PATHS_UNIT_SHARE)));
	esv__query_close(&q);
}

/* Returns the name of a row of the level. */
static const char *
balance_name(struct esv__sheet *sheet, uint32_t id)
{
	const struct esv_model *model = sheet->model;
	enum esv_row_kind kind = esv__sheet_level(sheet);

	if (kind == ESV_ROW_THREAD)
		return model->rows[model->thread_rows[id]].name;
	for (uint32_t n = 0; n < model->row_count; n++)
		if (model->rows[n].kind == kind && model->rows[n].id == id)
			return model->rows[n].name;
	return "run";
}

/* Adds the bars of a part of the run. */
static void
balance_part(struct esv__bars *bars, struct esv__sheet *sheet,
    const bool *shown)
{
	const struct esv_model *model = sheet->model;
	const struct esv_interval *interval = esv__part_get(sheet);
	double(*parts)[PARTS] =
	    esv__sheet_take(sheet, model->row_count, sizeof(*parts));
	bool *recorded =
	    esv__sheet_take(sheet, model->row_count, sizeof(*recorded));

	for (uint32_t t = 0; interval != NULL && recorded != NULL &&
	     parts != NULL && t < model->thread_count;
	     t++) {
		const struct esv_interval_thread *of = &interval->threads[t];
		uint32_t id = esv__threads_part(sheet, t);
		double wait = fmin((double)of->wait_ns, (double)of->busy_ns);

		recorded[id] |= of->active_ns > 0;
		parts[id][WAIT] += wait;
		parts[id][COMMUNICATION] += (double)of->busy_ns - wait;
		parts[id][COMPUTATION] += (double)(of->active_ns - of->busy_ns);
	}
	for (uint32_t id = 0;
	     parts != NULL && recorded != NULL && id < model->row_count; id++) {
		double busy, all;

		if (!recorded[id] || !esv__threads_shows(sheet, shown, id))
			continue;
		busy = parts[id][WAIT] + parts[id][COMMUNICATION];
		all = busy + parts[id][COMPUTATION];
		esv__bars_add(bars, sheet,
		    &(struct esv__bar){ .label = balance_name(sheet, id),
			.thing = esv__threads_thing(sheet, id),
			.parts = { parts[id][WAIT], parts[id][COMMUNICATION],
			    parts[id][COMPUTATION] },
			.note = esv__sheet_number(sheet, busy / all,
			    PATHS_UNIT_SHARE) });
	}
}

/* Adds the bars of the whole run. */
static void
balance_whole(struct esv__bars *bars, struct esv__sheet *sheet,
    const bool *shown)
{
	static const char *const queries[] = {
		[ESV_ROW_RUN] = esv__sql_balance_run,
		[ESV_ROW_HOST] = esv__sql_balance_hosts,
		[ESV_ROW_PROCESS] = esv__sql_balance_processes,
		[ESV_ROW_THREAD] = esv__sql_balance_threads,
	};
	struct esv__query q;

	balance_say(sheet);
	esv__query_begin(&q, sheet, queries[esv__sheet_level(sheet)]);
	while (esv__query_next(&q))
		if (esv__threads_shows(sheet, shown, esv__query_int(&q, 0)))
			balance_add(bars, &q);
}

static void
load_balance_draw(struct esv__sheet *sheet)
{
	struct esv__bars bars = { .what = esv__threads_plural(sheet),
		.axis = esv__sheet_level(sheet) == ESV_ROW_THREAD ?
		    "time (after the bar: share of communication)" :
		    esv__sheet_words(sheet,
			"time, summed over the threads (after the bar: share "
			"of communication)"),
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting for others", "other communication",
		    "computation" },
		.roles = { ESV_ROLE_WAITING, ESV_ROLE_COMMUNICATION,
		    ESV_ROLE_GREY + 3 },
		.part_count = PARTS };
	const bool *shown = esv__threads_shown(sheet);

	if (esv__part_wanted(sheet))
		balance_part(&bars, sheet, shown);
	else
		balance_whole(&bars, sheet, shown);
	if (esv__sheet_measure(sheet, "wait"))
		esv__bars_sort(&bars, sheet, WAIT);
	else if (esv__sheet_measure(sheet, "communication"))
		esv__bars_sort(&bars, sheet, COMMUNICATION);
	else if (esv__sheet_measure(sheet, "computation"))
		esv__bars_sort(&bars, sheet, COMPUTATION);
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_load_balance = {
	.name = "load_balance",
	.title = "Load balance",
	.about = "Shows how long each thread computes, communicates and waits "
		 "for others.  A thread that waits little keeps the others "
		 "waiting.",
	.measures = "map wait communication computation",
	.levels = "thread process host run",
	.tables = "load_balance waits_for thread",
	.applies = "EXISTS (SELECT 1 FROM load_balance)",
	.nothing = "No operation was recorded.",
	.measured = true,
	.timed = true,
	.summed = true,
	.draw = load_balance_draw,
};
