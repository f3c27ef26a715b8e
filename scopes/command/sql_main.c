/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/sql_main.c - eventspace sql: SQL over the views and raw
 * events of a run
 */

#include "scopes/command/command.h"
#include "scopes/rows.h"
#include "scopes/show/table_private.h"

#include <getopt.h>
#include <stdio.h>

static const char help[] =
    "usage: eventspace sql [OPTIONS] RUN \"SELECT ...\"\n"
    "\n"
    "Runs SQL over the views of a run and, as the table `event`, over its\n"
    "raw tuples.  RUN is a run directory or a view.db.  Nothing is changed.\n"
    "\n"
    "  --csv      comma-separated values, with a line of names\n"
    "  --json     an array of objects\n"
    "  --quiet    say nothing but errors\n"
    "  --help     this text\n";

static const struct option options[] = {
	{ "csv", no_argument, NULL, 'c' },
	{ "json", no_argument, NULL, 'j' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "about", no_argument, NULL, 'A' },
	{ NULL, 0, NULL, 0 },
};

/* Every statement of a text, one after the other. */
static paths_status
sql_run(struct es_store *store, const char *sql, enum es_show_form form)
{
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && *sql != '\0') {
		struct es_rows *rows;

		st = es_rows_open(store, sql, &rows, &sql);
		if (st == PATHS_OK && rows != NULL) {
			st = es__table_rows(stdout, form, rows);
			es_rows_close(rows);
		}
	}
	return st;
}

int
main(int argc, char **argv)
{
	struct es_command command = { .verb = "sql",
		.about = "SQL over the views and raw events of a run",
		.help = help };
	enum es_show_form form = ES_SHOW_TEXT;
	struct es_store *store;
	paths_status st;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":qh", options, NULL)) != -1) {
		int status = -1;

		if (option == 'c')
			form = ES_SHOW_CSV;
		else if (option == 'j')
			form = ES_SHOW_JSON;
		else
			status = es_command_option(&command, option, argv);
		if (status >= 0)
			return status;
	}
	if (argc - optind != 2)
		return es_command_usage(&command,
		    "a run and a text of SQL were expected");
	if (es_command_store(&command, argv[optind], &store) != PATHS_OK)
		return es_command_fail(&command);
	st = sql_run(store, argv[optind + 1], form);
	es_store_close(store);
	return st == PATHS_OK ? ES_DONE : es_command_fail(&command);
}
