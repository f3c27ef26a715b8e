/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sizes.c - how large messages are, of a pair or of all
 */

#include "viewer/plot/sizes.h"

#include "viewer/plot/bars.h"
#include "viewer/plot/query.h"
#include "viewer/plot/ranks.h"
#include "viewer/plot/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void
sizes_categories(struct es__bars *bars, struct es__sheet *sheet,
    const char *pair)
{
	struct es__query q;

	es__query_open(&q, sheet,
	    "SELECT category FROM size_histogram WHERE %s GROUP BY category "
	    "ORDER BY category = 'received', sum(messages) DESC, category "
	    "LIMIT %d",
	    pair, ES__PARTS);
	while (es__query_next(&q)) {
		bars->roles[bars->part_count] =
		    ES_ROLE_SERIES + (int)bars->part_count;
		bars->parts[bars->part_count++] = es__query_text(&q, 0);
	}
}

/* 0: of 0 bytes; n: of [2^(n-1), 2^n). */
static const char *
sizes_label(struct es__sheet *sheet, int64_t size_class)
{
	if (size_class <= 0)
		return "0 B";
	if (size_class == 1)
		return "1 B";
	return es_figure_printf(sheet->figure, "from %s",
	    es__number(sheet, exp2((double)size_class - 1), PATHS_UNIT_BYTES));
}

static void
sizes_fill(struct es__bars *bars, struct es__sheet *sheet, const char *pair)
{
	int64_t from = es__query_one(sheet, 0,
	    "SELECT min(size_class) FROM size_histogram WHERE %s", pair);
	int64_t to = es__query_one(sheet, 0,
	    "SELECT max(size_class) FROM size_histogram WHERE %s", pair);
	struct es__query q;

	/* Of 64 bits: no class is larger. */
	for (int64_t n = from; n <= to && n <= 65; n++)
		es__bars_add(bars, sheet,
		    &(struct es__bar){ .label = sizes_label(sheet, n) });
	es__query_open(&q, sheet,
	    "SELECT size_class, category, sum(messages) FROM size_histogram "
	    "WHERE %s GROUP BY size_class, category",
	    pair);
	while (es__query_next(&q)) {
		const char *category = es__query_text(&q, 1);
		size_t at = (size_t)(es__query_int(&q, 0) - from);

		for (uint32_t p = 0; at < bars->count && p < bars->part_count;
		     p++)
			if (strcmp(bars->parts[p], category) == 0)
				bars->bars[at].parts[p] = es__query_num(&q, 2);
	}
}

void
es__sizes_draw(struct es__sheet *sheet)
{
	const struct es_thing *subject = &sheet->options->subject;
	bool of_pair = subject->kind == ES_THING_PAIR;
	const char *pair = of_pair ?
	    es_figure_printf(sheet->figure,
		"source = %" PRId64 " AND target = %" PRId64, subject->id,
		subject->other) :
	    "1";
	struct es__bars bars = { .what = "size classes",
		.axis = "messages (logarithmic)",
		.unit = PATHS_UNIT_COUNT,
		.single = true,
		.logarithmic = true };

	if (of_pair)
		es__sheet_say(sheet, ES_ROLE_TEXT,
		    es_figure_printf(sheet->figure,
			"Sizes of messages from %s to %s:",
			es__rank_name(sheet, subject->id),
			es__rank_name(sheet, subject->other)));
	sizes_categories(&bars, sheet, pair);
	sizes_fill(&bars, sheet, pair);
	if (bars.count == 0)
		es__sheet_say(sheet, ES_ROLE_DIM_TEXT,
		    "No sizes of these messages were counted.");
	es__bars_draw(&bars, sheet);
}
