/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_replay.h - replays a run with messages of another
 * machine
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_REPLAY_H
#define SCOPES_COMMAND_MODEL_REPLAY_H

#include "scopes/model_run.h"
#include "scopes/whatif.h"

#include <stdio.h>

struct es_command_model_replay {
	const struct es_model *here, *there;
	const struct es_model_run_options *options_here, *options_there;
	enum es_model_kind kind;
	FILE *out; /* for the reason of an unknown answer */

	/* The answer.  Its rest is set only if the run can be replayed: it has
	   a graph, the drift is small enough, and both models know all
	   messages. */
	bool known;
	/* Length of the run, and means of the ranks. */
	double before_ns, after_ns;
	struct es_whatif_thread before, after;
};

/* Replays a run, each message of which travels longer by the difference of its
   costs by two models.  PATHS_OK, or a status of es_whatif_open. */
paths_status es_command_model_replay(struct es_analysis *analysis,
    struct es_command_model_replay *replay) PATHS_CHECKED;

#endif
