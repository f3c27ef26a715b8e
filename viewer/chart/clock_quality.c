/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/clock_quality.c - offsets and errors of the hosts' clocks
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		table 1
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/query.h"
#include "viewer/plot/table.h"

ESV__SQL(clock_offsets);
ESV__SQL(clock_checks);

static void
clock_offsets(struct esv__sheet *sheet)
{
	struct esv__table table = { .heads = { "host", "clock offset",
					"error bound", "" },
		.numbers = { false, true, true, false },
		.columns = 4 };
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_clock_offsets);
	while (esv__query_next(&q))
		esv__table_add(&table, sheet,
		    &(struct esv__cells){
			.cells = { esv__query_text(&q, 0),
			    esv__sheet_number(sheet, esv__query_num(&q, 1),
				PATHS_UNIT_TIME),
			    esv__query_null(&q, 2) ?
				"unknown" :
				esv__sheet_number(sheet, esv__query_num(&q, 2),
				    PATHS_UNIT_TIME),
			    esv__query_int(&q, 3) ? "reference" : "" },
			.thing =
			    ESV_THING(ESV_THING_HOST, esv__query_int(&q, 4)),
			.role = ESV_ROLE_TEXT });
	esv__table_draw(&table, sheet);
}

static void
clock_checks(struct esv__sheet *sheet)
{
	struct esv__table table = { .heads = { "method", "from", "to",
					"operations", "correct", "mean",
					"median", "stdev" },
		.numbers = { false, false, false, true, true, true, true,
		    true },
		.columns = 8 };
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_clock_checks);
	while (esv__query_next(&q)) {
		struct esv__cells row = {
			.cells = { esv__query_text(&q, 0),
			    esv__query_text(&q, 1), esv__query_text(&q, 2),
			    esv__sheet_number(sheet, esv__query_num(&q, 3),
				PATHS_UNIT_COUNT),
			    esv__sheet_number(sheet, esv__query_num(&q, 4),
				PATHS_UNIT_SHARE) },
			.role = ESV_ROLE_TEXT
		};

		for (unsigned c = 5; c < 8; c++)
			row.cells[c] = esv__query_null(&q, c) ?
			    "-" :
			    esv__sheet_number(sheet, esv__query_num(&q, c),
				PATHS_UNIT_TIME);
		esv__table_add(&table, sheet, &row);
	}
	if (table.count > 0)
		esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
		    "Operations between hosts, the share with times in a "
		    "correct order, and the error of the others (mean, median, "
		    "standard deviation):");
	else
		esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
		    "No operation passed between hosts with different clocks.");
	esv__table_draw(&table, sheet);
}

static void
clock_quality_draw(struct esv__sheet *sheet)
{
	esv__sheet_say(sheet, ESV_ROLE_TEXT,
	    esv_figure_printf(sheet->figure,
		"Clocks were aligned by method %s.",
		esv__query_one_text(sheet,
		    "SELECT value FROM meta WHERE key = 'clock_method'")));
	clock_offsets(sheet);
	esv__sheet_skip(sheet, 12);
	clock_checks(sheet);
}

const struct esv_chart esv__chart_clock_quality = {
	.name = "clock_quality",
	.title = "Clock quality",
	.about = "Shows how well times of different hosts can be compared.  A "
		 "difference below the error bound of a clock is not reliable.",
	.tables = "clock clock_check host meta",
	.applies = "EXISTS (SELECT 1 FROM clock)",
	.nothing = "The clocks of the run are unknown.",
	.draw = clock_quality_draw,
};
