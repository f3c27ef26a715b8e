/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/model_private.h - parts of the model of a machine
 */

#ifndef SCOPES_MODEL_MODEL_PRIVATE_H
#define SCOPES_MODEL_MODEL_PRIVATE_H

#include "scopes/model.h"

/* Reports that there is no memory for a model, and returns PATHS_ENOMEM. */
paths_status es__model_no_memory(void);

/* Returns whether a text can be the name of a locality or protocol. */
bool es__model_is_word(const char *word);

#endif
