/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/joins.h - the order in which operations come to a join
 */

#ifndef VIEWER_PLOT_JOINS_H
#define VIEWER_PLOT_JOINS_H

#include "viewer/plot/sheet.h"

/* A table of the form of `arrival`; the table NAME_pair belongs to it. */
struct es__join_table {
	const char *name;
	const char *first, *last;   /* names of its columns */
	const char *before, *after; /* names of the axes of pairs */
	const char *wait_axis, *waited;
};

void es__join_draw(struct es__sheet *sheet, const struct es__join_table *table);

#endif
