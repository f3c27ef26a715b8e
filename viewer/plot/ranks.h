/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/ranks.h - names of the sources and targets of matrices
 */

#ifndef VIEWER_PLOT_RANKS_H
#define VIEWER_PLOT_RANKS_H

#include "viewer/plot/sheet.h"

/* Sources and targets are MPI ranks, or processes where there are none. */
const char *es__rank_name(struct es__sheet *sheet, int64_t rank);
struct es_thing es__rank_thing(struct es__sheet *sheet, int64_t rank);

#endif
