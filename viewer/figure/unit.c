/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/unit.c - numbers with their units, as people read and write
 * them
 */

#include "viewer/figure/unit.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	enum es_unit unit;
	const char *name;
	double size; /* in what values are given in */
} scales[] = {
	{ ES_UNIT_COUNT, "", 1.0 },
	{ ES_UNIT_COUNT, "k", 1e3 },
	{ ES_UNIT_COUNT, "M", 1e6 },
	{ ES_UNIT_COUNT, "G", 1e9 },
	{ ES_UNIT_TIME, "ns", 1.0 },
	{ ES_UNIT_TIME, "us", 1e3 },
	{ ES_UNIT_TIME, "ms", 1e6 },
	{ ES_UNIT_TIME, "s", 1e9 },
	{ ES_UNIT_BYTES, "B", 1.0 },
	{ ES_UNIT_BYTES, "KiB", 1024.0 },
	{ ES_UNIT_BYTES, "MiB", 1024.0 * 1024.0 },
	{ ES_UNIT_BYTES, "GiB", 1024.0 * 1024.0 * 1024.0 },
	{ ES_UNIT_SHARE, "%", 0.01 },
	{ ES_UNIT_PLAIN, "", 1.0 },
};

#define SCALE_COUNT (sizeof(scales) / sizeof(scales[0]))

double
es_unit_scale(enum es_unit unit, double largest, const char **name)
{
	double size = 0.0;

	/* What would be shown as 1000 of one is 1 of the next. */
	largest = fabs(largest) * 1.0005;
	for (size_t i = 0; i < SCALE_COUNT; i++) {
		if (scales[i].unit != unit ||
		    (size > 0.0 && largest < scales[i].size))
			continue;
		size = scales[i].size;
		*name = scales[i].name;
	}
	return size;
}

/* How many decimals three digits take. */
static int
unit_decimals(double number)
{
	double size = fabs(number);

	if (size >= 99.95 || size == rint(size))
		return 0;
	return size >= 9.995 ? 1 : 2;
}

void
es_unit_text(enum es_unit unit, double value, char text[ES_UNIT_BYTES_OF_TEXT])
{
	const char *name;
	double number = value / es_unit_scale(unit, value, &name);

	if (unit == ES_UNIT_PLAIN)
		snprintf(text, ES_UNIT_BYTES_OF_TEXT, "%.10g", value);
	else
		snprintf(text, ES_UNIT_BYTES_OF_TEXT, "%.*f%s%s",
		    unit_decimals(number), number, name[0] == '\0' ? "" : " ",
		    name);
}

paths_status
es_unit_parse_time(const char *text, double *time_ns)
{
	char *end;
	double number = strtod(text, &end);
	size_t i = 0;

	while (i < SCALE_COUNT &&
	    (scales[i].unit != ES_UNIT_TIME ||
		strcmp(end, scales[i].name) != 0))
		i++;
	if (end == text || !isfinite(number) || number < 0.0 ||
	    (i == SCALE_COUNT && (number != 0.0 || *end != '\0')))
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s: a time like 1.5s, 20ms, 3us or 7ns was expected",
		    text);
	*time_ns = i == SCALE_COUNT ? 0.0 : number * scales[i].size;
	return PATHS_OK;
}
