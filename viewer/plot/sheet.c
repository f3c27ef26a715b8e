/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sheet.c - a figure while a chart is drawn on it
 */

#include "viewer/plot/sheet.h"

#include "viewer/model/rows.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE ESV_LABEL_HEIGHT(ESV_LABEL_POINTS)
#define GAP 4.0

struct sheet_block {
	struct sheet_block *next;
	max_align_t bytes[];
};

void
esv__sheet_open(struct esv__sheet *sheet, struct esv_model *model,
    const struct esv_chart_options *options, struct esv_figure *figure)
{
	*sheet = (struct esv__sheet){ .model = model,
		.options = options,
		.figure = figure,
		.box = esv_plot_page(figure) };
	esv_draw_rect(figure, ESV_ROLE_GROUND,
	    (struct esv_box){ 0, 0, figure->width, figure->height },
	    ESV_NOTHING, NULL);
}

paths_status
esv__sheet_close(struct esv__sheet *sheet)
{
	struct sheet_block *block = sheet->memory;

	while (block != NULL) {
		struct sheet_block *next = block->next;

		free(block);
		block = next;
	}
	sheet->memory = NULL;
	return sheet->figure->status;
}

void *
esv__sheet_take(struct esv__sheet *sheet, size_t count, size_t bytes)
{
	struct sheet_block *block = NULL;

	if (sheet->figure->status == PATHS_OK &&
	    (bytes == 0 || count < (SIZE_MAX - sizeof(*block)) / bytes))
		block = calloc(1, sizeof(*block) + count * bytes + 1);
	if (block == NULL) {
		if (sheet->figure->status == PATHS_OK)
			sheet->figure->status = paths_log_fail(PATHS_ENOMEM,
			    "no memory for a chart");
		return NULL;
	}
	block->next = sheet->memory;
	sheet->memory = block;
	return block->bytes;
}

const char *
esv__sheet_number(struct esv__sheet *sheet, double number, enum paths_unit unit)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	if (isnan(number))
		return "-";
	paths_unit_text(unit, number, text);
	return esv_figure_printf(sheet->figure, "%s", text);
}

void *
esv__sheet_grow(struct esv__sheet *sheet, void *array, size_t count,
    size_t bytes)
{
	void *larger;

	/* The room of an array is a power of two. */
	if (count > 0 && (count & (count - 1)) != 0)
		return array;
	larger = esv__sheet_take(sheet, count == 0 ? 1 : 2 * count, bytes);
	if (larger != NULL && count > 0)
		memcpy(larger, array, count * bytes);
	return larger;
}

void
esv__sheet_skip(struct esv__sheet *sheet, double height)
{
	sheet->box.y += height;
	sheet->box.height = fmax(sheet->box.height - height, 0);
}

/* Returns the length in bytes of the whole words that fit, at least one. */
static size_t
line_break(struct esv__sheet *sheet, const char *text, double room)
{
	size_t fits = 0, length = strlen(text);

	for (size_t n = 1; n <= length; n++) {
		if (n < length && text[n] != ' ')
			continue;
		if (fits > 0 &&
		    esv_label_width(esv_figure_printf(sheet->figure, "%.*s",
					(int)n, text),
			ESV_LABEL_POINTS) > room)
			break;
		fits = n;
	}
	return fits;
}

const char *
esv__sheet_words(struct esv__sheet *sheet, const char *text)
{
	char *copy = esv_rows_text(sheet->model, text);
	const char *words;

	if (copy == NULL && sheet->figure->status == PATHS_OK)
		sheet->figure->status =
		    paths_log_fail(PATHS_ENOMEM, "no memory for a chart");
	words =
	    copy == NULL ? "" : esv_figure_printf(sheet->figure, "%s", copy);
	free(copy);
	return words;
}

void
esv__sheet_say(struct esv__sheet *sheet, int role, const char *text)
{
	while (sheet->figure->status == PATHS_OK && *text != '\0') {
		struct esv_box *box = &sheet->box;
		size_t bytes = line_break(sheet, text, box->width);

		esv_draw_text_within(sheet->figure, role,
		    (struct esv_box){ box->x, box->y, box->width, LINE },
		    ESV_ANCHOR_LEFT,
		    esv_figure_printf(sheet->figure, "%.*s", (int)bytes, text));
		esv__sheet_skip(sheet, LINE);
		text += bytes;
		while (*text == ' ')
			text++;
		if (*text == '\0')
			esv__sheet_skip(sheet, GAP);
	}
}

void
esv__sheet_nothing(struct esv__sheet *sheet, const char *text)
{
	esv_draw_text_within(sheet->figure, ESV_ROLE_DIM_TEXT, sheet->box,
	    ESV_ANCHOR_MIDDLE, text);
}

enum esv_row_kind
esv__sheet_level(const struct esv__sheet *sheet)
{
	enum esv_row_kind kind = ESV_ROW_THREAD;

	(void)esv_row_kind_find(sheet->options->level, &kind);
	return kind;
}

bool
esv__sheet_measure(const struct esv__sheet *sheet, const char *measure)
{
	return strcmp(sheet->options->measure, measure) == 0;
}
