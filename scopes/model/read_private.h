/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/read_private.h - reads a model from an open file
 */

#ifndef SCOPES_MODEL_READ_PRIVATE_H
#define SCOPES_MODEL_READ_PRIVATE_H

#include "scopes/model.h"

#include <stdio.h>

/* Reads a model from a file, which stays open; as es_model_read.  file: its
   name, for errors. */
paths_status es__model_read_stream(FILE *from, const char *file,
    struct es_model **model) PATHS_CHECKED;

#endif
