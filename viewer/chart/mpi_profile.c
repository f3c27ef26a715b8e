/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/mpi_profile.c - the time in MPI, by function or call site
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/part.h"
#include "viewer/plot/query.h"
#include "viewer/plot/sites.h"

#include <inttypes.h>
#include <math.h>

ESV__SQL(profile_estimated);
ESV__SQL(profile_functions);
ESV__SQL(profile_sites);

/* A function, or a function at a call site. */
struct line {
	const char *label;
	int64_t site; /* 0: none, or not known */
	double time_ns, wait_ns, calls;
};

static void
profile_add(struct esv__bars *bars, struct esv__sheet *sheet,
    const struct line *line)
{
	double wait = fmin(line->wait_ns, line->time_ns);

	esv__bars_add(bars, sheet,
	    &(struct esv__bar){ .label = line->label,
		.thing = esv__sheet_measure(sheet, "site") ?
		    ESV_THING(ESV_THING_SITE, line->site) :
		    ESV_NOTHING,
		.parts = { wait, line->time_ns - wait },
		.note = esv_figure_printf(sheet->figure, "%s x %s",
		    esv__sheet_number(sheet, line->calls, PATHS_UNIT_COUNT),
		    esv__sheet_number(sheet,
			line->time_ns / fmax(line->calls, 1),
			PATHS_UNIT_TIME)) });
}

static void
profile_whole(struct esv__bars *bars, struct esv__sheet *sheet)
{
	const char *estimated =
	    esv__query_one_text(sheet, "%s", esv__sql_profile_estimated);
	struct esv__query q;

	if (estimated[0] != '\0')
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"The waiting in these is estimated: %s.", estimated));
	esv__query_begin(&q, sheet,
	    esv__sheet_measure(sheet, "site") ? esv__sql_profile_sites :
						esv__sql_profile_functions);
	while (esv__query_next(&q))
		profile_add(bars, sheet,
		    &(struct line){ .label = esv__query_text(&q, 0),
			.site = esv__query_int(&q, 1),
			.time_ns = esv__query_num(&q, 2),
			.wait_ns = esv__query_num(&q, 3),
			.calls = esv__query_num(&q, 4) });
}

static void
profile_part(struct esv__bars *bars, struct esv__sheet *sheet)
{
	const struct esv_interval *interval = esv__part_get(sheet);
	bool sites = esv__sheet_measure(sheet, "site");
	struct esv__part_sum *sums;
	size_t count;

	if (interval == NULL)
		return;
	sums = esv__part_sums(sheet, interval, sites, &count);
	for (size_t n = 0; sums != NULL && n < count; n++) {
		const char *name =
		    es_operation_name(ES_OPERATION_MPI, sums[n].op);
		struct line line = { .label = name == NULL ? "" : name,
			.site = sums[n].site,
			.time_ns = sums[n].time_ns,
			.wait_ns = sums[n].wait_ns,
			.calls = sums[n].calls };

		if (!sums[n].mpi)
			continue;
		if (sites)
			line.label = esv_figure_printf(sheet->figure,
			    "%s in %s", line.label,
			    esv__site_name(sheet, sums[n].site));
		profile_add(bars, sheet, &line);
	}
	if (!interval->waits)
		bars->parts[1] = "time, of which waiting is not known";
	if (bars->count == 0)
		esv__sheet_nothing(sheet, "No call is in this range of time.");
}

static void
mpi_profile_draw(struct esv__sheet *sheet)
{
	bool part = esv__part_wanted(sheet);
	struct esv__bars bars = { .what = esv__sheet_measure(sheet, "site") ?
		    "call sites" :
		    "functions",
		.axis = part ?
		    "time of all ranks in this range (after the bar: calls "
		    "that begin in it x mean)" :
		    "time of all ranks between MPI_Init and MPI_Finalize "
		    "(after the bar: calls x mean)",
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting", "other time" },
		.roles = { ESV_ROLE_WAITING, ESV_ROLE_COMMUNICATION },
		.part_count = 2,
		.top = true };

	if (part)
		profile_part(&bars, sheet);
	else
		profile_whole(&bars, sheet);
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
	.measured = true,
	.timed = true,
	.summed = true,
	.draw = mpi_profile_draw,
};
