/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/column_private.h - a column of a table, as people read it
 *
 * Names of columns say what is in them: wait_ns_sum is a time, thread a thread.
 * A time becomes "wait sum (ms)", in the unit that suits the largest.
 */

#ifndef SCOPES_SHOW_COLUMN_PRIVATE_H
#define SCOPES_SHOW_COLUMN_PRIVATE_H

#include "scopes/view.h"

struct es__show_column {
	const char *name;  /* in the database */
	const char *names; /* SQL for the name that its id stands for; NULL */
	const char *needs; /* table without which there are no names; NULL */
	const char *unit;  /* "" for none; set by es__show_column_scale */
	double divisor;
	int decimals;
	char text[32]; /* of the last value */
};

/* What a column is, by its name, in a table of that name. */
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
