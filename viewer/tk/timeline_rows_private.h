/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_rows_private.h - draws the rows of a timeline
 */

#ifndef VIEWER_TK_TIMELINE_ROWS_PRIVATE_H
#define VIEWER_TK_TIMELINE_ROWS_PRIVATE_H

#include "viewer/tk/timeline_pen_private.h"

/* Draws the rows in the area of the pen, and their background. */
void esv__timeline_rows_draw(struct timeline_item *t, struct timeline_pen *pen);

#endif
