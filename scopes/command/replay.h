/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/replay.h - opens a run to predict it
 *
 * Compiled into eventspace whatif and advise.
 */

#ifndef SCOPES_COMMAND_REPLAY_H
#define SCOPES_COMMAND_REPLAY_H

#include "scopes/command/command.h"
#include "scopes/show/overload.h"
#include "scopes/whatif.h"

#include <stdio.h>

/* A run with the names of its call sites. */
struct es_command_replay {
	const char *name; /* of the run, as the user gave it */
	const char *clock;
	struct es_run *run;
	struct es_analysis *analysis;
	struct es_whatif *whatif;
	char **places; /* by site; NULL: without a name */
	size_t place_count, place_room;
	struct es_overload overload;
	char *ends; /* lines about deaths and hangs; NULL: none */
	char *lack; /* sentence about waiting that the activity graph lacks;
		       NULL: it lacks none */
	bool lacks_most; /* it lacks more than half of the waiting */
};

/*
 * Opens the run of replay->name.  The names of call sites are those of its
 * view.db, which is computed first if it is missing or older than the run.  The
 * caller calls es_command_replay_close, also on failure.
 */
paths_status es_command_replay_open(const struct es_command *command,
    struct es_command_replay *replay) PATHS_CHECKED;

void es_command_replay_close(struct es_command_replay *replay);

/* Prints deaths and hangs, how far a prediction can be trusted, and if the
   machine was overloaded.  Returns whether it can be trusted. */
bool es_command_replay_drift(const struct es_command_replay *replay, FILE *out);

/* Prints the choices that are kept as they were. */
void es_command_replay_frozen(const struct es_command_replay *replay,
    FILE *out);

#endif
