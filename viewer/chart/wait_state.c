/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wait_state.c - wait states of MPI ranks
 *
 * The waiting is measured in the trace or estimated from profiles; wait_source
 * in the table meta names the better source.
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/ranks.h"

#include <inttypes.h>
#include <string.h>

#define SOURCE "(SELECT value FROM meta WHERE key = 'wait_source')"

/* SQL: rank, site, pattern, wait_ns from the better source. */
#define WAITING \
	"(SELECT rank, site, pattern, wait_ns FROM wait_state " \
	"WHERE " SOURCE " IS NOT 'profile' UNION ALL " \
	"SELECT rank, site, pattern, wait_ns FROM wait_estimate " \
	"WHERE " SOURCE " = 'profile' AND method = 'plain')"

static uint32_t
pattern_part(const struct es__bars *bars, const char *pattern)
{
	for (uint32_t p = 0; p < bars->part_count; p++)
		if (strcmp(bars->parts[p], pattern) == 0)
			return p;
	return bars->part_count - 1;
}

static void
state_patterns(struct es__bars *bars, struct es__sheet *sheet)
{
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT pattern FROM " WAITING " GROUP BY pattern "
	    "HAVING sum(wait_ns) > 0 ORDER BY sum(wait_ns) DESC, pattern");
	while (es__query_next(&q)) {
		const char *pattern = es__query_text(&q, 0);

		if (bars->part_count == ES__PARTS) {
			bars->parts[ES__PARTS - 1] = "others";
			continue;
		}
		bars->roles[bars->part_count] =
		    ES_ROLE_SERIES + (int)bars->part_count;
		bars->parts[bars->part_count++] = pattern;
	}
}

static void
state_ranks(struct es__bars *bars, struct es__sheet *sheet)
{
	int64_t rank = -1;
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT r.rank, coalesce(p.name, 'rank ' || r.rank), w.pattern, "
	    "sum(w.wait_ns) FROM mpi_rank r LEFT JOIN process p USING (process) "
	    "LEFT JOIN " WAITING " w ON w.rank = r.rank "
	    "GROUP BY r.rank, w.pattern ORDER BY r.rank, w.pattern");
	while (es__query_next(&q)) {
		if (es__query_int(&q, 0) != rank)
			es__bars_add(bars, sheet,
			    &(struct es__bar){ .label = es__query_text(&q, 1),
				.thing = es__rank_thing(sheet,
				    es__query_int(&q, 0)) });
		rank = es__query_int(&q, 0);
		if (bars->bars == NULL || es__query_null(&q, 2) ||
		    es__query_num(&q, 3) <= 0)
			continue;
		bars->bars[bars->count - 1]
		    .parts[pattern_part(bars, es__query_text(&q, 2))] +=
		    es__query_num(&q, 3);
	}
}

static void
state_sites(struct es__sheet *sheet)
{
	struct es__bars bars = { .what = "call sites",
		.axis = "waiting of all ranks, by call site",
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting" },
		.roles = { ES_ROLE_SERIES + 1 },
		.part_count = 1,
		.top = true };
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT coalesce(" ES__SITE_NAME(
		"w.site") ", 'unknown') "
			  "|| ', ' || w.pattern, "
			  "sum(w.wait_ns), w.site FROM " WAITING " w "
			  "GROUP BY w.site, w.pattern HAVING sum(w.wait_ns) > 0 "
			  "ORDER BY 2 DESC, 1 LIMIT 12");
	while (es__query_next(&q))
		es__bars_add(&bars, sheet,
		    &(struct es__bar){ .label = es__query_text(&q, 0),
			.thing = ES_THING(ES_THING_SITE, es__query_int(&q, 2)),
			.parts = { es__query_num(&q, 1) },
			.note = es__number(sheet, es__query_num(&q, 1),
			    PATHS_UNIT_TIME) });
	es__bars_draw(&bars, sheet);
}

static void
wait_state_draw(struct es__sheet *sheet)
{
	struct es__bars bars = { .what = "ranks",
		.axis = "waiting in MPI",
		.unit = PATHS_UNIT_TIME };
	const char *source = es__query_one_text(sheet, "SELECT " SOURCE);
	double below;

	if (strcmp(source, "profile") == 0)
		es__sheet_say(sheet, ES_ROLE_WARNING,
		    "Estimated from profiles; a trace gives exact values.");
	else if (strcmp(source, "part") == 0)
		es__sheet_say(sheet, ES_ROLE_WARNING,
		    "Covers only the end of the run; earlier tuples were "
		    "discarded.");
	state_patterns(&bars, sheet);
	state_ranks(&bars, sheet);
	if (es__sheet_measure(sheet, "wait"))
		es__bars_sort(&bars, sheet, bars.part_count);
	below = sheet->box.height * 0.45;
	sheet->box.height -= below;
	es__bars_draw(&bars, sheet);
	sheet->box.height += below;
	state_sites(sheet);
}

const struct es_chart es__chart_wait_state = {
	.name = "wait_state",
	.title = "MPI wait states",
	.about = "Shows what each rank waits for in MPI, and at which call "
		 "sites.",
	.measures = "rank wait",
	.tables = "wait_state wait_estimate mpi_rank mpi_site process meta",
	.applies = "EXISTS (SELECT 1 FROM wait_state WHERE wait_ns > 0) OR "
		   "EXISTS (SELECT 1 FROM wait_estimate WHERE wait_ns > 0)",
	.nothing = "No waiting in MPI calls was found.",
	.draw = wait_state_draw,
};
