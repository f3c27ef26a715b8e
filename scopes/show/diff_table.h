/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/diff_table.h - tables of the comparison of two runs
 */

#ifndef SCOPES_SHOW_DIFF_TABLE_H
#define SCOPES_SHOW_DIFF_TABLE_H

#include "scopes/diff.h"
#include "scopes/show/show.h"

/* The form of a table. */
struct es__diff_table {
	FILE *out;
	enum es_show_form form;
	const char *const *runs; /* names of both */
	uint64_t limit;		 /* greatest number of rows */
};

/* Writes a table; for people, with the total of all its rows. */
paths_status es__diff_table_write(const struct es__diff_table *table,
    struct es_diff *d, enum es_diff_by by) PATHS_CHECKED;

/* The longest text of a time. */
#define ES__DIFF_TABLE_BYTES (PATHS_UNIT_TEXT_BYTES + 1)

/* Returns a time for people, with a sign if it is a difference, or a number for
   programs. */
struct es_value es__diff_table_time(enum es_show_form form, double ns,
    bool sign, char text[ES__DIFF_TABLE_BYTES]);

/* Returns the name of a kind of time. */
const char *es__diff_table_kind(enum es_diff_kind kind);

#endif
