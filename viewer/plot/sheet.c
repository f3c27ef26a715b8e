/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sheet.c - a figure while a chart is drawn on it
 */

#include "viewer/plot/sheet.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE ES_LABEL_HEIGHT(ES_LABEL_POINTS)
#define GAP 4.0

struct block {
	struct block *next;
	max_align_t bytes[];
};

void
es__sheet_open(struct es__sheet *sheet, struct es_model *model,
    const struct es_chart_options *options, struct es_figure *figure)
{
	*sheet = (struct es__sheet){ .model = model,
		.options = options,
		.figure = figure,
		.box = es_plot_page(figure) };
	es_draw_rect(figure, ES_ROLE_GROUND,
	    (struct es_box){ 0, 0, figure->width, figure->height }, ES_NOTHING,
	    NULL);
}

paths_status
es__sheet_close(struct es__sheet *sheet)
{
	struct block *block = sheet->memory;

	while (block != NULL) {
		struct block *next = block->next;

		free(block);
		block = next;
	}
	sheet->memory = NULL;
	return sheet->figure->status;
}

void *
es__sheet_take(struct es__sheet *sheet, size_t count, size_t bytes)
{
	struct block *block = NULL;

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
es__number(struct es__sheet *sheet, double number, enum paths_unit unit)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	if (isnan(number))
		return "-";
	paths_unit_text(unit, number, text);
	return es_figure_printf(sheet->figure, "%s", text);
}

void *
es__sheet_grow(struct es__sheet *sheet, void *array, size_t count, size_t bytes)
{
	void *larger;

	/* Rooms are powers of two. */
	if (count > 0 && (count & (count - 1)) != 0)
		return array;
	larger = es__sheet_take(sheet, count == 0 ? 1 : 2 * count, bytes);
	if (larger != NULL && count > 0)
		memcpy(larger, array, count * bytes);
	return larger;
}

void
es__sheet_skip(struct es__sheet *sheet, double height)
{
	sheet->box.y += height;
	sheet->box.height = fmax(sheet->box.height - height, 0);
}

/* How many bytes of a text fit, up to the end of a word. */
static size_t
line_break(struct es__sheet *sheet, const char *text, double room)
{
	size_t fits = 0, length = strlen(text);

	for (size_t n = 1; n <= length; n++) {
		if (n < length && text[n] != ' ')
			continue;
		if (fits > 0 &&
		    es_label_width(es_figure_printf(sheet->figure, "%.*s",
				       (int)n, text),
			ES_LABEL_POINTS) > room)
			break;
		fits = n;
	}
	return fits;
}

void
es__sheet_say(struct es__sheet *sheet, int role, const char *text)
{
	while (sheet->figure->status == PATHS_OK && *text != '\0') {
		struct es_box *box = &sheet->box;
		size_t bytes = line_break(sheet, text, box->width);

		es_draw_text_within(sheet->figure, role,
		    (struct es_box){ box->x, box->y, box->width, LINE },
		    ES_ANCHOR_LEFT,
		    es_figure_printf(sheet->figure, "%.*s", (int)bytes, text));
		es__sheet_skip(sheet, LINE);
		text += bytes;
		while (*text == ' ')
			text++;
		if (*text == '\0')
			es__sheet_skip(sheet, GAP);
	}
}

void
es__sheet_nothing(struct es__sheet *sheet, const char *text)
{
	es_draw_text_within(sheet->figure, ES_ROLE_DIM_TEXT, sheet->box,
	    ES_ANCHOR_MIDDLE, text);
}

bool
es__sheet_measure(const struct es__sheet *sheet, const char *measure)
{
	return strcmp(sheet->options->measure, measure) == 0;
}
