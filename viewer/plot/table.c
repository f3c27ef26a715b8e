/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/table.c - text in columns
 */

#include "viewer/plot/table.h"

#include "viewer/plot/sheet.h"

#include <math.h>
#include <string.h>

#define GAP 14.0

struct cells_layout {
	const struct esv__table *table;
	struct esv__sheet *sheet;
	double at[ESV__COLUMNS], width[ESV__COLUMNS];
};

void
esv__table_add(struct esv__table *table, struct esv__sheet *sheet,
    const struct esv__cells *row)
{
	table->rows = esv__sheet_grow(sheet, table->rows, table->count,
	    sizeof(*table->rows));
	if (table->rows != NULL)
		table->rows[table->count++] = *row;
}

/* Sets the widths of columns; the last one takes the remainder. */
static void
layout_open(struct cells_layout *l, size_t shown)
{
	const struct esv__table *t = l->table;
	double x = l->sheet->box.x;

	for (uint32_t c = 0; c < t->columns; c++) {
		double width = esv_label_width(t->heads[c], ESV_LABEL_POINTS);
		double left = l->sheet->box.x + l->sheet->box.width - x;

		for (size_t n = 0; n < shown; n++)
			width = fmax(width,
			    esv_label_width(t->rows[n].cells[c],
				ESV_LABEL_POINTS) +
				1);
		if (c + 1 < t->columns)
			left *= 0.6;
		l->at[c] = x;
		l->width[c] = fmin(width, left);
		x += l->width[c] + GAP;
	}
}

static void
layout_cell(const struct cells_layout *l, const struct esv__cells *row,
    uint32_t column, int role)
{
	bool number = l->table->numbers[column];
	double x = l->at[column];

	(void)esv_figure_add(l->sheet->figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = role,
		.x = number ? x + l->width[column] : x,
		.y = l->sheet->box.y + ESV_LABEL_HEIGHT(ESV_LABEL_POINTS) / 2,
		.width = l->width[column],
		.text = row->cells[column],
		.text_size = ESV_LABEL_POINTS,
		.anchor = number ? ESV_ANCHOR_RIGHT : ESV_ANCHOR_LEFT,
		.thing = row->thing,
		.tip = row->cells[column] });
}

void
esv__table_draw(const struct esv__table *table, struct esv__sheet *sheet)
{
	double line = ESV_LABEL_HEIGHT(ESV_LABEL_POINTS) * 1.15;
	struct cells_layout l = { .table = table, .sheet = sheet };
	struct esv__cells heads = { 0 };
	double fit = floor(sheet->box.height / line) - 2;
	size_t shown = table->count;

	if (table->count == 0 || sheet->figure->status != PATHS_OK)
		return;
	if ((double)shown > fit)
		shown = fit > 1 ? (size_t)fit : 1;
	layout_open(&l, shown);
	memcpy(heads.cells, table->heads, sizeof(heads.cells));
	for (uint32_t c = 0; c < table->columns; c++)
		layout_cell(&l, &heads, c, ESV_ROLE_DIM_TEXT);
	sheet->box.y += line;
	sheet->box.height -= line;
	for (size_t n = 0; n < shown; n++) {
		for (uint32_t c = 0; c < table->columns; c++)
			layout_cell(&l, &table->rows[n], c,
			    c == 0 ? table->rows[n].role : ESV_ROLE_TEXT);
		sheet->box.y += line;
		sheet->box.height -= line;
	}
	if (shown < table->count)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"... and %zu more, not shown for lack of room.",
			table->count - shown));
}
