/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/column.c - a column of a table, as people read it
 */

#include "scopes/show/column_private.h"

#include "libpaths/unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Scales of units, and the number of decimals in scales above the smallest. */
static const struct {
	enum paths_unit unit;
	int decimals;
} scales[] = {
	[ES_UNIT_NS] = { PATHS_UNIT_TIME, 3 },
	[ES_UNIT_BYTES] = { PATHS_UNIT_BYTES, 1 },
	[ES_UNIT_SHARE] = { PATHS_UNIT_SHARE, 1 },
};

/* Returns the declaration of a column; NULL: no view has it. */
static const struct es_column *
column_find(const char *table_name, const char *name)
{
	const struct es_table *table = es_view_table(table_name);

	for (size_t n = 0; table != NULL && n < table->column_count; n++) {
		if (strcmp(table->columns[n].name, name) == 0)
			return &table->columns[n];
	}
	return NULL;
}

void
es__show_column_init(struct es__show_column *column, const char *table,
    const char *name)
{
	const struct es_column *about = column_find(table, name);

	*column = (struct es__show_column){ .name = name,
		.scale_name = "",
		.divisor = 1.0,
		.decimals = -1 };
	if (about == NULL)
		return;
	column->unit = about->unit;
	if (about->refers != NULL)
		column->refers = es_view_table(about->refers);
	if (column->refers != NULL && column->refers->names == NULL)
		column->refers = NULL;
}

void
es__show_column_scale(struct es__show_column *column, double largest)
{
	if (column->unit == ES_UNIT_PPB) {
		column->scale_name = "ppm";
		column->divisor = 1e3;
		column->decimals = 3;
	} else if (column->unit != ES_UNIT_NONE) {
		/* The largest value has two to four digits, so that small ones
		   keep some. */
		column->divisor = paths_unit_scale(scales[column->unit].unit,
		    largest / 10, &column->scale_name);
		column->decimals =
		    column->divisor == 1.0 ? 0 : scales[column->unit].decimals;
	}
}

/* Finds a word in a name.  Returns the number of bytes before it, 0 without the
   word; *after is the offset of the bytes behind it. */
static size_t
column_find_word(const char *name, const char *word, size_t *after)
{
	const char *at = strstr(name, word);
	size_t length = strlen(word);

	if (at == NULL || (at[length] != '\0' && at[length] != '_'))
		return 0;
	*after = (size_t)(at - name) + length;
	return (size_t)(at - name);
}

void
es__show_column_title(const struct es__show_column *column, char title[96])
{
	static const char
	    *const words[] = { [ES_UNIT_NS] = "_ns", [ES_UNIT_PPB] = "_ppb" };
	size_t before = 0, after = 0;
	int length;

	if (column->unit == ES_UNIT_NS || column->unit == ES_UNIT_PPB)
		before =
		    column_find_word(column->name, words[column->unit], &after);
	length = snprintf(title, 64, "%.*s%s", (int)before, column->name,
	    column->name + after);
	for (char *c = title; *c != '\0'; c++)
		if (*c == '_')
			*c = ' ';
	if (column->scale_name[0] != '\0' && length >= 0)
		snprintf(title + strlen(title), 16, " (%s)",
		    column->scale_name);
}

struct es_value
es__show_column_value(struct es__show_column *column,
    const struct es_value *value)
{
	double number;

	if (value->kind != ES_INTEGER && value->kind != ES_REAL)
		return *value;
	if (value->kind == ES_INTEGER && column->divisor == 1.0)
		return *value;
	number =
	    value->kind == ES_REAL ? value->as.real : (double)value->as.integer;
	if (column->decimals < 0)
		snprintf(column->text, sizeof(column->text), "%.6g", number);
	else
		snprintf(column->text, sizeof(column->text), "%.*f",
		    column->decimals, number / column->divisor);
	return ES_STR(column->text);
}
