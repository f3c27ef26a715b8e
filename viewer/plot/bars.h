/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/bars.h - horizontal bars, each divided into parts
 */

#ifndef VIEWER_PLOT_BARS_H
#define VIEWER_PLOT_BARS_H

#include "viewer/plot/sheet.h"

#define ES__PARTS 8

struct es__bar {
	const char *label;
	struct es_thing thing;
	double parts[ES__PARTS];
	const char *note; /* behind the bar; or NULL */
	double mark;	  /* a line across it; NAN, 0: none */
};

struct es__bars {
	const char *what; /* plural noun of the bars: "threads" */
	const char *axis; /* quantity of their lengths: "time" */
	enum paths_unit unit;
	const char *parts[ES__PARTS]; /* names */
	int roles[ES__PARTS];
	uint32_t part_count;
	struct es__bar *bars;
	size_t count;
	bool logarithmic; /* single */
	bool single;	  /* parts stand side by side, not one after another */
	bool top; /* sorted: bars without room are left out, not folded */
};

void es__bars_add(struct es__bars *bars, struct es__sheet *sheet,
    const struct es__bar *bar);
/* Sorts by a part, descending; part_count means the sum of all parts. */
void es__bars_sort(struct es__bars *bars, struct es__sheet *sheet,
    uint32_t part);
/* Draws the bars in the remaining space.  When they are too many, each bar
   drawn is the mean of some neighbours. */
void es__bars_draw(const struct es__bars *bars, struct es__sheet *sheet);

#endif
