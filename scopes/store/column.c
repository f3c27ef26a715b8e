/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/column.c - describes a column in a sentence
 */

#include "scopes/column.h"

#include <stdio.h>
#include <string.h>

const char *
es_column_about(const struct es_column *column,
    char text[ES_COLUMN_ABOUT_BYTES])
{
	static const char *const units[] = {
		[ES_UNIT_NONE] = "",
		[ES_UNIT_NS] = ", in ns",
		[ES_UNIT_BYTES] = ", in bytes",
		[ES_UNIT_SHARE] = ", 0 to 1",
		[ES_UNIT_PPB] = ", in parts per billion",
	};
	size_t before = strcspn(column->about, ";");

	snprintf(text, ES_COLUMN_ABOUT_BYTES, "%.*s%s%s", (int)before,
	    column->about, units[column->unit], column->about + before);
	return text;
}
