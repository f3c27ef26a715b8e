/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_model_private.h - the model that is kept with a run, for
 * views
 */

#ifndef SCOPES_VIEWS_VIEW_MODEL_PRIVATE_H
#define SCOPES_VIEWS_VIEW_MODEL_PRIVATE_H

#include "scopes/model.h"
#include "scopes/view.h"

#include <dirent.h>

/* Returns whether an entry is the file of the model, for es__view_files. */
int es__view_model_is_kept(const struct dirent *entry);

/*
 * es__view_model_read - read the model that is kept with a run
 *
 * name		of the file
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	it is no model that can be read
 *		PATHS_ENOENT, PATHS_ENOMEM
 * Ownership	the caller calls es_model_free
 */
paths_status es__view_model_read(const struct es_analysis *a, const char *name,
    struct es_model **model) PATHS_CHECKED;

/* Returns a time in ns, without the digits that sums have lost. */
struct es_value es__view_model_ns(double seconds);

/* Makes a reason to doubt a model a diagnostic of the run `to`. */
void es__view_model_doubt(void *to, const char *text);

#endif
