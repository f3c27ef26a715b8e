/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_options_private.h - non-numeric options of a timeline
 * item
 */

#ifndef VIEWER_TK_TIMELINE_OPTIONS_PRIVATE_H
#define VIEWER_TK_TIMELINE_OPTIONS_PRIVATE_H

#include "viewer/tk/timeline_item_private.h"

/* Functions that set and print the options of enum timeline_option. */
extern Tk_CustomOption esv__timeline_options[TIMELINE_OPTIONS];

/* Functions that set and print the option -state, which every canvas item
   has. */
extern Tk_CustomOption esv__timeline_options_state;

/* Frees the values and texts of the options of enum timeline_option. */
void esv__timeline_options_fini(struct timeline_item *t);

#endif
