/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/matrix.c - a matrix as a heat map
 *
 * A small matrix is drawn as rectangles.  Each row of a large one is an image;
 * rows lower than ROW_MIN pixels and columns narrower than one are folded.  The
 * grid of the figure (struct esv_grid) is used to find the cell under the
 * pointer.
 */

#include "viewer/plot/matrix.h"

#include "viewer/figure/hit.h"
#include "viewer/figure/legend.h"
#include "viewer/plot/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most cells that are drawn as rectangles.  Their least size, and their
   largest height; without `pairs` they may be wider. */
#define CELLS_MAX 4096u
#define CELL_MIN 6.0
#define CELL_SIZE_MAX 40.0

/* The least height of a row of the matrix, in pixels. */
#define ROW_MIN 2.0

/* The estimated size of an axis, and of the scale of heat.  A box that is made
   narrower keeps one more, because names may need more than the estimate. */
#define AXES 80.0

struct matrix_layout {
	const struct esv__matrix *matrix;
	struct esv__sheet *sheet;
	struct esv_plot plot;
	struct esv_axis heat;
	double width, height; /* of a cell */
	struct esv_grid grid;
};

static uint32_t
fold_for(uint32_t count, double room, double least)
{
	return (uint32_t)fmax(1, ceil(count / fmax(1, floor(room / least))));
}

/* Opens an axis with a name for each `fold` rows or columns.  Returns fold. */
static uint32_t
axis_open(struct esv_axis *axis, struct esv__sheet *sheet, uint32_t count,
    uint32_t fold)
{
	axis->count = (count + fold - 1) / fold;
	axis->names = esv__sheet_take(sheet, axis->count, sizeof(char *));
	axis->things =
	    esv__sheet_take(sheet, axis->count, sizeof(struct esv_thing));
	axis->bare = true;
	return fold;
}

void
esv__matrix_open(struct esv__matrix *matrix, struct esv__sheet *sheet,
    uint32_t rows, uint32_t columns)
{
	size_t cells;

	matrix->rows = rows;
	matrix->columns = columns;
	matrix->row_fold = axis_open(&matrix->y, sheet, rows,
	    fold_for(rows, sheet->box.height - AXES, ROW_MIN));
	matrix->column_fold = axis_open(&matrix->x, sheet, columns,
	    fold_for(columns, sheet->box.width - 2 * AXES, 1));
	cells = (size_t)matrix->y.count * matrix->x.count;
	matrix->values = esv__sheet_take(sheet, cells, sizeof(double));
	matrix->counts = esv__sheet_take(sheet, cells, sizeof(uint32_t));
}

void
esv__matrix_name(struct esv_axis *axis, uint32_t fold, uint32_t n,
    const struct esv__name *name)
{
	if (axis->names == NULL || axis->things == NULL || n % fold != 0 ||
	    n / fold >= axis->count)
		return;
	((const char **)axis->names)[n / fold] = name->text;
	if (fold == 1)
		((struct esv_thing *)axis->things)[n] = name->thing;
}

void
esv__matrix_put(struct esv__matrix *matrix, uint32_t row, uint32_t column,
    double value)
{
	double *all;
	uint32_t count;
	size_t cell;

	if (row >= matrix->rows || column >= matrix->columns || isnan(value) ||
	    matrix->values == NULL || matrix->counts == NULL)
		return;
	cell = (size_t)(row / matrix->row_fold) * matrix->x.count +
	    column / matrix->column_fold;
	all = &matrix->values[cell];
	count = matrix->counts[cell]++;
	if (count == 0)
		*all = value;
	else if (matrix->fold == ESV__FOLD_MAX)
		*all = fmax(*all, value);
	else if (matrix->fold == ESV__FOLD_SUM)
		*all += value;
	else
		*all += (value - *all) / (count + 1);
}

void
esv__matrix_say_fold(const struct esv__matrix *m, struct esv__sheet *sheet)
{
	static const char *const folds[] = { [ESV__FOLD_SUM] = "sum",
		[ESV__FOLD_MEAN] = "mean",
		[ESV__FOLD_MAX] = "maximum" };

	if (m->row_fold > 1 || m->column_fold > 1)
		esv__sheet_say(sheet, ESV_ROLE_WARNING,
		    esv_figure_printf(sheet->figure,
			"%u x %u cells do not fit: each cell shown is the %s "
			"of %u x %u cells.",
			m->rows, m->columns, folds[m->fold], m->row_fold,
			m->column_fold));
}

