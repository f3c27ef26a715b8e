/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sizes.h - a histogram of message sizes
 */

#ifndef VIEWER_PLOT_SIZES_H
#define VIEWER_PLOT_SIZES_H

#include "viewer/plot/sheet.h"

/* Draws the sizes of the messages of the pair that is the subject, or of all
   messages. */
void esv__sizes_draw(struct esv__sheet *sheet);

#endif
