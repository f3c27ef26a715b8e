/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wait_estimate.c - estimated and measured waiting, compared
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

#include <math.h>

ESV__SQL(estimate_sites);

/* Returns a difference, and 0 if it is shown as 0, not as -0.0. */
static double
points_shown(double points)
{
	return fabs(points) < 0.05 ? 0.0 : points;
}

static void
wait_estimate_draw(struct esv__sheet *sheet)
{
	struct esv__bars bars = { .what = "call sites",
		.axis = "waiting, share of the time of all ranks",
		.unit = PATHS_UNIT_SHARE,
		.parts = { "measured in the trace",
		    "estimated from the profile" },
		.roles = { ESV_ROLE_SERIES + 1, ESV_ROLE_SERIES },
		.part_count = 2,
		.single = true,
		.top = true };
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_estimate_sites);
	esv__query_bind_text(&q, "method", sheet->options->measure);
	while (esv__query_next(&q))
		esv__bars_add(&bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 0),
			.thing =
			    ESV_THING(ESV_THING_SITE, esv__query_int(&q, 3)),
			.parts = { esv__query_num(&q, 1),
			    esv__query_num(&q, 2) },
			.note = esv_figure_printf(sheet->figure,
			    "%+.1f percentage points%s",
			    points_shown(esv__query_num(&q, 4)),
			    esv__query_int(&q, 5) ? "" : ", poor estimate") });
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_wait_estimate = {
	.name = "wait_estimate",
	.title = "Estimated and measured waiting",
	.about = "Compares the waiting of MPI calls estimated from profiles "
		 "with the waiting measured in the trace of the same run.",
	.measures = "plain quantile ready local_global",
	.tables = "wait_compare mpi_site",
	.applies = "EXISTS (SELECT 1 FROM wait_compare)",
	.nothing = "The run does not have both a whole trace and profiles.",
	.draw = wait_estimate_draw,
};
