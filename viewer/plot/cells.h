/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/cells.h - text in columns
 */

#ifndef VIEWER_PLOT_CELLS_H
#define VIEWER_PLOT_CELLS_H

#include "viewer/plot/sheet.h"

#define ES__COLUMNS 8

struct es__cells {
	const char *cells[ES__COLUMNS];
	struct es_thing thing;
	int role; /* of the first cell */
};

struct es__table {
	const char *heads[ES__COLUMNS];
	bool numbers[ES__COLUMNS]; /* aligned right */
	uint32_t columns;
	struct es__cells *rows;
	size_t count;
};

void es__table_add(struct es__table *table, struct es__sheet *sheet,
    const struct es__cells *row);
/* Draws as many rows as fit, and the number of those that do not. */
void es__table_draw(const struct es__table *table, struct es__sheet *sheet);

#endif
