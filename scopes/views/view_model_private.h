/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_model_private.h - the model that is kept with a run, for
 * views
 */

#ifndef SCOPES_VIEWS_VIEW_MODEL_PRIVATE_H
#define SCOPES_VIEWS_VIEW_MODEL_PRIVATE_H

#include "scopes/model.h"
#include "scopes/view.h"

/* View of the model that is kept with a run. */
struct es__view_model {
	const char *view; /* its name */
	/* Passes the rows to the sink.  PATHS_EDAMAGED: as of struct
	   es__view_files. */
	paths_status (*show)(struct es_analysis *a, struct es_sink *sink,
	    const struct es_model *model);
};

/*
 * es__view_model_show - show the model that is kept with a run
 *
 * A file that is no model becomes a diagnostic.  Without a file there are no
 * rows.
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		an error of show other than PATHS_EDAMAGED
 */
paths_status es__view_model_show(struct es_analysis *a, struct es_sink *sink,
    const struct es__view_model *view) PATHS_CHECKED;

/* Returns a time in ns, without the digits that sums have lost. */
struct es_value es__view_model_ns(double seconds);

/* Makes a reason to doubt a model a diagnostic of the run `to`. */
void es__view_model_doubt(void *to, const char *text);

#endif
