/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/wait_state.c - wait states of MPI ranks
 *
 * The waiting is measured in the trace or estimated from profiles; wait_source
 * in the table meta names the better source.
 */

#include "viewer/chart/chart_private.h"
#include "viewer/chart/wait_colour.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/part.h"
#include "viewer/plot/query.h"
#include "viewer/plot/ranks.h"
#include "viewer/plot/sites.h"

#include "scopes/timeline.h"
#include "scopes/waits_at.h"

#include <inttypes.h>
#include <string.h>

#define BETWEEN 8.0 /* the two groups of bars */

ESV__SQL(state_names);
ESV__SQL(state_patterns);
ESV__SQL(state_ranks);
ESV__SQL(state_sites);

static uint32_t
pattern_part(const struct esv__bars *bars, const char *pattern)
{
	for (uint32_t p = 0; p < bars->part_count; p++)
		if (strcmp(bars->parts[p], pattern) == 0)
			return p;
	return bars->part_count - 1;
}

static void
state_patterns(struct esv__bars *bars, struct esv__sheet *sheet)
{
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_state_patterns);
	while (esv__query_next(&q)) {
		const char *pattern = esv__query_text(&q, 0);

		if (bars->part_count == ESV__PARTS) {
			bars->parts[ESV__PARTS - 1] = "others";
			bars->roles[ESV__PARTS - 1] = esv__wait_colour("");
			continue;
		}
		bars->roles[bars->part_count] = esv__wait_colour(pattern);
		bars->parts[bars->part_count++] = pattern;
	}
}

static void
state_ranks(struct esv__bars *bars, struct esv__sheet *sheet)
{
	int64_t rank = -1;
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_state_ranks);
	while (esv__query_next(&q)) {
		if (esv__query_int(&q, 0) != rank)
			esv__bars_add(bars, sheet,
			    &(struct esv__bar){ .label = esv__query_text(&q, 1),
				.thing = esv__rank_thing(sheet,
				    esv__query_int(&q, 0)) });
		rank = esv__query_int(&q, 0);
		if (bars->bars == NULL || esv__query_null(&q, 2) ||
		    esv__query_num(&q, 3) <= 0)
			continue;
		bars->bars[bars->count - 1]
		    .parts[pattern_part(bars, esv__query_text(&q, 2))] +=
		    esv__query_num(&q, 3);
	}
}

static void
state_sites(struct esv__sheet *sheet)
{
	struct esv__bars bars = { .what = "call sites",
		.axis = "waiting of all ranks, by call site",
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting" },
		.roles = { ESV_ROLE_WAITING },
		.part_count = 1,
		.top = true };
	struct esv__query q;

	esv__query_begin(&q, sheet, esv__sql_state_sites);
	while (esv__query_next(&q))
		esv__bars_add(&bars, sheet,
		    &(struct esv__bar){ .label = esv__query_text(&q, 0),
			.thing =
			    ESV_THING(ESV_THING_SITE, esv__query_int(&q, 2)),
			.parts = { esv__query_num(&q, 1) },
			.note = esv__sheet_number(sheet, esv__query_num(&q, 1),
			    PATHS_UNIT_TIME) });
	esv__bars_draw(&bars, sheet);
}

static const char *
part_label(struct esv__sheet *sheet, const struct esv__part_sum *sum)
{
	const char *name = es_operation_name(ES_OPERATION_MPI, sum->op);

	return esv_figure_printf(sheet->figure, "%s in %s",
	    name == NULL ? "a function" : name,
	    esv__site_name(sheet, sum->site));
}

/* Draws the call sites of a part of the run. */
static void
part_sites(struct esv__sheet *sheet, const struct esv_interval *interval)
{
	struct esv__bars bars = { .what = "call sites",
		.axis = "waiting of all ranks, by call site",
		.unit = PATHS_UNIT_TIME,
		.parts = { "waiting" },
		.roles = { ESV_ROLE_WAITING },
		.part_count = 1,
		.top = true };
	size_t count;
	struct esv__part_sum *sums =
	    esv__part_sums(sheet, interval, true, &count);

	for (size_t n = 0; sums != NULL && n < count; n++)
		if (sums[n].mpi && sums[n].wait_ns > 0)
			esv__bars_add(&bars, sheet,
			    &(struct esv__bar){ .label =
						    part_label(sheet, &sums[n]),
				.thing =
				    ESV_THING(ESV_THING_SITE, sums[n].site),
				.parts = { sums[n].wait_ns },
				.note = esv__sheet_number(sheet,
				    sums[n].wait_ns, PATHS_UNIT_TIME) });
	esv__bars_sort(&bars, sheet, 0);
	esv__bars_draw(&bars, sheet);
}

/* Reads the names of patterns. */
static void
part_names(struct esv__sheet *sheet, const char *names[ES_TIMELINE_PATTERNS])
{
	struct esv__query q;

	for (uint32_t p = 0; p < ES_TIMELINE_PATTERNS; p++)
		names[p] = "unknown";
	esv__query_begin(&q, sheet, esv__sql_state_names);
	while (esv__query_next(&q)) {
		int64_t pattern = esv__query_int(&q, 0);

		if (pattern > 0 && pattern < ES_TIMELINE_PATTERNS)
			names[pattern] = esv__query_text(&q, 1);
	}
}

