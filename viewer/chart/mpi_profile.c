/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/mpi_profile.c - the time in MPI, by function or call site
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"

#include <inttypes.h>
#include <math.h>

ESV__SQL(profile_estimated);
ESV__SQL(profile_functions);
ESV__SQL(profile_sites);

static void
mpi_profile_draw(struct esv__sheet *sheet)
{
	bool sites = esv__sheet_measure(sheet, "site");
	struct esv__bars bars = { .what = sites ? "call sites" : "functions",
		.axis = "time of all ranks between MPI_Init and MPI_Finalize "
			"(after the bar: calls x mean)",
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting", "other time" },
		.roles = { ESV_ROLE_WAITING, ESV_ROLE_SERIES },
		.part_count = 2,
		.top = true };
	const char *estimated =
	    esv__query_one_text(sheet, "%s", esv__sql_profile_estimated);
	struct esv__query q;

	if (estimated[0] != '\0')
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"The waiting in these is estimated: %s.", estimated));
	esv__query_begin(&q, sheet,
	    sites ? esv__sql_profile_sites : esv__sql_profile_functions);
	while (esv__query_next(&q)) {
		double time = esv__query_num(&q, 2),
		       calls = esv__query_num(&q, 4);
		double wait = fmin(esv__query_num(&q, 3), time);

		esv__bars_add(&bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 0),
			.thing = sites ?
			    ESV_THING(ESV_THING_SITE, esv__query_int(&q, 1)) :
			    ESV_NOTHING,
			.parts = { wait, time - wait },
			.note = esv_figure_printf(sheet->figure, "%s x %s",
			    esv__sheet_number(sheet, calls, PATHS_UNIT_COUNT),
			    esv__sheet_number(sheet, time / fmax(calls, 1),
				PATHS_UNIT_TIME)) });
	}
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_mpi_profile = {
	.name = "mpi_profile",
	.title = "MPI profile",
	.about = "Shows the time of MPI calls, and how much of it is "
		 "waiting.",
	.measures = "function site",
	.tables = "wait_function wait_state wait_estimate mpi_profile mpi_site "
		  "meta",
	.applies = "EXISTS (SELECT 1 FROM mpi_profile)",
	.nothing = "No profile of MPI was recorded; --mode profile records it.",
	.draw = mpi_profile_draw,
};
