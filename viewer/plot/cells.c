/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/cells.c - text in columns
 */

#include "viewer/plot/cells.h"

#include "viewer/plot/sheet.h"

#include <math.h>
#include <string.h>

#define GAP 14.0

struct layout {
	const struct es__table *table;
	struct es__sheet *sheet;
	double at[ES__COLUMNS], width[ES__COLUMNS];
};

void
es__table_add(struct es__table *table, struct es__sheet *sheet,
    const struct es__cells *row)
{
	table->rows = es__sheet_grow(sheet, table->rows, table->count,
	    sizeof(*table->rows));
	if (table->rows != NULL)
		table->rows[table->count++] = *row;
}

/* The last column takes what is left. */
static void
layout_open(struct layout *l, size_t shown)
{
	const struct es__table *t = l->table;
	double x = l->sheet->box.x;

	for (uint32_t c = 0; c < t->columns; c++) {
		double width = es_label_width(t->heads[c], ES_LABEL_POINTS);
		double left = l->sheet->box.x + l->sheet->box.width - x;

		for (size_t n = 0; n < shown; n++)
			width = fmax(width,
			    es_label_width(t->rows[n].cells[c],
				ES_LABEL_POINTS) +
				1);
		if (c + 1 < t->columns)
			left *= 0.6;
		l->at[c] = x;
		l->width[c] = fmin(width, left);
		x += l->width[c] + GAP;
	}
}

static void
layout_cell(const struct layout *l, const struct es__cells *row,
    uint32_t column, int role)
{
	bool number = l->table->numbers[column];
	double x = l->at[column];

	(void)es_figure_add(l->sheet->figure,
	    &(struct es_shape){ .kind = ES_SHAPE_TEXT,
		.role = role,
		.x = number ? x + l->width[column] : x,
		.y = l->sheet->box.y + ES_LABEL_HEIGHT(ES_LABEL_POINTS) / 2,
		.width = l->width[column],
		.text = row->cells[column],
		.text_size = ES_LABEL_POINTS,
		.anchor = number ? ES_ANCHOR_RIGHT : ES_ANCHOR_LEFT,
		.thing = row->thing,
		.tip = row->cells[column] });
}

void
es__table_draw(const struct es__table *table, struct es__sheet *sheet)
{
	double line = ES_LABEL_HEIGHT(ES_LABEL_POINTS) * 1.15;
	struct layout l = { .table = table, .sheet = sheet };
	struct es__cells heads = { 0 };
	double fit = floor(sheet->box.height / line) - 2;
	size_t shown = table->count;

	if (table->count == 0 || sheet->figure->status != PATHS_OK)
		return;
	if ((double)shown > fit)
		shown = fit > 1 ? (size_t)fit : 1;
	layout_open(&l, shown);
	memcpy(heads.cells, table->heads, sizeof(heads.cells));
	for (uint32_t c = 0; c < table->columns; c++)
		layout_cell(&l, &heads, c, ES_ROLE_DIM_TEXT);
	sheet->box.y += line;
	sheet->box.height -= line;
	for (size_t n = 0; n < shown; n++) {
		for (uint32_t c = 0; c < table->columns; c++)
			layout_cell(&l, &table->rows[n], c,
			    c == 0 ? table->rows[n].role : ES_ROLE_TEXT);
		sheet->box.y += line;
		sheet->box.height -= line;
	}
	if (shown < table->count)
		es__sheet_say(sheet, ES_ROLE_WARNING,
		    es_figure_printf(sheet->figure,
			"... and %zu more, not shown for lack of room.",
			table->count - shown));
}
