/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/joins.h - common part of the charts arrival and departure
 */

#ifndef VIEWER_PLOT_JOINS_H
#define VIEWER_PLOT_JOINS_H

#include "viewer/plot/sheet.h"

/* A table of the form of `arrival`, and its statements. */
struct esv__join_table {
	const char *name;
	const char *sums, *inputs;     /* plot/join_sums.sql, join_inputs.sql */
	const char *processes, *hosts; /* plot/join_parts.sql */
	const char *pairs;	    /* before, after, operations, mean in ns */
	const char *first, *last;   /* names of parts of bars */
	const char *before, *after; /* names of the axes of pairs */
	const char *wait_axis, *waited;
};

void esv__join_draw(struct esv__sheet *sheet,
    const struct esv__join_table *table);

#endif
