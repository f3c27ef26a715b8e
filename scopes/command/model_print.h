/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_print.h - prints the model of a machine
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_PRINT_H
#define SCOPES_COMMAND_MODEL_PRINT_H

#include "scopes/model.h"
#include "scopes/show/show.h"

/* Prints a model: sentences for people, and a table of its segments. */
paths_status es_command_model_print(const struct es_model *model,
    enum es_show_form form) PATHS_CHECKED;

/* Warns on `out` if the machine changed while it was measured. */
void es_command_model_drift(const struct es_model *model, FILE *out);

#endif
