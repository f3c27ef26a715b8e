/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/bars.h - horizontal bars, each divided into parts
 */

#ifndef VIEWER_PLOT_BARS_H
#define VIEWER_PLOT_BARS_H

#include "viewer/plot/sheet.h"

#define ESV__PARTS 8

struct esv__bar {
	const char *label;
	struct esv_thing thing;
	double parts[ESV__PARTS];
	const char *note; /* text to the right of the area; or NULL */
	double mark;	  /* place of a line across the bar; NAN, 0: none */
};

struct esv__bars {
	const char *what; /* plural noun of the bars: "threads" */
	const char *axis; /* quantity of their lengths: "time" */
	enum paths_unit unit;
	const char *parts[ESV__PARTS]; /* names */
	int roles[ESV__PARTS];
	uint32_t part_count;
	struct esv__bar *bars;
	size_t count;
	bool logarithmic; /* only with `single` */
	bool single;	  /* each part is a bar of its own, not stacked */
	bool top; /* sorted: bars without room are left out, not folded */
};

void esv__bars_add(struct esv__bars *bars, struct esv__sheet *sheet,
    const struct esv__bar *bar);
/* Sorts by a part, descending; part_count means the sum of all parts. */
void esv__bars_sort(struct esv__bars *bars, struct esv__sheet *sheet,
    uint32_t part);
/* Draws the bars in the remaining space.  When they are too many, each bar
   drawn is the mean of some neighbours. */
void esv__bars_draw(const struct esv__bars *bars, struct esv__sheet *sheet);

#endif
