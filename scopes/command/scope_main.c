/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/scope_main.c - eventspace scope: computes views of a run
 */

#include "scopes/command/compute_private.h"
#include "scopes/command/diagnose_private.h"
#include "scopes/command/interrupt_private.h"
#include "scopes/command/live_private.h"
#include "scopes/command/plugins.h"
#include "scopes/job.h"
#include "scopes/plugin.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SCOPE_JOBS_MOST 65536

struct scope {
	struct es_command command;
	struct es__compute what;
	struct es__live live;
	uint64_t jobs;
};

static const struct paths_command_option scope_options[] = {
	{ "view", 0, "V,...",
	    "views to compute, with commas between them, or \"help\" for a "
	    "list; default all",
	    0, PATHS_COMMAND_TO_WORD(struct scope, what.views) },
	ES__LIVE_OPTIONS(struct scope, live, 0),
	{ "output", 'o', "FILE", "file for the views; default RUN/view.db", 0,
	    PATHS_COMMAND_TO_WORD(struct scope, what.file) },
	ES_COMMAND_CLOCK(struct scope, what.clock),
	{ "jobs", 0, "N", "number of threads; default that of the cores", 0,
	    PATHS_COMMAND_TO_NUMBER(struct scope, jobs, COUNT, 1,
		SCOPE_JOBS_MOST) },
	ES_COMMAND_PLUGIN(struct scope, command.plugins),
	PATHS_COMMAND_QUIET(struct scope, command.quiet),
};

static const struct paths_command_operand scope_operands[] = {
	{ "RUN", true, PATHS_COMMAND_TO_OPERAND(struct scope, what.run) },
};

static const struct paths_command scope_command = {
	.verb = "scope",
	.about = "compute views of a run",
	.usage = "[OPTIONS] RUN\n--view help",
	.text = "Computes views of the run directory RUN and keeps them in "
		"RUN/view.db.\nThe run may be under way, or have been killed.",
	PATHS_COMMAND_OPTIONS(scope_options),
	PATHS_COMMAND_OPERANDS(scope_operands),
};

static int
scope_list(void)
{
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++) {
		printf("%-24s %s", view->name, view->about);
		if (es_plugin_name(view) != NULL)
			printf(" (plugin %s)", es_plugin_name(view));
		putchar('\n');
	}
	return PATHS_COMMAND_DONE;
}

/* Returns the number of tuples that were recorded. */
static uint64_t
scope_count(const struct es_run *run)
{
	const struct es_collector *c;
	uint64_t tuples = 0;

	for (uint32_t n = 0; (c = es_run_collector(run, n)) != NULL; n++)
		tuples += c->count + c->discarded;
	return tuples;
}

/* Prints the number of tuples of a live run if it has changed. */
static void
scope_note(const struct scope *scope, const struct es_run *run,
    uint64_t *tuples)
{
	uint64_t now = scope_count(run);
	char text[PATHS_UNIT_TEXT_BYTES];

	if (now != *tuples)
		es_command_note(&scope->command, "%s: %s tuples",
		    scope->what.run,
		    paths_unit_text(PATHS_UNIT_WHOLE, (double)now, text));
	*tuples = now;
}

/* Computes once, or with --live until the run ends or a signal arrives. */
static int
scope_compute(const struct scope *scope)
{
	uint64_t tuples = 0;

	for (;;) {
		struct es_run *run;
		paths_status st =
		    es__compute_run(&scope->command, &scope->what, &run);
		bool again;
		int status = PATHS_COMMAND_DONE;

		if (st == PATHS_ECANCELED && scope->live.on)
			return PATHS_COMMAND_DONE;
		/* Rank 0 knows the failures of all ranks. */
		if (es_job_rank() > 0)
			return PATHS_COMMAND_DONE;
		if (st != PATHS_OK)
			return es_command_fail(&scope->command);
		again = scope->live.on && es_run_live(run) &&
		    !es__interrupt_caught();
		if (scope->live.on)
			scope_note(scope, run, &tuples);
		if (!again)
			status = es__diagnose_print(&scope->command, run);
		es_run_close(run);
		if (!again)
			return status;
		es__live_sleep(&scope->live);
	}
}

static int
scope_run(struct scope *scope)
{
	int status;

	if (!scope->live.on)
		return scope_compute(scope);
	if (es__live_begin(&scope->live, &scope->command, scope->what.run) !=
	    PATHS_OK)
		return es_command_fail(&scope->command);
	status = scope_compute(scope);
	es__live_end(&scope->live);
	return status;
}

/* Joins the job of a launcher.  Returns the exit status, or
   PATHS_COMMAND_GO_ON. */
static int
scope_join(const struct scope *scope)
{
	paths_status st;

	if (es_job_open() != PATHS_OK) {
		/* All ranks miss the same plugin: the launcher ends the others
		   when rank 0 has said so. */
		if (es_job_rank() > 0)
			(void)sleep(1);
		return es_command_fail(&scope->command);
	}
	if (es_job_size() == 1 || !scope->live.on)
		return PATHS_COMMAND_GO_ON;
	st = es_job_end(
	    paths_log_fail(PATHS_EINVAL, "--live is not for mpirun or srun"));
	return st == PATHS_OK || es_job_rank() > 0 ?
	    PATHS_COMMAND_DONE :
	    paths_command_wrong("scope", "%s", paths_log_last());
}

/* Checks the command line.  Returns the exit status, or PATHS_COMMAND_GO_ON. */
static int
scope_check(struct scope *scope)
{
	static char file[PATH_MAX];
	const char *views = scope->what.views;

	if (views != NULL && strcmp(views, "help") == 0)
		return scope_list();
	if (views != NULL && es__compute_check_views(views) != PATHS_OK)
		return paths_command_wrong("scope", "--view %s",
		    paths_log_last());
	if (scope->what.run == NULL)
		return paths_command_wrong("scope", "RUN is missing");
	if (scope->live.map != NULL && !scope->live.on)
		return paths_command_wrong("scope", "--tree needs --live");
	if (snprintf(file, sizeof(file), "%s/view.db", scope->what.run) >=
	    (int)sizeof(file))
		return paths_command_wrong("scope", "%.60s...: too long",
		    scope->what.run);
	if (scope->what.file == NULL)
		scope->what.file = file;
	return PATHS_COMMAND_GO_ON;
}

int
main(int argc, char **argv)
{
	struct scope scope = { .live.interval_ns = ES__LIVE_INTERVAL_NS,
		.command.verb = "scope" };
	int status = paths_command_read(&scope_command, &scope, argc, argv);

	if (status == PATHS_COMMAND_GO_ON)
		status = es_command_plugins(&scope.command);
	if (status == PATHS_COMMAND_GO_ON)
		status = scope_check(&scope);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	scope.what.jobs = (unsigned)scope.jobs;
	paths_log_name("eventspace scope");
	/* Until then signals end the process, as its launcher may want. */
	status = scope_join(&scope);
	if (status != PATHS_COMMAND_GO_ON)
		return status;
	es__interrupt_catch();
	return scope_run(&scope);
}
