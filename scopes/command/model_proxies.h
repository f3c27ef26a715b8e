/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_proxies.h - prints the operations of a run through
 * proxies under a model
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_PROXIES_H
#define SCOPES_COMMAND_MODEL_PROXIES_H

#include "scopes/model_run.h"
#include "scopes/show/show.h"

struct es_command_model_proxies {
	const struct es_model *model;
	const struct paths_map *map;
	const struct es_model_proxies *proxies;
	enum es_show_form form;
};

/* Prints the report on standard output. */
paths_status es_command_model_proxies(
    const struct es_command_model_proxies *report) PATHS_CHECKED;

#endif
