/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_text.c - durations as people read them, in SQL
 *
 *	readable_ns(2014999)	'2.01 ms'
 */

#include "scopes/store/extension_private.h"

#include <math.h>
#include <stdio.h>

static void
text_readable_ns(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = sqlite3_value_double(arguments[0]);
	unsigned unit = 0;
	int decimals;
	char text[64];

	(void)count;
	if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
		return;
	/* 999.5 would be rounded to 1000. */
	for (; fabs(value) >= 999.5 && unit < 3; unit++)
		value /= 1000.0;
	decimals = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
	snprintf(text, sizeof(text), "%.*f %s", unit == 0 ? 0 : decimals, value,
	    units[unit]);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

int
es__extension_text(sqlite3 *db)
{
	return sqlite3_create_function_v2(db, "readable_ns", 1,
	    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
	    text_readable_ns, NULL, NULL, NULL);
}
