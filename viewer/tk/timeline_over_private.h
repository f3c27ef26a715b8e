/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_over_private.h - draws highlights, marks, arrows and
 * the selection over the rows of a timeline
 */

#ifndef VIEWER_TK_TIMELINE_OVER_PRIVATE_H
#define VIEWER_TK_TIMELINE_OVER_PRIVATE_H

#include "viewer/tk/timeline_pen_private.h"

/* More visible arrows than this are drawn as a band of their density. */
#define TIMELINE_ARROWS_MAX 2000u

void esv__timeline_over_draw(struct timeline_item *t, struct timeline_pen *pen);

#endif
