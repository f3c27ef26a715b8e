/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_elsewhere.h - prints the cost of messages under two
 * models
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_ELSEWHERE_H
#define SCOPES_COMMAND_MODEL_ELSEWHERE_H

#include "scopes/command/model_replay.h"
#include "scopes/model_run.h"
#include "scopes/show/show.h"

struct es_command_model_elsewhere {
	/* The same run under two models: rows are of the same ranks and
	   phases. */
	const struct es_model_run *here, *there;
	const struct es_command_model_replay *replay;
	enum es_show_form form;
	enum es_model_kind kind; /* as in struct es_command_model_report */
};

/* Prints the comparison on standard output. */
paths_status es_command_model_elsewhere(
    const struct es_command_model_elsewhere *elsewhere) PATHS_CHECKED;

#endif
