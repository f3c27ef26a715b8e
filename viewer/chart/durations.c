/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/durations.c - number of operations of each duration
 */

#include "viewer/chart/chart_private.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/part.h"

#include <math.h>

/* Returns the sums of the wanted part, or of the whole run. */
static const struct esv_interval *
durations_get(struct esv__sheet *sheet)
{
	const int64_t whole[2] = { 0, sheet->model->span_ns + 1 };
	const struct esv_interval *interval = NULL;
	paths_status st;

	if (esv__part_wanted(sheet) || sheet->model->run == NULL)
		return esv__part_get(sheet);
	st = esv_interval_get(sheet->model, whole, 0, NULL, &interval);
	if (st != PATHS_OK)
		sheet->figure->status = st;
	return interval;
}

static void
durations_draw(struct esv__sheet *sheet)
{
	const struct esv_interval *interval = durations_get(sheet);
	bool linear = esv__sheet_measure(sheet, "linear");
	struct esv__bars bars = { .what = "durations",
		.axis = linear ? "operations" : "operations (logarithmic)",
		.unit = PATHS_UNIT_COUNT,
		.parts = { "operations" },
		.roles = { ESV_ROLE_SERIES },
		.part_count = 1,
		.single = true,
		.logarithmic = !linear };
	unsigned first = 0, last = ESV_INTERVAL_BINS;

	if (interval == NULL)
		return;
	while (first < ESV_INTERVAL_BINS && interval->bins[first] == 0)
		first++;
	while (last > first && interval->bins[last - 1] == 0)
		last--;
	for (unsigned n = first; n < last; n++)
		esv__bars_add(&bars, sheet,
		    &(struct esv__bar){
			.label = esv_figure_printf(sheet->figure, "from %s",
			    esv__sheet_number(sheet, n == 0 ? 0 : exp2(n - 1.0),
				PATHS_UNIT_TIME)),
			.parts = { (double)interval->bins[n] },
			.note = esv__sheet_number(sheet,
			    (double)interval->bins[n], PATHS_UNIT_COUNT) });
	if (first == last)
		esv__sheet_nothing(sheet,
		    "No operation begins in this range of time.");
	esv__bars_draw(&bars, sheet);
}

const struct esv_chart esv__chart_durations = {
	.name = "durations",
	.title = "Durations of operations",
	.about = "Shows how many operations took how long.  Each bar has "
		 "those up to twice its time.  Rare long operations are at the "
		 "lower end.",
	.measures = "logarithmic linear",
	.tables = "load_balance",
	.applies = "EXISTS (SELECT 1 FROM load_balance)",
	.nothing = "No operation was recorded.",
	.timed = true,
	.summed = true,
	.draw = durations_draw,
};
