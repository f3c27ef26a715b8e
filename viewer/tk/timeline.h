/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline.h - the canvas item `timeline`
 */

#ifndef VIEWER_TK_TIMELINE_H
#define VIEWER_TK_TIMELINE_H

/* Registers the item type with Tk. */
void esv__timeline_init(void);

#endif
