/* SPDX-License-Identifier: MIT */
/*
 * viewer/chart/timeline_rows.c - the rows of a timeline and their height
 */

#include "viewer/chart/timeline_rows.h"

#include <math.h>

#define MOST_ROWS 256u
#define ROW_HEIGHT 16.0
#define BAND_ROWS 3u /* the height of a row that stands for many, in rows */
#define ROWS_HEIGHT 760.0 /* enough for many rows */

/* Returns true if a row is that of a process with one thread. */
static bool
row_is_single(const struct esv_row *row)
{
	return row->kind == ESV_ROW_PROCESS && row->threads == 1;
}

uint32_t
esv_timeline_rows_to(const struct esv_model *model, enum esv_row_kind kind,
    uint32_t *rows)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < model->row_count; n++)
		if (model->rows[n].kind != ESV_ROW_RUN &&
		    model->rows[n].kind <= kind &&
		    !(kind == ESV_ROW_THREAD &&
			row_is_single(&model->rows[n]))) {
			if (rows != NULL)
				rows[count] = n;
			count++;
		}
	return count;
}

enum esv_row_kind
esv_timeline_rows_kind(const struct esv_model *model, uint32_t *rows,
    uint32_t *count)
{
	enum esv_row_kind kind = ESV_ROW_THREAD;

	*count = esv_timeline_rows_to(model, kind, rows);
	while (*count > MOST_ROWS && kind > ESV_ROW_HOST)
		*count = esv_timeline_rows_to(model, --kind, rows);
	return kind;
}

uint32_t
esv_timeline_rows(const struct esv_model *model, uint32_t *rows)
{
	uint32_t count;

	(void)esv_timeline_rows_kind(model, rows, &count);
	return count;
}

double
esv_timeline_height(uint32_t row_count)
{
	double rows = fmin(row_count * ROW_HEIGHT, ROWS_HEIGHT);

	return fmax(rows, row_count * 3.0) + ESV_TIMELINE_AROUND;
}

double
esv_timeline_height_all(const struct esv_model *model)
{
	uint32_t count;
	bool folded =
	    esv_timeline_rows_kind(model, NULL, &count) < ESV_ROW_THREAD;

	return esv_timeline_height(folded ? count * BAND_ROWS : count);
}

uint32_t
esv_timeline_row_depth(const struct esv_model *model, const struct esv_row *row)
{
	return row->kind == ESV_ROW_THREAD &&
		row_is_single(&model->rows[row->parent]) ?
	    row->depth - 1 :
	    row->depth;
}
