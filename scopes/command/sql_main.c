/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/sql_main.c - eventspace sql: runs SQL over the views and raw
 * events of a run
 */

#include "scopes/command/plugins.h"
#include "scopes/command/store.h"
#include "scopes/rows.h"
#include "scopes/show/table_rows_private.h"

#include <stdio.h>

struct sql {
	struct es_command command;
	const char *run, *text;
	enum es_show_form form;
};

static const struct paths_command_option sql_options[] = {
	ES_SHOW_FORM_OPTIONS(struct sql, form),
	ES_COMMAND_PLUGIN(struct sql, command.plugins),
	PATHS_COMMAND_QUIET(struct sql, command.quiet),
};

static const struct paths_command_operand sql_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct sql, run) },
	{ "SQL", false, PATHS_COMMAND_TO_OPERAND(struct sql, text) },
};

static const struct paths_command sql_command = {
	.verb = "sql",
	.about = "SQL over the views and raw events of a run",
	.usage = "[OPTIONS] RUN \"SELECT ...\"",
	.text = "Runs SQL over the views of a run and, as the table `event`, "
		"over its raw\ntuples.  RUN is a run directory or a view.db.  "
		"Nothing is changed.\n\n"
		"event_count(collector, from_ns, to_ns) is the number of "
		"tuples that start in\n[from_ns, to_ns), without reading "
		"them.",
	PATHS_COMMAND_OPTIONS(sql_options),
	PATHS_COMMAND_OPERANDS(sql_operands),
};

/* Runs each statement of a text and prints its rows. */
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
	struct sql sql = { .form = ES_SHOW_TEXT, .command.verb = "sql" };
	int status = paths_command_read(&sql_command, &sql, argc, argv);
	struct es_store *store;
	paths_status st;

	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&sql.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (es_command_store(&sql.command, sql.run, &store) != PATHS_OK)
		return es_command_fail(&sql.command);
	st = sql_run(store, sql.text, sql.form);
	es_store_close(store);
	return st == PATHS_OK ? PATHS_COMMAND_DONE :
				es_command_fail(&sql.command);
}
