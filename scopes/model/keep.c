/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/keep.c - keeps a model in the directory of a run
 */

#include "scopes/model/model_private.h"

#include "scopes/model_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns whether a file has a model with this text. */
static bool
keep_is_same(const char *file, const char *text)
{
	struct es_model *kept = NULL;
	char *its = NULL;
	struct stat about;
	size_t bytes;
	/* The read of a pipe would wait. */
	bool same = stat(file, &about) == 0 && S_ISREG(about.st_mode) &&
	    es_model_read(file, &kept) == PATHS_OK &&
	    es_model_text(kept, &its, &bytes) == PATHS_OK &&
	    strcmp(its, text) == 0;

	free(its);
	es_model_free(kept);
	return same;
}

paths_status
es_model_keep(const struct es_model *model, const char *dir)
{
	char *file = NULL, *text = NULL;
	size_t bytes;
	paths_status st = es_model_text(model, &text, &bytes);

	if (st == PATHS_OK && asprintf(&file, "%s/" ES_MODEL_KEPT, dir) < 0) {
		file = NULL;
		st = es__model_no_memory();
	}
	if (st == PATHS_OK && !keep_is_same(file, text))
		st = es_model_write(model, file);
	free(file);
	free(text);
	return st;
}
