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

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Wider joins have no table of pairs. */
#define PAIRS_MAX 64

/* SQL expression for the thread or the stage that enters an input. */
#define INPUT \
	"coalesce((SELECT t.name FROM path p JOIN thread t USING (thread) " \
	"WHERE p.path = j.path), (SELECT name FROM stage s " \
	"WHERE s.stage = j.above), 'input ' || a.input)"

static bool
join_about(struct es__sheet *sheet, const struct es__join_table *table,
    int64_t *stage)
{
	const struct es_thing *subject = &sheet->options->subject;
	bool given = subject->kind == ES_THING_STAGE;
	struct es__query q;
	bool found;

	es__query_open(&q, sheet,
	    "SELECT a.stage, s.name, s.kind, sum(a.wait_ns_sum), "
	    "max(a.operations), (SELECT count(DISTINCT stage) FROM %s) "
	    "FROM %s a JOIN stage s USING (stage) WHERE %d OR a.stage = %" PRId64
	    " GROUP BY a.stage ORDER BY sum(a.wait_ns_sum) DESC, a.stage "
	    "LIMIT 1",
	    table->name, table->name, !given, given ? subject->id : 0);
	found = es__query_next(&q);
	if (found) {
		*stage = es__query_int(&q, 0);
		es__sheet_say(sheet, ES_ROLE_TEXT,
		    es_figure_printf(sheet->figure,
			"%s (%s), %" PRId64 " operations; %s%s",
			es__query_text(&q, 1), es__query_text(&q, 2),
			es__query_int(&q, 4),
			es__number(sheet, es__query_num(&q, 3),
			    PATHS_UNIT_TIME),
			table->waited));
		if (!given && es__query_int(&q, 5) > 1)
			es__sheet_say(sheet, ES_ROLE_DIM_TEXT,
			    es_figure_printf(sheet->figure,
				"This is the join with the largest total, of "
				"%" PRId64 " joins.",
				es__query_int(&q, 5)));
	}
	es__query_close(&q);
	return found;
}

static void
join_bars(struct es__sheet *sheet, const struct es__join_table *table,
    int64_t stage)
{
	bool wait = es__sheet_measure(sheet, "wait");
	struct es__bars bars = { .what = "inputs",
		.axis = wait ? table->wait_axis : "operations",
		.unit = wait ? PATHS_UNIT_TIME : PATHS_UNIT_COUNT,
		.parts = { table->first, "between", table->last },
		.roles = { ES_ROLE_SERIES, ES_ROLE_SERIES + 7,
		    ES_ROLE_SERIES + 1 },
		.part_count = 3 };
	struct es__query q;

	if (wait) {
		bars.part_count = 1;
		bars.parts[0] = table->wait_axis;
	}
	es__query_open(&q, sheet,
	    "SELECT a.input, " INPUT ", a.first, "
	    "max(a.operations - a.first - a.last, 0), a.last, "
	    "CAST(a.wait_ns_sum AS REAL) / a.operations, a.wait_ns_max "
	    "FROM %s a LEFT JOIN join_input j USING (stage, input) "
	    "WHERE a.stage = %" PRId64 " ORDER BY a.input",
	    table->name, stage);
	while (es__query_next(&q)) {
		double mean = es__query_num(&q, 5);

		es__bars_add(&bars, sheet,
		    &(struct es__bar){ .label = es__query_text(&q, 1),
			.thing = ES_THING(ES_THING_STAGE, stage),
			.parts = { wait ? mean : es__query_num(&q, 2),
			    es__query_num(&q, 3), es__query_num(&q, 4) },
			.note = es_figure_printf(sheet->figure,
			    "mean %s, longest %s",
			    es__number(sheet, mean, PATHS_UNIT_TIME),
			    es__number(sheet, es__query_num(&q, 6),
				PATHS_UNIT_TIME)) });
	}
	es__bars_draw(&bars, sheet);
}

static void
join_names(struct es__matrix *m, struct es__sheet *sheet,
    const struct es__join_table *table, int64_t stage)
{
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT a.input, " INPUT " FROM %s a "
	    "LEFT JOIN join_input j USING (stage, input) "
	    "WHERE a.stage = %" PRId64 " ORDER BY a.input",
	    table->name, stage);
	while (es__query_next(&q)) {
		uint32_t n = (uint32_t)es__query_int(&q, 0);
		struct es__name name = { es__query_text(&q, 1), ES_NOTHING };

		if (n >= m->rows)
			continue;
		es__matrix_name(&m->x, m->column_fold, n, &name);
		es__matrix_name(&m->y, m->row_fold, n, &name);
	}
}

static void
join_pairs(struct es__sheet *sheet, const struct es__join_table *table,
    int64_t stage)
{
	bool wait = es__sheet_measure(sheet, "wait");
	int64_t inputs = es__query_one(sheet, 0,
	    "SELECT max(input) + 1 FROM %s WHERE stage = %" PRId64, table->name,
	    stage);
	struct es__matrix m = { .value =
				    wait ? "mean time between" : "operations",
		.unit = wait ? PATHS_UNIT_TIME : PATHS_UNIT_COUNT,
		.fold = ES__FOLD_SUM,
		.x = { .label = table->after },
		.y = { .label = table->before } };
	struct es__query q;

	if (inputs < 2 || inputs > PAIRS_MAX || sheet->box.height < 140)
		return;
	es__matrix_open(&m, sheet, (uint32_t)inputs, (uint32_t)inputs);
	join_names(&m, sheet, table, stage);
	es__query_open(&q, sheet,
	    "SELECT before, after, operations, "
	    "CAST(wait_ns_sum AS REAL) / operations FROM %s_pair "
	    "WHERE stage = %" PRId64 " AND operations > 0",
	    table->name, stage);
	while (es__query_next(&q)) {
		int64_t before = es__query_int(&q, 0);
		int64_t after = es__query_int(&q, 1);

		if (before < inputs && after < inputs)
			es__matrix_put(&m, (uint32_t)before, (uint32_t)after,
			    es__query_num(&q, wait ? 3 : 2));
	}
	es__matrix_draw(&m, sheet);
}

void
es__join_draw(struct es__sheet *sheet, const struct es__join_table *table)
{
	int64_t stage;
	double below;

	if (!join_about(sheet, table, &stage)) {
		es__sheet_nothing(sheet,
		    "The order of this stage's inputs is unknown.");
		return;
	}
	below = sheet->box.height * 0.5;
	sheet->box.height -= below;
	join_bars(sheet, table, stage);
	sheet->box.height += below;
	join_pairs(sheet, table, stage);
}
