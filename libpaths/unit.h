/* SPDX-License-Identifier: MIT */
/*
 * libpaths/unit.h - reads and prints numbers with units
 *
 * One parser for options, environment variables and maps, and one formatter
 * for all that is printed or drawn.
 */

#ifndef LIBPATHS_UNIT_H
#define LIBPATHS_UNIT_H

#include "libpaths/status.h"

#include <stdint.h>

PATHS_BEGIN_DECLS

enum paths_unit {
	PATHS_UNIT_COUNT,   /* 12, 3.40 k, 5 M */
	PATHS_UNIT_TIME,    /* in ns: 12 ns, 3.40 us, 5 ms, 1.20 s */
	PATHS_UNIT_SECONDS, /* as PATHS_UNIT_TIME; the default unit is s */
	PATHS_UNIT_BYTES,   /* 12 B, 3.40 KiB, 5 MiB */
	PATHS_UNIT_RATE,    /* in bytes per second: 3.40 MB/s */
	PATHS_UNIT_SHARE,   /* share of 1: 12 %, 0.34 %; is only printed */
	PATHS_UNIT_WHOLE,   /* 1 234 567: a count with all its digits */
	PATHS_UNIT_PLAIN    /* 1234567: a number with up to ten digits */
};

/* The longest text of a number with its unit, with its closing 0. */
#define PATHS_UNIT_TEXT_BYTES 40

/*
 * paths_unit_parse - read a number with its unit
 *
 * A count is digits only.  Any other number is digits, an optional fraction, at
 * most one blank, and the unit.  The unit of a time is ns, us, ms or s.  The
 * unit of bytes is missing, B, k, K, KiB and so on to T and TiB, in powers of
 * 1024.  The unit of a rate is missing, B/s, k, kB/s and so on to T and TB/s,
 * in powers of 1000.  The value must be a whole number of ns, bytes or bytes
 * per second.  0 needs no unit.
 *
 * text		the number, with nothing before or after it
 * least, most	the bounds; both are allowed values
 * number	out: in ns, bytes, bytes per second, or the count itself
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	no such number: paths_log_last gives the reason
 *				and the expected form, without text
 *		PATHS_ERANGE	outside the bounds
 *		*number is written only on PATHS_OK
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_unit_parse(enum paths_unit unit, const char *text,
    uint64_t least, uint64_t most, uint64_t *number) PATHS_CHECKED;

/*
 * paths_unit_hint - the form of the numbers that paths_unit_parse reads
 *
 * Returns	"a size such as 4096, 64K or 1MiB" and the like
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_unit_hint(enum paths_unit unit);

/*
 * paths_unit_text - print a number with its unit, to three significant digits
 *
 * The unit is the largest that leaves 1 or more before the point.  A number
 * that is whole in its unit has no decimals, others have at most two.
 *
 * value	in ns, bytes, bytes per second, as a share of 1, or the count
 *
 * Returns	text
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_unit_text(enum paths_unit unit, double value,
    char text[PATHS_UNIT_TEXT_BYTES]);

/*
 * paths_unit_text_step - print a number of a series with one unit
 *
 * Prints as many decimals as distinguish value from its neighbours.
 *
 * step		the least difference between two values of the series, over 0
 * largest	the largest absolute value of the series, which sets the unit
 *
 * Returns	text
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_unit_text_step(enum paths_unit unit, double value,
    double step, double largest, char text[PATHS_UNIT_TEXT_BYTES]);

/*
 * paths_unit_scale - choose the unit for values up to a size
 *
 * largest	the largest absolute value
 * name		out: "ms" and the like; "" when there is none
 *
 * Returns	the number that values are divided by
 * Threads	any
 * Since	0.1
 */
PATHS_API double paths_unit_scale(enum paths_unit unit, double largest,
    const char **name);

PATHS_END_DECLS

#endif
