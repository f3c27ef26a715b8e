/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/diagnostics.c - the warnings and notes of a run
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/query.h"
#include "viewer/plot/table.h"

#include <string.h>

ESV__SQL(diagnostics_sorted);

static int
severity_role(const char *severity)
{
	if (strcmp(severity, "note") == 0)
		return ESV_ROLE_DIM_TEXT;
	return ESV_ROLE_WARNING;
}

static void
diagnostics_draw(struct esv__sheet *sheet)
{
	struct esv__table table = { .heads = { "severity", "subject", "text" },
		.columns = 3 };
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_diagnostics_sorted);
	while (esv__query_next(&q)) {
		const char *severity = esv__query_text(&q, 0);

		esv__table_add(&table, sheet,
		    &(struct esv__cells){ .cells = { severity,
					      esv__query_text(&q, 1),
					      esv__query_text(&q, 2) },
			.role = severity_role(severity) });
	}
	esv__table_draw(&table, sheet);
}

const struct esv_chart esv__chart_diagnostics = {
	.name = "diagnostics",
	.title = "Warnings and notes",
	.about =
	    "Shows what is wrong or missing in this run.  Error: something "
	    "could not be read.  Warning: the numbers cover only a part "
	    "of the run.  Note: nothing is wrong.",
	.tables = "diagnostic",
	.applies = "EXISTS (SELECT 1 FROM diagnostic)",
	.nothing = "Nothing: everything was recorded and could be read.",
	.draw = diagnostics_draw,
};
