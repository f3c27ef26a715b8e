/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/compute_private.h - computes views of a run into a view.db
 */

#ifndef SCOPES_COMMAND_COMPUTE_PRIVATE_H
#define SCOPES_COMMAND_COMPUTE_PRIVATE_H

#include "scopes/command/command.h"
#include "scopes/run.h"

struct es__compute {
	const char *run;   /* directory of the run */
	const char *file;  /* file to write */
	const char *views; /* names with commas between; NULL: all */
	const char *clock; /* method; NULL: the default */
	unsigned jobs;	   /* number of threads; 0: one for each core */
};

/*
 * Computes views of a run.  On PATHS_OK, *run is the opened run, for its
 * diagnostics; the caller calls es_run_close.  Otherwise *run is NULL.  After a
 * signal (interrupt_private.h) it returns PATHS_ECANCELED.
 */
paths_status es__compute_run(const struct es_command *command,
    const struct es__compute *what, struct es_run **run) PATHS_CHECKED;

/* Checks that each name in a list with commas is that of a view or a table. */
paths_status es__compute_check_views(const char *names) PATHS_CHECKED;

#endif
