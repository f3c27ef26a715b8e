/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_private.h - the canvas item `timeline`
 */

#ifndef VIEWER_TK_TIMELINE_PRIVATE_H
#define VIEWER_TK_TIMELINE_PRIVATE_H

/* Registers the item type with Tk. */
void esv__timeline_init(void);

#endif
