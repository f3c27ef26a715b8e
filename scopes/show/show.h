/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/show.h - shows a view or a table of a run
 *
 * The files of this room are compiled into each command that shows views; they
 * are not part of the library.
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

/* The default of --limit: a table that fits on a few screens. */
#define ES_SHOW_LIMIT 50

/* Group of the options that exclude --csv and --json. */
#define ES_SHOW_FORM_GROUP 1

/* The options of commands that print tables; the last members are those of an
   array of options. */
#define ES_SHOW_FORM_OPTIONS(values, field) \
	{ "csv", 0, NULL, "comma-separated values, with a line of names", \
		ES_SHOW_FORM_GROUP, \
		PATHS_COMMAND_TO_SET(values, field, ES_SHOW_CSV) }, \
	{ \
		"json", 0, NULL, "array of JSON objects", ES_SHOW_FORM_GROUP, \
		    PATHS_COMMAND_TO_SET(values, field, ES_SHOW_JSON) \
	}

struct es_show {
	const char *run; /* as the user named it */
	struct es_store *store;
	FILE *out;
	enum es_show_form form;
	int64_t limit; /* rows of a table; -1: all */
	/* Arguments of the table, as "(1, 2)"; NULL: it has none. */
	const char *arguments;
};

/* Returns the arguments of the table; "": none. */
static inline const char *
es__show_arguments(const struct es_show *show)
{
	return show->arguments == NULL ? "" : show->arguments;
}

/* Shows one table.  People also get its reading or findings below it. */
paths_status es_show_table(const struct es_show *show, const char *table)
    PATHS_CHECKED;

/* Refuses a name that is neither a view nor a table of view.db with
   PATHS_ENOENT. */
paths_status es__show_check(const struct es_show *show, const char *name)
    PATHS_CHECKED;

/* Shows the table of that name, or the first table of the view of that name.
   People also get the names of the view's other tables. */
paths_status es__show_view(const struct es_show *show, const char *name)
    PATHS_CHECKED;

#endif
