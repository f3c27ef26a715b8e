/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/ranks.h - names of the sources and targets of matrices
 */

#ifndef VIEWER_PLOT_RANKS_H
#define VIEWER_PLOT_RANKS_H

#include "viewer/plot/sheet.h"

/* Sources and targets are MPI ranks, or processes where there are none. */
const char *esv__rank_name(struct esv__sheet *sheet, int64_t rank);
struct esv_thing esv__rank_thing(struct esv__sheet *sheet, int64_t rank);

#endif
