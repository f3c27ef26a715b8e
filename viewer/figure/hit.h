/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/hit.h - the shape or cell under the pointer
 */

#ifndef VIEWER_FIGURE_HIT_H
#define VIEWER_FIGURE_HIT_H

#include "viewer/figure/figure.h"

#include <stdbool.h>

struct esv_hit {
	struct esv_thing thing;
	int64_t step;  /* -1: none */
	char tip[256]; /* cut after a whole character */
};

/*
 * esv_hit_find - find the object at a place of a figure
 *
 * A cell of the grid comes first, then the uppermost shape that has a thing
 * or a tip.
 *
 * hit		out
 *
 * Returns	true; false: nothing is there
 */
bool esv_hit_find(const struct esv_figure *figure, double x, double y,
    struct esv_hit *hit);

/*
 * esv_hit_cell - the tip of a cell: its row, its column and its value
 */
void esv_hit_cell(const struct esv_grid *grid, uint32_t row, uint32_t column,
    char tip[256]);

#endif
