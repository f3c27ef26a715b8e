/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_file.h - reads the file of a model that a user names
 */

#ifndef SCOPES_COMMAND_MODEL_FILE_H
#define SCOPES_COMMAND_MODEL_FILE_H

#include "scopes/model.h"

/* Reads a model.  A name without a slash that is no file here is also looked up
   in the folder of models.  Returns as es_model_read. */
paths_status es_command_model_read(const char *name, struct es_model **model)
    PATHS_CHECKED;

#endif
