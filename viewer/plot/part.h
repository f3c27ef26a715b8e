/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/part.h - charts of a part of the run
 */

#ifndef VIEWER_PLOT_PART_H
#define VIEWER_PLOT_PART_H

#include "viewer/event/interval.h"
#include "viewer/plot/sheet.h"

/* Returns true if a part of the run is wanted, not the whole run. */
bool esv__part_wanted(const struct esv__sheet *sheet);

/* Returns the sums of the wanted part; NULL: they cannot be computed, and the
   sheet says why. */
const struct esv_interval *esv__part_get(struct esv__sheet *sheet);

/* Returns "1.20 ms from 3.00 ms", the wanted part. */
const char *esv__part_text(struct esv__sheet *sheet);

/* Sums of cells: of a function, or of a function at a call site. */
struct esv__part_sum {
	uint32_t op, site;
	bool mpi;
	double calls, time_ns, wait_ns;
};

/* Adds up the cells of all threads by function, or by function and call site;
   those with most time come first.  Sets *count. */
struct esv__part_sum *esv__part_sums(struct esv__sheet *sheet,
    const struct esv_interval *interval, bool sites, size_t *count);

#endif
