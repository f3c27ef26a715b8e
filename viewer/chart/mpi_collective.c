/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/mpi_collective.c - calls and bytes of collectives
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

ESV__SQL(collective_sums);

static void
mpi_collective_draw(struct esv__sheet *sheet)
{
	bool bytes = esv__sheet_measure(sheet, "bytes");
	struct esv__bars bars = { .what = "collectives",
		.axis =
		    bytes ? "bytes sent by all ranks" : "calls of all ranks",
		.unit = bytes ? PATHS_UNIT_BYTES : PATHS_UNIT_COUNT,
		.parts = { bytes ? "bytes" : "calls" },
		.roles = { ESV_ROLE_SERIES },
		.part_count = 1,
		.top = true };
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_collective_sums);
	esv__query_bind(&q, "bytes", bytes);
	while (esv__query_next(&q))
		esv__bars_add(&bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 0),
			.parts = { esv__query_num(&q, 1) },
			.note = esv_figure_printf(sheet->figure,
			    "%s calls, %s, %s ranks",
			    esv__sheet_number(sheet, esv__query_num(&q, 2),
				PATHS_UNIT_COUNT),
			    esv__sheet_number(sheet, esv__query_num(&q, 3),
				PATHS_UNIT_BYTES),
			    esv__sheet_number(sheet, esv__query_num(&q, 4),
				PATHS_UNIT_PLAIN)) });
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_mpi_collective = {
	.name = "mpi_collective",
	.title = "MPI collectives",
	.about = "Shows the calls and the bytes of each collective on each "
		 "communicator.",
	.measures = "calls bytes",
	.tables = "mpi_collective mpi_comm",
	.applies = "EXISTS (SELECT 1 FROM mpi_collective)",
	.nothing = "No collective was called, or matrices were not recorded.",
	.draw = mpi_collective_draw,
};
