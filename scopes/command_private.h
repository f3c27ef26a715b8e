/* SPDX-License-Identifier: MIT */
/*
 * scopes/command_private.h - what eventspace scope, show and sql share
 */

#ifndef SCOPES_COMMAND_PRIVATE_H
#define SCOPES_COMMAND_PRIVATE_H

#include "scopes/run.h"
#include "scopes/store.h"

/* The exit status of every command. */
#define ES__DONE 0
#define ES__FAILED 1
#define ES__USAGE 2

struct es__command {
	const char *verb;
	const char *about; /* one line */
	const char *help;  /* "usage: ..." and what the options mean */
	bool quiet;
};

/* Say why the last call failed.  Returns ES__FAILED. */
int es__command_fail(const struct es__command *command);

/* Say what is wrong with the command line.  Returns ES__USAGE. */
int es__command_usage(const struct es__command *command, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Say something the user may want to know, unless quiet. */
void es__command_note(const struct es__command *command, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * The option getopt_long came back with, where every command means the same:
 * 'h' help, 'A' about, 'q' quiet.  Returns the exit status, or -1: go on.
 */
int es__command_option(struct es__command *command, int option, char **argv);

/* What to compute of a run, and where to keep it. */
struct es__compute {
	const char *run;   /* the directory */
	const char *file;  /* of the result */
	const char *views; /* names with commas between; NULL: all */
	const char *clock; /* a method; NULL: the usual one */
	unsigned jobs;	   /* threads; 0: as many as cores */
};

/*
 * Compute views of a run.  The run is lent out for its diagnostics: the caller
 * calls es_run_close.  SIGINT, SIGTERM and SIGHUP end it, then *run is NULL and
 * PATHS_ECANCELED comes back.
 */
paths_status es__command_compute(const struct es__command *command,
    const struct es__compute *what, struct es_run **run) PATHS_CHECKED;

/* Refuse names, with commas between, of which one is no view and no table. */
paths_status es__command_check_views(const char *names) PATHS_CHECKED;

/* From here to there a signal ends es__command_compute; whether one came. */
void es__command_catch(void);
void es__command_let_go(void);
bool es__command_caught(void);

/*
 * Open what was computed of a run, after computing it where that was not done
 * since the run was.  run: a run directory, or a view.db itself.
 */
paths_status es__command_store(const struct es__command *command,
    const char *run, struct es_store **store) PATHS_CHECKED;

#endif
