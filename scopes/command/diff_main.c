/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/diff_main.c - eventspace diff: compares two runs
 */

#include "scopes/command/plugins.h"
#include "scopes/command/store.h"
#include "scopes/diff.h"
#include "scopes/finding.h"
#include "scopes/show/diff_table.h"
#include "scopes/show/table_private.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <string.h>

#define LIMIT_DEFAULT UINT64_MAX

/* Rows of the table of activities below the threads. */
#define FRONT_ROWS 10

struct diff {
	struct es_command command;
	const char *runs[2];
	const char *by; /* NULL: threads and activities */
	enum es_show_form form;
	uint64_t limit; /* rows of a table */
};

/* Table of the causes that the sentence names. */
#define BY_CAUSE "cause"

static paths_status
diff_by_check(const char *word)
{
	if (es_diff_by_name(word) >= 0 || strcmp(word, BY_CAUSE) == 0)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "\"%s\" is none of cause, thread, activity, function, site, phase "
	    "and step",
	    word);
}

static const struct paths_command_option diff_options[] = {
	{ "by", 0, "WHAT",
	    "table by cause, thread, activity, function, site, phase or step",
	    0, PATHS_COMMAND_TO_CHECKED(struct diff, by, diff_by_check) },
	ES_SHOW_FORM_OPTIONS(struct diff, form),
	{ "limit", 0, "N",
	    "greatest number of rows, 0 for all; default 50, and all with "
	    "--csv and --json",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct diff, limit, COUNT, 0, INT64_MAX) },
	ES_COMMAND_PLUGIN(struct diff, command.plugins),
	PATHS_COMMAND_QUIET(struct diff, command.quiet),
};

static const struct paths_command_operand diff_operands[] = {
	{ "RUN1", false, PATHS_COMMAND_TO_OPERAND(struct diff, runs[0]) },
	{ "RUN2", false, PATHS_COMMAND_TO_OPERAND(struct diff, runs[1]) },
};

static const struct paths_command diff_command = {
	.verb = "diff",
	.about = "why a run takes longer than another one",
	.usage = "[OPTIONS] RUN1 RUN2",
	.text = "Compares two runs: a sentence names the code that makes RUN2 "
		"longer, and tables\nshow how the time of each thread "
		"differs.\nA run is a run directory or a view.db.",
	PATHS_COMMAND_OPTIONS(diff_options),
	PATHS_COMMAND_OPERANDS(diff_operands),
};

static paths_status
cause_row(const struct diff *diff, struct es__table *table,
    const struct es_diff_cause *c)
{
	char texts[2][ES__DIFF_TABLE_BYTES];
	bool all = c->loop == NULL || c->first > c->last;

	return es__table_row(table,
	    (struct es_value[]){ ES_STR(es__diff_table_kind(c->kind)),
		ES_STR(c->who), ES_STR(c->where),
		es__diff_table_time(diff->form, c->ns, true, texts[0]),
		es__diff_table_time(diff->form, c->share_ns, true, texts[1]),
		c->loop == NULL ? ES_NIL : ES_STR(c->loop),
		all ? ES_NIL : ES_INT(c->first),
		all ? ES_NIL : ES_INT(c->last) });
}

/* Prints the causes. */
static paths_status
diff_cause_table(const struct diff *diff, const struct es_diff *d)
{
	static const char *const names[] = { "kind", "threads", "place",
		"each_ns", "share_ns", "loop", "first", "last" };
	const struct es_diff_cause *cause;
	const unsigned columns = sizeof(names) / sizeof(*names);
	struct es__table *table;
	paths_status st = es__table_open(stdout, diff->form, columns, &table);

	if (st != PATHS_OK)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < columns; n++) {
		const char *name = names[n];

		if (diff->form == ES_SHOW_TEXT && (n == 3 || n == 4))
			name = n == 3 ? "each" : "share";
		st = es__table_name(table, n, name);
	}
	for (size_t n = 0;
	     st == PATHS_OK && (cause = es_diff_cause(d, n)) != NULL; n++)
		st = cause_row(diff, table, cause);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

/* Prints a table with its first rows. */
static paths_status
diff_table(const struct diff *diff, struct es_diff *d, const char *by,
    uint64_t limit)
{
	return es__diff_table_write(&(struct es__diff_table){ stdout,
					diff->form, diff->runs, limit },
	    d, (enum es_diff_by)es_diff_by_name(by));
}

/* Prints the table that the user asks for. */
static paths_status
diff_by(const struct diff *diff, struct es_diff *d, const char *by)
{
	return strcmp(by, BY_CAUSE) == 0 ? diff_cause_table(diff, d) :
					   diff_table(diff, d, by, diff->limit);
}

/* A run whose end is told. */
struct end {
	const char *name;
	bool told;
};

static paths_status
end_print(void *to, const struct es_finding *finding)
{
	struct end *end = to;

	printf("%s: %s\n", end->name, finding->text);
	end->told = true;
	return PATHS_OK;
}

/* Prints whether runs died or hung. */
static paths_status
diff_ends(const struct diff *diff, struct es_store *const stores[2])
{
	paths_status st = PATHS_OK;

	for (unsigned n = 0;
	     diff->form == ES_SHOW_TEXT && st == PATHS_OK && n < 2; n++) {
		struct end end = { diff->runs[n], false };

		st = es_finding_ends(stores[n], end_print, &end);
		if (end.told)
			printf("%s did not end by itself: it is compared up to "
			       "then.\n\n",
			    end.name);
	}
	return st;
}

/* Prints sentences, and tables below them. */
static paths_status
diff_print(const struct diff *diff, struct es_diff *d)
{
	const char *note;
	paths_status st;

	if (diff->form != ES_SHOW_TEXT)
		return diff_by(diff, d,
		    diff->by == NULL ? "activity" : diff->by);
	puts(es_diff_text(d));
	for (size_t n = 0; (note = es_diff_note(d, n)) != NULL; n++)
		puts(note);
	putchar('\n');
	if (diff->by != NULL)
		return diff_by(diff, d, diff->by);
	st = diff_table(diff, d, "thread", diff->limit);
	putchar('\n');
	return st == PATHS_OK ?
	    diff_table(diff, d, "activity",
		diff->limit < FRONT_ROWS ? diff->limit : FRONT_ROWS) :
	    st;
}

/* Returns the exit status. */
static int
diff_run(struct diff *diff)
{
	struct es_store *stores[2] = { NULL, NULL };
	struct es_diff *d = NULL;
	paths_status st =
	    es_command_store(&diff->command, diff->runs[0], &stores[0]);

	if (st == PATHS_OK)
		st =
		    es_command_store(&diff->command, diff->runs[1], &stores[1]);
	if (st == PATHS_OK)
		st = es_diff_open(stores, diff->runs, &d);
	if (st == PATHS_OK)
		st = diff_ends(diff, stores);
	if (st == PATHS_OK)
		st = diff_print(diff, d);
	es_diff_close(d);
	es_store_close(stores[0]);
	es_store_close(stores[1]);
	return st == PATHS_OK ? PATHS_COMMAND_DONE :
				es_command_fail(&diff->command);
}

int
main(int argc, char **argv)
{
	struct diff diff = { .form = ES_SHOW_TEXT,
		.limit = LIMIT_DEFAULT,
		.command.verb = "diff" };
	int status = paths_command_read(&diff_command, &diff, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&diff.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (diff.limit == LIMIT_DEFAULT)
		diff.limit = diff.form == ES_SHOW_TEXT ? ES_SHOW_LIMIT : 0;
	if (diff.limit == 0)
		diff.limit = UINT64_MAX;
	return diff_run(&diff);
}
