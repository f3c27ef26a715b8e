/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_report.h - prints the messages of a run under a model
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_REPORT_H
#define SCOPES_COMMAND_MODEL_REPORT_H

#include "scopes/model_run.h"
#include "scopes/show/show.h"

struct es_command_model_report {
	const struct es_model *model;
	const struct es_model_run *run;
	enum es_show_form form;
	/* The kind whose parts are printed; ES_MODEL_KINDS: streams if
	   they were measured, else queues. */
	enum es_model_kind kind;
};

/* Prints the report on standard output. */
paths_status es_command_model_report(
    const struct es_command_model_report *report) PATHS_CHECKED;

#endif
