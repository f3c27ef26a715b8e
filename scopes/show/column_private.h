/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/column_private.h - a column of a table, as people read it
 *
 * The view declares the unit of its columns (scopes/column.h).  The column
 * "wait_ns_sum" is shown as "wait sum (ms)", in the unit that suits its largest
 * value.
 */

#ifndef SCOPES_SHOW_COLUMN_PRIVATE_H
#define SCOPES_SHOW_COLUMN_PRIVATE_H

#include "scopes/view.h"

struct es__show_column {
	const char *name; /* in the database */
	enum es_unit unit;
	const struct es_table *refers; /* has names for its ids; NULL: none */
	const char *scale_name;	       /* "ms"; "" for none */
	double divisor;
	int decimals;
	char text[32]; /* the last value */
};

/* Finds the declaration of a column by the names of table and column.  A column
   without one has no unit. */
void es__show_column_init(struct es__show_column *column, const char *table,
    const char *name);

/* Chooses the unit by the largest absolute value of the column. */
void es__show_column_scale(struct es__show_column *column, double largest);

/* Makes the heading of the column, with its unit. */
void es__show_column_title(const struct es__show_column *column,
    char title[96]);

/* Returns a value as it is shown, valid until the next call. */
struct es_value es__show_column_value(struct es__show_column *column,
    const struct es_value *value);

#endif
