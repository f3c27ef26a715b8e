/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sizes.c - a histogram of message sizes
 */

#include "viewer/plot/sizes.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/ranks.h"
#include "viewer/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

ESV__SQL(sizes_categories);
ESV__SQL(sizes_range);
ESV__SQL(sizes_messages);

/* Begins a query on the selected pair of ranks, or on all pairs. */
static void
sizes_query(struct esv__query *q, struct esv__sheet *sheet, const char *sql)
{
	const struct esv_thing *subject = &sheet->options->subject;

	esv__query_begin(q, sheet, sql);
	if (subject->kind != ESV_THING_PAIR)
		return;
	esv__query_bind(q, "source", subject->id);
	esv__query_bind(q, "target", subject->other);
}

static void
sizes_categories(struct esv__bars *bars, struct esv__sheet *sheet)
{
	struct esv__query q;

	sizes_query(&q, sheet, esv__sql_sizes_categories);
	esv__query_bind(&q, "most", ESV__PARTS);
	while (esv__query_next(&q)) {
		bars->roles[bars->part_count] =
		    ESV_ROLE_SERIES + (int)bars->part_count;
		bars->parts[bars->part_count++] = esv__query_text(&q, 0);
	}
}

/* Class 0 has messages of 0 bytes, class n those of [2^(n-1), 2^n). */
static const char *
sizes_label(struct esv__sheet *sheet, int64_t size_class)
{
	if (size_class <= 0)
		return "0 B";
	if (size_class == 1)
		return "1 B";
	return esv_figure_printf(sheet->figure, "from %s",
	    esv__sheet_number(sheet, exp2((double)size_class - 1),
		PATHS_UNIT_BYTES));
}

static void
sizes_fill(struct esv__bars *bars, struct esv__sheet *sheet)
{
	int64_t from = 0, to = -1;
	struct esv__query q;

	sizes_query(&q, sheet, esv__sql_sizes_range);
	if (esv__query_next(&q) && !esv__query_null(&q, 0)) {
		from = esv__query_int(&q, 0);
		to = esv__query_int(&q, 1);
	}
	esv__query_close(&q);
	/* Sizes have 64 bits, so no class is larger. */
	for (int64_t n = from; n <= to && n <= 65; n++)
		esv__bars_add(bars, sheet,
		    &(struct esv__bar){ .label = sizes_label(sheet, n) });
	sizes_query(&q, sheet, esv__sql_sizes_messages);
	while (esv__query_next(&q)) {
		const char *category = esv__query_text(&q, 1);
		size_t at = (size_t)(esv__query_int(&q, 0) - from);

		for (uint32_t p = 0; at < bars->count && p < bars->part_count;
		     p++)
			if (strcmp(bars->parts[p], category) == 0)
				bars->bars[at].parts[p] = esv__query_num(&q, 2);
	}
}

void
esv__sizes_draw(struct esv__sheet *sheet)
{
	const struct esv_thing *subject = &sheet->options->subject;
	bool of_pair = subject->kind == ESV_THING_PAIR;
	struct esv__bars bars = { .what = "size classes",
		.axis = "messages (logarithmic)",
		.unit = PATHS_UNIT_COUNT,
		.single = true,
		.logarithmic = true };

	if (of_pair)
		esv__sheet_say(sheet, ESV_ROLE_TEXT,
		    esv_figure_printf(sheet->figure,
			"Sizes of messages from %s to %s:",
			esv__rank_name(sheet, subject->id),
			esv__rank_name(sheet, subject->other)));
	sizes_categories(&bars, sheet);
	sizes_fill(&bars, sheet);
	if (bars.count == 0)
		esv__sheet_say(sheet, ESV_ROLE_DIM_TEXT,
		    "No sizes of these messages were counted.");
	esv__bars_draw(&bars, sheet);
}
