/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/matrix.h - a matrix as a heat map
 */

#ifndef VIEWER_PLOT_MATRIX_H
#define VIEWER_PLOT_MATRIX_H

#include "viewer/plot/sheet.h"

enum esv__fold { ESV__FOLD_SUM, ESV__FOLD_MEAN, ESV__FOLD_MAX };

struct esv__matrix {
	const char *value; /* quantity of the cells: "time in communication" */
	enum paths_unit unit;
	bool logarithmic;
	bool rare;	     /* a few cells may exceed the scale of heat */
	bool pairs;	     /* cells stand for the ids of row and column */
	bool numbered;	     /* columns have numbers: x.from to x.to */
	enum esv__fold fold; /* of cells without a pixel of their own */
	struct esv_axis x, y;
	/* A matrix with the same scale of heat; NULL: none.  Each is the beside
	   of the other.  The one on the left has no legend, and folds are not
	   told. */
	const struct esv__matrix *beside;
	bool left;

	/* Made by esv__matrix_open: */
	uint32_t rows, columns;
	uint32_t row_fold, column_fold; /* this many are shown as one */
	double *values;			/* of the cells that are shown */
	uint32_t *counts;		/* of values put into each cell */
};

struct esv__name {
	const char *text;
	struct esv_thing thing;
};

/*
 * Prepares an empty matrix for the remaining space of a sheet.  The caller then
 * names all rows and columns, and puts cells.  Memory is bounded by the pixels
 * of the sheet: rows and columns beyond that are folded.
 */
void esv__matrix_open(struct esv__matrix *matrix, struct esv__sheet *sheet,
    uint32_t rows, uint32_t columns);
void esv__matrix_name(struct esv_axis *axis, uint32_t fold, uint32_t n,
    const struct esv__name *name);
/* Adds a value to a cell.  Ignores values outside all rows or columns. */
void esv__matrix_put(struct esv__matrix *matrix, uint32_t row, uint32_t column,
    double value);
void esv__matrix_draw(const struct esv__matrix *matrix,
    struct esv__sheet *sheet);

/* Says how many cells each cell shown is of, if they do not fit. */
void esv__matrix_say_fold(const struct esv__matrix *matrix,
    struct esv__sheet *sheet);

#endif
