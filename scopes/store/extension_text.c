/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_text.c - SQL functions that print numbers with units
 *
 *	readable_ns(2014999)	'2.01 ms'
 *	readable_bytes(1536)	'1.50 KiB'
 *	readable_share(0.661)	'66.1 %'
 *	readable_count(12345)	'12 345'
 */

#include "scopes/store/extension_text_private.h"

#include "libpaths/unit.h"

#include <stddef.h>
#include <stdint.h>

static const struct text_function {
	const char *name;
	enum paths_unit unit;
} text_functions[] = {
	{ "readable_ns", PATHS_UNIT_TIME },
	{ "readable_bytes", PATHS_UNIT_BYTES },
	{ "readable_share", PATHS_UNIT_SHARE },
	{ "readable_count", PATHS_UNIT_WHOLE },
};

static void
text_readable(sqlite3_context *context, int count, sqlite3_value **arguments)
{
	const struct text_function *function = sqlite3_user_data(context);
	char text[PATHS_UNIT_TEXT_BYTES];

	(void)count;
	if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
		return;
	sqlite3_result_text(context,
	    paths_unit_text(function->unit, sqlite3_value_double(arguments[0]),
		text),
	    -1, SQLITE_TRANSIENT);
}

int
es__extension_text(sqlite3 *db)
{
	int rc = SQLITE_OK;

	for (size_t n = 0; rc == SQLITE_OK &&
	     n < sizeof(text_functions) / sizeof(text_functions[0]);
	     n++)
		rc = sqlite3_create_function_v2(db, text_functions[n].name, 1,
		    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
		    (void *)(uintptr_t)&text_functions[n], text_readable, NULL,
		    NULL, NULL);
	return rc;
}
