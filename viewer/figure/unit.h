/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/unit.h - numbers with their units, as people read and write
 * them
 */

#ifndef VIEWER_FIGURE_UNIT_H
#define VIEWER_FIGURE_UNIT_H

#include "libpaths/status.h"

enum es_unit {
	ES_UNIT_COUNT, /* 12, 3.4 k, 5 M */
	ES_UNIT_TIME,  /* of nanoseconds: 12 ns, 3.4 us, 5 ms, 1.2 s */
	ES_UNIT_BYTES, /* 12 B, 3.4 KiB, 5 MiB */
	ES_UNIT_SHARE, /* of 1: 12 %, 0.34 % */
	ES_UNIT_PLAIN  /* a number, a step: all its digits */
};

#define ES_UNIT_BYTES_OF_TEXT 32

/*
 * es_unit_text - a number to three digits, with its unit
 *
 * Returns	nothing
 * Threads	any
 */
void es_unit_text(enum es_unit unit, double value,
    char text[ES_UNIT_BYTES_OF_TEXT]);

/*
 * es_unit_scale - the scale for numbers up to a size
 *
 * largest	the largest absolute value
 * name		out: "ms"; "" when there is none
 *
 * Returns	what a number is divided by
 * Threads	any
 */
double es_unit_scale(enum es_unit unit, double largest, const char **name);

/*
 * es_unit_parse_time - a time as people write it: 1.5s, 20ms, 3us, 7ns, 0
 *
 * Returns	PATHS_OK; PATHS_ESYNTAX: what was expected
 * Threads	any
 */
paths_status es_unit_parse_time(const char *text, double *time_ns)
    PATHS_CHECKED;

#endif
