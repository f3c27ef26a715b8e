/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_options_private.h - options of a timeline item
 * that are not numbers
 */

#ifndef VIEWER_TK_TIMELINE_OPTIONS_PRIVATE_H
#define VIEWER_TK_TIMELINE_OPTIONS_PRIVATE_H

#include "viewer/tk/timeline_item_private.h"

extern Tk_CustomOption esv__timeline_options[TIMELINE_OPTIONS];
extern Tk_CustomOption esv__timeline_options_state;
/* Frees the values of all options. */
void esv__timeline_options_fini(struct timeline_item *t);

#endif
