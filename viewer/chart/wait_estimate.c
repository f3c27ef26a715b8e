/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wait_estimate.c - estimated and measured waiting, compared
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

static void
wait_estimate_draw(struct es__sheet *sheet)
{
	struct es__bars bars = { .what = "call sites",
		.axis = "waiting, share of the time of all ranks",
		.unit = PATHS_UNIT_SHARE,
		.parts = { "measured in the trace",
		    "estimated from the profile" },
		.roles = { ES_ROLE_SERIES + 1, ES_ROLE_SERIES },
		.part_count = 2,
		.single = true,
		.top = true };
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT coalesce(" ES__SITE_NAME(
		"c.site") ", 'unknown') || ', ' || c.pattern, "
			  "c.truth_share, c.estimate_share, c.site, "
			  "c.difference_pp, c.reliable FROM wait_compare c "
			  "WHERE c.method = '%s' "
			  "ORDER BY max(c.truth_share, c.estimate_share) DESC, "
			  "1",
	    sheet->options->measure);
	while (es__query_next(&q))
		es__bars_add(&bars, sheet,
		    &(struct es__bar){ .label = es__query_text(&q, 0),
			.thing = ES_THING(ES_THING_SITE, es__query_int(&q, 3)),
			.parts = { es__query_num(&q, 1), es__query_num(&q, 2) },
			.note = es_figure_printf(sheet->figure,
			    "%+.1f percentage points%s", es__query_num(&q, 4),
			    es__query_int(&q, 5) ? "" : ", poor estimate") });
	es__bars_draw(&bars, sheet);
}

const struct es_chart es__chart_wait_estimate = {
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
