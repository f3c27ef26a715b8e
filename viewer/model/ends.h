/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/ends.h - tells of a compared run that it died or hung
 */

#ifndef VIEWER_MODEL_ENDS_H
#define VIEWER_MODEL_ENDS_H

#include "viewer/model/model.h"

/*
 * esv_ends_read - tell how a compared run ended, if it did not end by itself
 *
 * name	of the run, for the text
 * text	out: one or more sentences, or NULL
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the error of a query
 * Ownership	the caller frees the text
 */
paths_status esv_ends_read(struct esv_model *model, const char *name,
    char **text) PATHS_CHECKED;

#endif
