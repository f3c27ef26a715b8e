/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/scope_main.c - eventspace scope: compute views of a run
 */

#include "scopes/command/command_private.h"

#include "libpaths/log.h"

#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>

static const char help[] =
    "usage: eventspace scope [OPTIONS] RUN\n"
    "\n"
    "Computes views of the run directory RUN and keeps them in RUN/view.db.\n"
    "The run may be under way, or have been killed.\n"
    "\n"
    "  --view V,...      these views only; --view help lists them\n"
    "  --live            again and again, until the run has ended\n"
    "  --interval S      seconds between, with --live; 1\n"
    "  -o, --output FILE keep them in FILE\n"
    "  --clock METHOD    how the clocks of hosts are brought together\n"
    "  --jobs N          threads to use; as many as there are cores\n"
    "  --quiet           say nothing but errors\n"
    "  --help            this text\n";

static const struct option options[] = {
	{ "view", required_argument, NULL, 'v' },
	{ "live", no_argument, NULL, 'l' },
	{ "interval", required_argument, NULL, 'i' },
	{ "output", required_argument, NULL, 'o' },
	{ "clock", required_argument, NULL, 'c' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "about", no_argument, NULL, 'A' },
	{ NULL, 0, NULL, 0 },
};

struct scope {
	struct es_command command;
	struct es__compute what;
	bool live;
	double interval; /* seconds */
};

static int
scope_list(void)
{
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		printf("%-24s %s\n", view->name, view->about);
	return ES_DONE;
}

static int
scope_view(struct scope *scope, const char *names)
{
	if (strcmp(names, "help") == 0)
		return scope_list();
	scope->what.views = names;
	if (es__command_check_views(names) == PATHS_OK)
		return -1;
	return es_command_usage(&scope->command, "%s", paths_log_last());
}

static int
scope_interval(struct scope *scope, const char *word)
{
	char *end;

	scope->interval = strtod(word, &end);
	if (*word != '\0' && *end == '\0' && scope->interval >= 0.001 &&
	    scope->interval <= 86400.0)
		return -1;
	return es_command_usage(&scope->command,
	    "--interval %s: 0.001 to 86400 seconds were expected", word);
}

static int
scope_jobs(struct scope *scope, const char *word)
{
	char *end;
	unsigned long jobs = strtoul(word, &end, 10);

	if (*word >= '0' && *word <= '9' && *end == '\0' && jobs >= 1 &&
	    jobs <= 65536) {
		scope->what.jobs = (unsigned)jobs;
		return -1;
	}
	return es_command_usage(&scope->command,
	    "--jobs %s: a number of threads was expected", word);
}

/* Returns the exit status, or -1: go on. */
static int
scope_option(struct scope *scope, int option, char **argv)
{
	switch (option) {
	case 'v':
		return scope_view(scope, optarg);
	case 'i':
		return scope_interval(scope, optarg);
	case 'j':
		return scope_jobs(scope, optarg);
	case 'l':
		scope->live = true;
		return -1;
	case 'o':
		scope->what.file = optarg;
		return -1;
	case 'c':
		scope->what.clock = optarg;
		return -1;
	default:
		return es_command_option(&scope->command, option, argv);
	}
}

/* Signals wait until it sleeps: one that came just before ends the sleep. */
static void
scope_sleep(double seconds)
{
	struct timespec time = { .tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9) };
	sigset_t all, before;

	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	if (!es__command_caught())
		(void)pselect(0, NULL, NULL, NULL, &time, &before);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Compute once, or until the run has ended or the user has seen enough. */
static int
scope_run(const struct scope *scope)
{
	for (;;) {
		struct es_run *run;
		paths_status st =
		    es__command_compute(&scope->command, &scope->what, &run);
		bool again;
		int status = ES_DONE;

		if (st == PATHS_ECANCELED && scope->live)
			return ES_DONE;
		if (st != PATHS_OK)
			return es_command_fail(&scope->command);
		again =
		    scope->live && es_run_live(run) && !es__command_caught();
		if (!again)
			status = es__command_diagnose(&scope->command, run);
		es_run_close(run);
		if (!again)
			return status;
		scope_sleep(scope->interval);
	}
}

int
main(int argc, char **argv)
{
	struct scope scope = { .interval = 1.0,
		.command = { .verb = "scope",
		    .about = "compute views of a run",
		    .help = help } };
	char file[PATH_MAX];
	int option;

	opterr = 0;
	while (
	    (option = getopt_long(argc, argv, ":o:qh", options, NULL)) != -1) {
		int status = scope_option(&scope, option, argv);

		if (status >= 0)
			return status;
	}
	if (argc - optind != 1)
		return es_command_usage(&scope.command, "one run was expected");
	scope.what.run = argv[optind];
	if (snprintf(file, sizeof(file), "%s/view.db", scope.what.run) >=
	    (int)sizeof(file))
		return es_command_usage(&scope.command, "%.60s...: too long",
		    scope.what.run);
	if (scope.what.file == NULL)
		scope.what.file = file;
	paths_log_name("eventspace scope");
	es__command_catch();
	return scope_run(&scope);
}