static int
number_order(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* Returns the upper end of the scale of heat: the maximum, or with `rare` the
   95th percentile if the maximum is more than twice as large. */
static double
heat_top(const struct matrix_layout *l, const double *sorted, size_t count)
{
	double most = sorted[count - 1],
	       nearly = sorted[(count - 1) * 95 / 100];

	return l->matrix->rare && nearly > 0 && most > 2 * nearly ? nearly :
								    most;
}

static size_t
matrix_cells(const struct esv__matrix *m)
{
	return m == NULL ? 0 : (size_t)m->y.count * m->x.count;
}

/* Copies the values of cells with data, behind count others. */
static size_t
matrix_values(const struct esv__matrix *m, double *values, size_t count)
{
	for (size_t n = 0; n < matrix_cells(m); n++)
		if (m->counts[n] > 0)
			values[count++] = m->values[n];
	return count;
}

static void
layout_heat(struct matrix_layout *l)
{
	const struct esv__matrix *m = l->matrix;
	size_t count, zeros = 0;
	double *sorted = esv__sheet_take(l->sheet,
	    matrix_cells(m) + matrix_cells(m->beside), sizeof(*sorted));

	l->heat =
	    (struct esv_axis){ .label = m->value, .unit = m->unit, .to = 1 };
	if (sorted == NULL)
		return;
	count = matrix_values(m->beside, sorted, matrix_values(m, sorted, 0));
	if (count == 0)
		return;
	qsort(sorted, count, sizeof(*sorted), number_order);
	if (sorted[count - 1] > 0)
		l->heat.to = heat_top(l, sorted, count);
	if (l->heat.to < sorted[count - 1])
		l->heat.label = esv_figure_printf(l->sheet->figure,
		    "%s (up to %s)", m->value,
		    esv__sheet_number(l->sheet, sorted[count - 1], m->unit));
	while (zeros < count && sorted[zeros] <= 0)
		zeros++;
	if (m->logarithmic && zeros < count && l->heat.to > 4 * sorted[zeros]) {
		l->heat.logarithmic = true;
		l->heat.from = sorted[zeros] / 2;
	}
}

static int
layout_role(const struct matrix_layout *l, size_t cell)
{
	double value = l->matrix->values[cell];

	if (l->matrix->counts[cell] == 0)
		return ESV_ROLE_PANEL;
	if (l->heat.logarithmic)
		return esv_draw_heat(value > 0 ? log(value) : -INFINITY,
		    log(l->heat.from), log(l->heat.to));
	return esv_draw_heat(value, l->heat.from, l->heat.to);
}

/* Draws the scale of heat.  The matrix on the left leaves its space empty, so
   that both have the same size. */
static void
layout_legend(const struct matrix_layout *l, struct esv_box *box)
{
	struct esv_figure none;

	if (!l->matrix->left) {
		esv_legend_heat(l->sheet->figure, box, &l->heat);
		return;
	}
	esv_figure_init(&none, 0, 0);
	esv_legend_heat(&none, box, &l->heat);
	esv_figure_fini(&none);
}

static void
layout_open(struct matrix_layout *l)
{
	const struct esv__matrix *m = l->matrix;
	struct esv_box box = l->sheet->box;
	double side;

	layout_heat(l);
	if (l->sheet->figure->status != PATHS_OK)
		return;
	if (!m->numbered)
		box.width = fmin(box.width,
		    m->x.count * CELL_SIZE_MAX * (m->pairs ? 1 : 2) + 3 * AXES);
	box.height = fmin(box.height, m->y.count * CELL_SIZE_MAX + AXES);
	side = fmin((box.width - 2 * AXES) / m->x.count,
	    (box.height - AXES) / m->y.count);
	if (m->pairs && side > ROW_MIN) {
		box.width = fmin(box.width, side * m->x.count + 3 * AXES);
		box.height = fmin(box.height, side * m->y.count + AXES);
	}
	l->sheet->box.y += box.height;
	l->sheet->box.height -= box.height;
	layout_legend(l, &box);
	l->plot = (struct esv_plot){ .figure = l->sheet->figure,
		.x = m->x,
		.y = m->y };
	if (m->numbered)
		l->plot.x.names = NULL;
	esv_plot_axes(&l->plot, box);
	l->width = l->plot.area.width / m->x.count;
	l->height = l->plot.area.height / m->y.count;
}

static struct esv_thing
cell_thing(const struct esv__matrix *m, uint32_t row, uint32_t column)
{
	if (m->pairs && m->row_fold == 1 && m->column_fold == 1)
		return (struct esv_thing){ ESV_THING_PAIR, m->y.things[row].id,
			m->x.things[column].id };
	return m->y.things[row];
}

static const char *
cell_tip(const struct matrix_layout *l, uint32_t row, uint32_t column)
{
	char tip[256];

	esv_hit_cell(&l->grid, row, column, tip);
	return esv_figure_printf(l->sheet->figure, "%s", tip);
}

/* Sets the grid.  Cells without data have the value NAN. */
static void
layout_grid(struct matrix_layout *l)
{
	const struct esv__matrix *m = l->matrix;
	size_t cells = matrix_cells(m);
	bool alone = m->row_fold == 1 && m->column_fold == 1;
	double *values = esv__sheet_take(l->sheet, cells, sizeof(*values));

	for (size_t n = 0; values != NULL && n < cells; n++)
		values[n] = m->counts[n] > 0 ? m->values[n] : NAN;
	l->grid = (struct esv_grid){ .x = l->plot.area.x,
		.y = l->plot.area.y,
		.width = l->plot.area.width,
		.height = l->plot.area.height,
		.columns = m->x.count,
		.rows = m->y.count,
		.values = values,
		.unit = m->unit,
		.row_names = m->y.names,
		.row_things = m->y.things,
		.column_names = m->numbered ? NULL : m->x.names,
		.number = m->x.label,
		.first = m->x.from,
		.each = (m->x.to - m->x.from) * m->column_fold / m->columns,
		.pairs = m->pairs && alone ? m->x.things : NULL };
	if (values != NULL)
		(void)esv_figure_grid(l->sheet->figure, &l->grid);
}

static void
layout_cells(const struct matrix_layout *l)
{
	const struct esv__matrix *m = l->matrix;
	double gap = l->width > 12 && l->height > 12;

	for (uint32_t r = 0; r < m->y.count; r++) {
		for (uint32_t c = 0; c < m->x.count; c++) {
			size_t cell = (size_t)r * m->x.count + c;

			if (m->counts[cell] == 0)
				continue;
			esv_draw_rect(l->sheet->figure, layout_role(l, cell),
			    (struct esv_box){ l->plot.area.x + c * l->width,
				l->plot.area.y + r * l->height, l->width - gap,
				l->height - gap },
			    cell_thing(m, r, c), cell_tip(l, r, c));
		}
	}
}

static void
layout_images(const struct matrix_layout *l)
{
	const struct esv__matrix *m = l->matrix;
	uint16_t *pixels =
	    esv__sheet_take(l->sheet, m->x.count, sizeof(*pixels));

	for (uint32_t r = 0; pixels != NULL && r < m->y.count; r++) {
		for (uint32_t c = 0; c < m->x.count; c++)
			pixels[c] = (uint16_t)layout_role(l,
			    (size_t)r * m->x.count + c);
		(void)esv_figure_add(l->sheet->figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_IMAGE,
			.x = l->plot.area.x,
			.y = l->plot.area.y + r * l->height,
			.width = l->plot.area.width,
			.height = l->height,
			.thing = m->y.things[r],
			.tip = m->y.names[r],
			.pixels = pixels,
			.columns = m->x.count,
			.rows = 1 });
	}
}

void
esv__matrix_draw(const struct esv__matrix *matrix, struct esv__sheet *sheet)
{
	struct matrix_layout l = { .matrix = matrix, .sheet = sheet };

	if (sheet->figure->status != PATHS_OK || matrix->rows == 0 ||
	    matrix->columns == 0)
		return;
	if (matrix->beside == NULL)
		esv__matrix_say_fold(matrix, sheet);
	layout_open(&l);
	if (sheet->figure->status == PATHS_OK)
		layout_grid(&l);
	if (sheet->figure->status != PATHS_OK)
		return;
	if (l.width >= CELL_MIN && l.height >= CELL_MIN &&
	    (size_t)matrix->y.count * matrix->x.count <= CELLS_MAX)
		layout_cells(&l);
	else
		layout_images(&l);
	esv_draw_frame(sheet->figure, ESV_ROLE_AXIS, l.plot.area, 1);
}
