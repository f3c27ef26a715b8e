/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/show.h - views of a run as text, for the commands that show them
 *
 * Compiled into each of them, not part of the library.
 */

#ifndef SCOPES_SHOW_SHOW_H
#define SCOPES_SHOW_SHOW_H

#include "scopes/store.h"

#include "libpaths/base/command.h"

#include <stdint.h>
#include <stdio.h>

enum es_show_form {
	ES_SHOW_TEXT, /* aligned, for people */
	ES_SHOW_HTML, /* the same as parts of a page */
	ES_SHOW_CSV,  /* RFC 4180, with a line of names */
	ES_SHOW_JSON  /* an array of objects, one a line */
};

/* Where nobody says --limit: as much as one looks at. */
#define ES_SHOW_LIMIT 50

/* The options of commands that print tables; the last members are those of an
   array of options. */
#define ES_SHOW_FORM_OPTIONS(values, field) \
	{ "csv", 0, NULL, "comma-separated values, with a line of names", 1, \
		PATHS_COMMAND_TO_SET(values, field, ES_SHOW_CSV) }, \
	{ \
		"json", 0, NULL, "array of JSON objects", 1, \
		    PATHS_COMMAND_TO_SET(values, field, ES_SHOW_JSON) \
	}

struct es_show {
	const char *run; /* as the user named it */
	struct es_store *store;
	FILE *out;
	enum es_show_form form;
	int64_t limit; /* rows of a table; -1: all */
};

/* What ran, how it ended, and what stands out, in sentences. */
paths_status es_show_summary(const struct es_show *show) PATHS_CHECKED;

/* One table, with its sentence when it is for people. */
paths_status es_show_table(const struct es_show *show, const char *table)
    PATHS_CHECKED;

/* Whether view.db has a table, or an SQL view, of that name. */
paths_status es_show_has(const struct es_show *show, const char *table,
    bool *has) PATHS_CHECKED;

/* A text in HTML: what it means there is escaped. */
void es_show_escape(FILE *out, const char *text);

#endif
