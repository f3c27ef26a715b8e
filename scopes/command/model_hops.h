/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_hops.h - links between the hosts of a run, in a tree of
 * switches
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_HOPS_H
#define SCOPES_COMMAND_MODEL_HOPS_H

#include "scopes/run.h"

/*
 * es_command_model_hops - count the links between hosts
 *
 * arity	as for es__described_switches
 * links	out: for struct es_model_run_options
 *
 * Returns	PATHS_OK
 *		a status of es__described_switches
 * Ownership	the caller frees *links
 */
paths_status es_command_model_hops(const struct es_run *run, const char *arity,
    uint32_t **links) PATHS_CHECKED;

#endif
