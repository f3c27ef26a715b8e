/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/joins.c - common part of the charts arrival and departure
 *
 * Draws the inputs of one join as bars, and below them a matrix of the order
 * of each pair of inputs.
 */

#include "viewer/plot/joins.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/matrix.h"
#include "viewer/plot/query.h"
#include "viewer/plot/sheet.h"
#include "viewer/plot/threads.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define BETWEEN 8.0 /* the bars and the matrix */

/* Wider joins have no table of pairs. */
#define PAIRS_MAX 64

static bool
join_about(struct esv__sheet *sheet, const struct esv__join_table *table,
    int64_t *stage)
{
	const struct esv_thing *subject = &sheet->options->subject;
	bool given = subject->kind == ESV_THING_STAGE;
	struct esv__query q;
	bool found;

	esv__query_begin(&q, sheet, table->sums);
	if (given)
		esv__query_bind(&q, "stage", subject->id);
	found = esv__query_next(&q);
	if (found) {
		*stage = esv__query_int(&q, 0);
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"%s (%s), %s operations; %s%s", esv__query_text(&q, 1),
			esv__query_text(&q, 2),
			esv__sheet_number(sheet, esv__query_num(&q, 4),
			    PATHS_UNIT_WHOLE),
			esv__sheet_number(sheet, esv__query_num(&q, 3),
			    PATHS_UNIT_TIME),
			table->waited));
		if (!given && esv__query_int(&q, 5) > 1)
			esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
			    esv_figure_printf(sheet->figure,
				"This is the join with the largest total, of "
				"%" PRId64 " joins.",
				esv__query_int(&q, 5)));
	}
	esv__query_close(&q);
	return found;
}

/* Returns the query for the inputs of a join, or for their sums by the level of
   the sheet. */
static const char *
join_inputs(const struct esv__sheet *sheet, const struct esv__join_table *table)
{
	enum esv_row_kind level = esv__sheet_level(sheet);

	return level == ESV_ROW_HOST ? table->hosts :
	    level == ESV_ROW_PROCESS ? table->processes :
				       table->inputs;
}

static void
join_bars(struct esv__sheet *sheet, const struct esv__join_table *table,
    int64_t stage)
{
	bool wait = esv__sheet_measure(sheet, "wait");
	bool inputs = esv__sheet_level(sheet) == ESV_ROW_THREAD;
	struct esv__bars bars = { .what = inputs ? "inputs" :
						   esv__threads_plural(sheet),
		.axis = wait ? table->wait_axis : "operations",
		.unit = wait ? PATHS_UNIT_TIME : PATHS_UNIT_COUNT,
		.parts = { table->first, "between", table->last },
		.roles = { ESV_ROLE_SERIES, ESV_ROLE_SERIES + 7,
		    ESV_ROLE_SERIES + 1 },
		.part_count = 3 };
	struct esv__query q;

	if (wait) {
		bars.part_count = 1;
		bars.parts[0] = table->wait_axis;
	}
	esv__query_begin(&q, sheet, join_inputs(sheet, table));
	esv__query_bind(&q, "stage", stage);
	while (esv__query_next(&q)) {
		double mean = esv__query_num(&q, 5);

		esv__bars_add(&bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 1),
			.thing = inputs ?
			    ESV_THING(ESV_THING_STAGE, stage) :
			    esv__threads_thing(sheet, esv__query_int(&q, 0)),
			.parts = { wait ? mean : esv__query_num(&q, 2),
			    esv__query_num(&q, 3), esv__query_num(&q, 4) },
			.note = esv_figure_printf(sheet->figure,
			    "mean %s, longest %s",
			    esv__sheet_number(sheet, mean, PATHS_UNIT_TIME),
			    esv__sheet_number(sheet, esv__query_num(&q, 6),
				PATHS_UNIT_TIME)) });
	}
	esv__bars_draw(&bars, sheet);
}

static void
join_names(struct esv__matrix *m, struct esv__sheet *sheet,
    const struct esv__join_table *table, int64_t stage)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, table->inputs);
	esv__query_bind(&q, "stage", stage);
	while (esv__query_next(&q)) {
		uint32_t n = (uint32_t)esv__query_int(&q, 0);
		struct esv__name name = { esv__query_text(&q, 1), ESV_NOTHING };

		if (n >= m->rows)
			continue;
		esv__matrix_name(&m->x, m->column_fold, n, &name);
		esv__matrix_name(&m->y, m->row_fold, n, &name);
	}
}

static void
join_pairs(struct esv__sheet *sheet, const struct esv__join_table *table,
    int64_t stage)
{
	bool wait = esv__sheet_measure(sheet, "wait");
	int64_t inputs = esv__query_one(sheet, 0,
	    "SELECT max(input) + 1 FROM %s WHERE stage = %" PRId64, table->name,
	    stage);
	struct esv__matrix m = { .value =
				     wait ? "mean time between" : "operations",
		.unit = wait ? PATHS_UNIT_TIME : PATHS_UNIT_COUNT,
		.fold = ESV__FOLD_SUM,
		.x = { .label = table->after },
		.y = { .label = table->before } };
	struct esv__query q;

	if (inputs < 2 || inputs > PAIRS_MAX || sheet->box.height < 140)
		return;
	esv__matrix_open(&m, sheet, (uint32_t)inputs, (uint32_t)inputs);
	join_names(&m, sheet, table, stage);
	esv__query_begin(&q, sheet, table->pairs);
	esv__query_bind(&q, "stage", stage);
	while (esv__query_next(&q)) {
		int64_t before = esv__query_int(&q, 0);
		int64_t after = esv__query_int(&q, 1);

		if (before < inputs && after < inputs)
			esv__matrix_put(&m, (uint32_t)before, (uint32_t)after,
			    esv__query_num(&q, wait ? 3 : 2));
	}
	esv__matrix_draw(&m, sheet);
}

void
esv__join_draw(struct esv__sheet *sheet, const struct esv__join_table *table)
{
	int64_t stage;
	double below;

	if (!join_about(sheet, table, &stage)) {
		esv__sheet_nothing(sheet,
		    "The order of this stage's inputs is unknown.");
		return;
	}
	if (esv__sheet_level(sheet) != ESV_ROW_THREAD) {
		join_bars(sheet, table, stage);
		return;
	}
	below = sheet->box.height * 0.5;
	sheet->box.height -= below;
	join_bars(sheet, table, stage);
	sheet->box.height += below;
	esv__sheet_skip(sheet, BETWEEN);
	join_pairs(sheet, table, stage);
}
