/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/column_private.h - a column of a table, as people read it
 *
 * The views say what their columns hold (scopes/column.h).  A time becomes
 * "wait sum (ms)", in the unit that suits the largest value.
 */

#ifndef SCOPES_SHOW_COLUMN_PRIVATE_H
#define SCOPES_SHOW_COLUMN_PRIVATE_H

#include "scopes/view.h"

struct es__show_column {
	const char *name; /* in the database */
	enum es_unit unit;
	const struct es_table *refers; /* names its ids; NULL: it has none */
	const char *scale_name;	       /* "ms"; "" for none */
	double divisor;
	int decimals;
	char text[32]; /* of the last value */
};

/* Finds what the column of that name holds in a table of that name. */
void es__show_column_init(struct es__show_column *column, const char *table,
    const char *name);

/* Choose the unit; largest is that of the absolute values. */
void es__show_column_scale(struct es__show_column *column, double largest);

/* The name above the column. */
void es__show_column_title(const struct es__show_column *column,
    char title[96]);

/* A value as it is shown; lent until the next. */
struct es_value es__show_column_value(struct es__show_column *column,
    const struct es_value *value);

#endif
