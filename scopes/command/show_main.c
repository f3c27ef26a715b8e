/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/show_main.c - eventspace show: prints views of a run
 */

#include "scopes/command/interrupt_private.h"
#include "scopes/command/live_private.h"
#include "scopes/command/plugins.h"
#include "scopes/command/store.h"
#include "scopes/show/changes.h"
#include "scopes/show/page.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_DEFAULT UINT64_MAX
#define TIME_DEFAULT UINT64_MAX

/* The view that the options of time are for. */
#define TIMED_VIEW "waits_at"

struct show {
	struct es_command command;
	struct es_show show;
	struct es__live live;
	const char *view;
	uint64_t limit;
	uint64_t at_ns, from_ns, to_ns;
	char arguments[64];
};

static const struct paths_command_option show_options[] = {
	ES_SHOW_FORM_OPTIONS(struct show, show.form),
	{ "limit", 0, "N",
	    "greatest number of rows, 0 for all; default 50, and all with "
	    "--csv and --json",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct show, limit, COUNT, 0, INT64_MAX) },
	{ "at", 0, "TIME",
	    "with view " TIMED_VIEW ": the time, such as 1.25s or 300us", 0,
	    PATHS_COMMAND_TO_NUMBER(struct show, at_ns, TIME, 0, INT64_MAX) },
	{ "from", 0, "TIME", "with view " TIMED_VIEW ": begin of an interval",
	    0,
	    PATHS_COMMAND_TO_NUMBER(struct show, from_ns, TIME, 0, INT64_MAX) },
	{ "to", 0, "TIME", "its end", 0,
	    PATHS_COMMAND_TO_NUMBER(struct show, to_ns, TIME, 0, INT64_MAX) },
	ES__LIVE_OPTIONS(struct show, live, ES_SHOW_FORM_GROUP),
	ES_COMMAND_PLUGIN(struct show, command.plugins),
	PATHS_COMMAND_QUIET(struct show, command.quiet),
};

static const struct paths_command_operand show_operands[] = {
	{ "RUN", false, PATHS_COMMAND_TO_OPERAND(struct show, show.run) },
	{ "VIEW", true, PATHS_COMMAND_TO_OPERAND(struct show, view) },
};

static const struct paths_command show_command = {
	.verb = "show",
	.about = "views of a run in the terminal",
	.usage = "[OPTIONS] RUN [VIEW]",
	.text = "Without VIEW, prints a summary of a run: its size, what "
		"stands out, warnings,\nand a list of the views.  With VIEW, "
		"prints the table of this view.\nRUN is a run directory or a "
		"view.db.",
	PATHS_COMMAND_OPTIONS(show_options),
	PATHS_COMMAND_OPERANDS(show_operands),
};

/* Prints a view, or the first page.  Returns the exit status. */
static int
show_run(struct show *show)
{
	paths_status st;

	if (show->view == NULL)
		st = es__page_show(&show->show);
	else
		st = es__show_check(&show->show, show->view);
	if (show->view != NULL && st == PATHS_ENOENT)
		return paths_command_wrong("show", "%s", paths_log_last());
	if (show->view != NULL && st == PATHS_OK)
		st = es__show_view(&show->show, show->view);
	return st == PATHS_OK ? PATHS_COMMAND_DONE :
				es_command_fail(&show->command);
}

/* Prints a view of a store into a text that the caller frees.  Returns the exit
   status. */
static int
show_text(struct show *show, char **text)
{
	size_t bytes;
	int status = PATHS_COMMAND_DONE;
	bool whole;

	*text = NULL;
	show->show.out = open_memstream(text, &bytes);
	whole = show->show.out != NULL;
	if (whole) {
		status = show_run(show);
		whole = fclose(show->show.out) == 0;
	}
	if (whole || status != PATHS_COMMAND_DONE)
		return status;
	(void)paths_log_fail(PATHS_ENOMEM, "no memory for a text");
	return es_command_fail(&show->command);
}

/* Shows the present state of a run.  live: out, true if it goes on.  Returns
   the exit status. */