/* Returns the part of the bars for a pattern.  The last part is for all others
   when there are too many. */
static uint32_t
part_of(struct esv__bars *bars, const char *name)
{
	for (uint32_t p = 0; p < bars->part_count; p++)
		if (strcmp(bars->parts[p], name) == 0)
			return p;
	if (bars->part_count == ESV__PARTS) {
		bars->parts[ESV__PARTS - 1] = "others";
		bars->roles[ESV__PARTS - 1] = esv__wait_colour("");
		return ESV__PARTS - 1;
	}
	bars->roles[bars->part_count] = esv__wait_colour(name);
	bars->parts[bars->part_count] = name;
	return bars->part_count++;
}

/* Adds a bar for each thread that waited in MPI calls. */
static void
part_threads(struct esv__bars *bars, struct esv__sheet *sheet,
    const struct esv_interval *interval)
{
	const char *names[ES_TIMELINE_PATTERNS];
	uint32_t thread = PATHS_NONE;

	part_names(sheet, names);
	for (size_t n = 0; n < interval->blame_count; n++) {
		const struct esv_interval_blame *b = &interval->blames[n];
		const char *name = names[b->pattern];

		/* Waits on paths are those of the chart waits_for. */
		if (strcmp(name, ES_WAITS_JOIN) == 0 ||
		    strcmp(name, ES_WAITS_READ) == 0 ||
		    strcmp(name, ES_WAITS_WRITE) == 0)
			continue;
		if (b->waiter != thread)
			esv__bars_add(bars, sheet,
			    &(struct esv__bar){
				.label =
				    sheet->model
					->rows[sheet->model
						   ->thread_rows[b->waiter]]
					.name,
				.thing =
				    ESV_THING(ESV_THING_THREAD, b->waiter) });
		thread = b->waiter;
		if (bars->bars != NULL)
			bars->bars[bars->count - 1]
			    .parts[part_of(bars, name)] += (double)b->wait_ns;
	}
}

static void
part_draw(struct esv__bars *bars, struct esv__sheet *sheet)
{
	const struct esv_interval *interval = esv__part_get(sheet);
	double below = sheet->box.height * 0.45;

	if (interval == NULL)
		return;
	if (!interval->waits) {
		esv__sheet_nothing(sheet,
		    "The waiting in a range of time needs a trace.");
		return;
	}
	part_threads(bars, sheet, interval);
	if (esv__sheet_measure(sheet, "wait"))
		esv__bars_sort(bars, sheet, bars->part_count);
	sheet->box.height -= below;
	esv__bars_draw(bars, sheet);
	sheet->box.height += below;
	esv__sheet_skip(sheet, BETWEEN);
	part_sites(sheet, interval);
}

static void
whole_draw(struct esv__bars *bars, struct esv__sheet *sheet)
{
	const char *source = esv__query_one_text(sheet,
	    "SELECT value FROM meta WHERE key = 'wait_source'");
	double below;

	if (strcmp(source, "profile") == 0)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    "Estimated from profiles; a trace gives exact values.");
	else if (esv__query_one(sheet, 0,
		     "SELECT EXISTS (SELECT 1 FROM wait_estimate"
		     " WHERE used AND wait_ns > 0)") > 0)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    "Partly estimated from profiles: no pattern of traces "
		    "covers some functions.");
	else if (strcmp(source, "part") == 0)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    "Covers only the end of the run; earlier tuples were "
		    "discarded.");
	state_patterns(bars, sheet);
	state_ranks(bars, sheet);
	if (esv__sheet_measure(sheet, "wait"))
		esv__bars_sort(bars, sheet, bars->part_count);
	below = sheet->box.height * 0.45;
	sheet->box.height -= below;
	esv__bars_draw(bars, sheet);
	sheet->box.height += below;
	esv__sheet_skip(sheet, BETWEEN);
	state_sites(sheet);
}

static void
wait_state_draw(struct esv__sheet *sheet)
{
	bool part = esv__part_wanted(sheet);
	struct esv__bars bars = { .what = part ?
		    esv__sheet_words(sheet, "threads") :
		    "ranks",
		.axis = "waiting in MPI",
		.unit = PATHS_UNIT_TIME };

	if (part)
		part_draw(&bars, sheet);
	else
		whole_draw(&bars, sheet);
}

const struct esv_chart esv__chart_wait_state = {
	.name = "wait_state",
	.title = "MPI wait states",
	.about = "Shows what each rank waits for in MPI, and at which call "
		 "sites.",
	.measures = "rank wait",
	.tables = "wait_state wait_estimate mpi_rank mpi_site process meta",
	.applies = "EXISTS (SELECT 1 FROM wait_state WHERE wait_ns > 0) OR "
		   "EXISTS (SELECT 1 FROM wait_estimate WHERE wait_ns > 0)",
	.nothing = "No waiting in MPI calls was found.",
	.measured = true,
	.timed = true,
	.summed = true,
	.draw = wait_state_draw,
};
