/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/table.h - text in columns
 */

#ifndef VIEWER_PLOT_TABLE_H
#define VIEWER_PLOT_TABLE_H

#include "viewer/plot/sheet.h"

#define ESV__COLUMNS 8

struct esv__cells {
	const char *cells[ESV__COLUMNS];
	struct esv_thing thing;
	int role; /* of the first cell */
};

struct esv__table {
	const char *heads[ESV__COLUMNS];
	bool numbers[ESV__COLUMNS]; /* aligned right */
	uint32_t columns;
	struct esv__cells *rows;
	size_t count;
};

void esv__table_add(struct esv__table *table, struct esv__sheet *sheet,
    const struct esv__cells *row);
/* Draws the rows that fit, and the number of the others. */
void esv__table_draw(const struct esv__table *table, struct esv__sheet *sheet);

#endif
