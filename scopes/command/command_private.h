/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/command_private.h - how eventspace scope and its like compute
 */

#ifndef SCOPES_COMMAND_COMMAND_PRIVATE_H
#define SCOPES_COMMAND_COMMAND_PRIVATE_H

#include "scopes/command/command.h"
#include "scopes/run.h"

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
paths_status es__command_compute(const struct es_command *command,
    const struct es__compute *what, struct es_run **run) PATHS_CHECKED;

/* Refuse names, with commas between, of which one is no view and no table. */
paths_status es__command_check_views(const char *names) PATHS_CHECKED;

/* From here to there a signal ends es__command_compute; whether one came. */
void es__command_catch(void);
void es__command_let_go(void);
bool es__command_caught(void);

/*
 * Say what to distrust in a run; notes are for those who ask for the view.
 * Returns the exit status: what could not be read at all is a failure, though
 * the rest was.
 */
int es__command_diagnose(const struct es_command *command,
    const struct es_run *run);

#endif