static int
show_now(struct show *show, struct es_changes *changes, bool *live)
{
	/* Computing is no news when it is repeated. */
	struct es_command silent = { show->command.verb, true,
		show->command.plugins };
	paths_status st =
	    es_command_store(&silent, show->show.run, &show->show.store);
	char *text;
	int status;

	*live = false;
	if (st == PATHS_ECANCELED)
		return PATHS_COMMAND_DONE;
	if (st != PATHS_OK)
		return es_command_fail(&show->command);
	*live = es_command_is_live(show->show.store);
	status = show_text(show, &text);
	es_store_close(show->show.store);
	if (status == PATHS_COMMAND_DONE &&
	    es_changes_show(changes, text) != PATHS_OK)
		status = es_command_fail(&show->command);
	free(text);
	return status;
}

/* Shows a view until the run ends or a signal arrives. */
static int
show_live(struct show *show)
{
	struct es_changes changes = { .out = stdout };
	bool live;
	int status;

	es__interrupt_catch();
	if (es__live_begin(&show->live, &show->command, show->show.run) !=
	    PATHS_OK)
		return es_command_fail(&show->command);
	for (;;) {
		status = show_now(show, &changes, &live);
		if (status != PATHS_COMMAND_DONE || !live ||
		    es__interrupt_caught())
			break;
		es__live_sleep(&show->live);
	}
	es__live_end(&show->live);
	if (es_changes_end(&changes) != PATHS_OK &&
	    status == PATHS_COMMAND_DONE)
		status = es_command_fail(&show->command);
	if (status == PATHS_COMMAND_DONE && !es__interrupt_caught())
		es_command_note(&show->command, "%s: has ended",
		    show->show.run);
	return status;
}

/* Makes the arguments of the view from the options of time.  Returns the exit
   status, or PATHS_COMMAND_GO_ON. */
static int
show_times(struct show *show)
{
	bool at = show->at_ns != TIME_DEFAULT;
	bool from = show->from_ns != TIME_DEFAULT;
	bool to = show->to_ns != TIME_DEFAULT;

	if (!at && !from && !to)
		return PATHS_COMMAND_GO_ON;
	if (show->view == NULL || strcmp(show->view, TIMED_VIEW) != 0)
		return paths_command_wrong("show",
		    "%s is for the view " TIMED_VIEW,
		    at	     ? "--at" :
			from ? "--from" :
			       "--to");
	if (at && (from || to))
		return paths_command_wrong("show",
		    "--at and --%s: one excludes the other",
		    from ? "from" : "to");
	if (at)
		show->from_ns = show->to_ns = show->at_ns;
	else if (!from)
		show->from_ns = 0;
	else if (to && show->to_ns < show->from_ns)
		return paths_command_wrong("show", "--to: earlier than --from");
	snprintf(show->arguments, sizeof(show->arguments), "(%llu, %llu)",
	    (unsigned long long)show->from_ns,
	    (unsigned long long)(at || to ? show->to_ns : INT64_MAX));
	show->show.arguments = show->arguments;
	return PATHS_COMMAND_GO_ON;
}

int
main(int argc, char **argv)
{
	struct show show = { .limit = LIMIT_DEFAULT,
		.at_ns = TIME_DEFAULT,
		.from_ns = TIME_DEFAULT,
		.to_ns = TIME_DEFAULT,
		.show = { .form = ES_SHOW_TEXT, .out = stdout },
		.live.interval_ns = ES__LIVE_INTERVAL_NS,
		.command.verb = "show" };
	int status = paths_command_read(&show_command, &show, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = show_times(&show);
	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&show.command);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	if (show.live.map != NULL && !show.live.on)
		return paths_command_wrong("show", "--tree needs --live");
	if (show.limit == LIMIT_DEFAULT)
		show.limit = show.show.form == ES_SHOW_TEXT ? ES_SHOW_LIMIT : 0;
	show.show.limit = show.limit == 0 ? -1 : (int64_t)show.limit;
	if (show.live.on)
		return show_live(&show);
	if (es_command_store(&show.command, show.show.run, &show.show.store) !=
	    PATHS_OK)
		return es_command_fail(&show.command);
	status = show_run(&show);
	es_store_close(show.show.store);
	return status;
}
