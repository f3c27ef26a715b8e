/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/sites.h - names of call sites
 */

#ifndef VIEWER_PLOT_SITES_H
#define VIEWER_PLOT_SITES_H

#include "viewer/plot/sheet.h"

/* Returns the function, file and line of a call site of the run. */
const char *esv__site_name(struct esv__sheet *sheet, uint32_t site);

#endif
