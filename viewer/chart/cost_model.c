/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/cost_model.c - time for messages beside a cost model
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/ranks.h"

#include <math.h>

ESV__SQL(cost_model_finding);
ESV__SQL(cost_model_of);
ESV__SQL(cost_phases);
ESV__SQL(cost_ranks);
ESV__SQL(cost_kinds);

enum {
	LATENCY,
	BANDWIDTH,
	QUEUE,
	CONTENTION,
	LATE,
	LATE_RECEIVER,
	UNEXPLAINED,
	PARTS
};

static void
cost_say(struct esv__sheet *sheet)
{
	struct esv__query q;
	const char *text;

	esv__query_begin(&q, sheet, esv__sql_cost_model_finding);
	text = esv__query_next(&q) ? esv__query_text(&q, 2) : "";
	esv__query_close(&q);
	esv__sheet_say(sheet, ESV_ROLE_TEXT, text);
	esv__query_begin(&q, sheet, esv__sql_cost_model_of);
	esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT, esv__query_take_text(&q));
}

/* Adds a bar with the parts of a cost, the times before late senders and
   receivers and the rest of the time measured, if there is one. */
static void
cost_add(struct esv__bars *bars, const struct esv__query *q)
{
	double measured = esv__query_num(q, 2);
	double unexplained = esv__query_num(q, 9);

	esv__bars_add(bars, q->sheet,
	    &(struct esv__bar){ .label = esv__query_text(q, 0),
		.thing = esv__query_null(q, 1) ?
		    ESV_NOTHING :
		    esv__rank_thing(q->sheet, esv__query_int(q, 1)),
		.parts = { esv__query_num(q, 3), esv__query_num(q, 4),
		    esv__query_num(q, 5), esv__query_num(q, 6),
		    esv__query_num(q, 7), esv__query_num(q, 8),
		    fmax(unexplained, 0) },
		.note = esv_figure_printf(q->sheet->figure, "%s",
		    esv__sheet_number(q->sheet, measured, PATHS_UNIT_TIME)),
		.mark = measured });
}

static void
cost_model_draw(struct esv__sheet *sheet)
{
	bool kinds = esv__sheet_measure(sheet, "kinds");
	bool ranks = esv__sheet_measure(sheet, "ranks");
	struct esv__bars bars = { .what = kinds ? "models" :
		    ranks			? "ranks" :
						  "phases",
		.axis = "time for messages (line, and after the bar: measured)",
		.unit = PATHS_UNIT_TIME,
		.parts = { "latency", "bandwidth", "queue", "contention",
		    "before a late sender", "before a late receiver",
		    "unexplained" },
		.roles = { ESV_ROLE_SERIES, ESV_ROLE_SERIES + 2,
		    ESV_ROLE_SERIES + 1, ESV_ROLE_SERIES + 4, ESV_ROLE_WAITING,
		    ESV_ROLE_SERIES + 3, ESV_ROLE_GREY + 3 },
		.part_count = kinds ? LATE : PARTS,
		.top = true };
	struct esv__query q;

	cost_say(sheet);
	esv__query_begin(&q, sheet,
	    kinds     ? esv__sql_cost_kinds :
		ranks ? esv__sql_cost_ranks :
			esv__sql_cost_phases);
	while (esv__query_next(&q))
		cost_add(&bars, &q);
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_cost_model = {
	.name = "cost_model",
	.title = "Cost model of messages",
	.about =
	    "Shows the time for messages beside the cost model that is "
	    "kept with the run.  A bar that ends beyond its line is "
	    "predicted to take longer than it did.  Phases show their "
	    "slowest rank; kinds, the rank that costs most by each kind "
	    "of model, beside the slowest one without late senders and receivers.",
	.measures = "phases ranks kinds",
	.tables = "cost_model cost_phase cost_rank mpi_phase mpi_rank "
		  "cpu_sample wait_lost load_balance",
	.applies = "EXISTS (SELECT 1 FROM cost_phase)",
	.nothing = "No cost model is kept with the run, or it has no messages: "
		   "eventspace model RUN --with FILE.",
	.draw = cost_model_draw,
};
