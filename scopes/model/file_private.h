/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/file_private.h - words of the file of a model
 */

#ifndef SCOPES_MODEL_FILE_PRIVATE_H
#define SCOPES_MODEL_FILE_PRIVATE_H

#include "scopes/model/model_private.h"

#define ES__MODEL_FILE_MAGIC "eventspace-model"
#define ES__MODEL_FILE_VERSION "1"

/* A text of a model and its word in the file. */
struct es__model_text {
	const char *word;
	size_t at; /* in struct es_model */
};

extern const struct es__model_text es__model_texts[];
extern const size_t es__model_text_count;

/* Words by enum es_model_queue, and by enum es_model_fit. */
extern const char *const es__model_queues[ES_MODEL_QUEUE_PEERS + 1];
extern const char *const es__model_fits[ES_MODEL_FITS];

#endif
