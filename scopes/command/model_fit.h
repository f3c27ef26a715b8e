/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_fit.h - fits a model to samples from a CSV file
 *
 * Compiled into eventspace model.
 */

#ifndef SCOPES_COMMAND_MODEL_FIT_H
#define SCOPES_COMMAND_MODEL_FIT_H

#include "scopes/model.h"

/*
 * es_command_model_fit - fit both methods to the samples of each locality
 *
 * The first line of the file is "locality,bytes,ppn,seconds".  The order of
 * localities is that of their first samples.
 *
 * model	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT, PATHS_EIO	the file cannot be read
 *		PATHS_ESYNTAX	a line is no sample
 *		PATHS_EINVAL	a locality has too few samples
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_free
 */
paths_status es_command_model_fit(const char *file, struct es_model **model)
    PATHS_CHECKED;

#endif
