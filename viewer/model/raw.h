/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/raw.h - opens the event spaces of a run
 */

#ifndef VIEWER_MODEL_RAW_H
#define VIEWER_MODEL_RAW_H

#include "viewer/model/model.h"

/*
 * esv__raw_open - opens the event spaces, if they are found
 *
 * Sets run, bases, heads, head_of, stale and raw_missing of the model.
 *
 * Returns	PATHS_OK	also without event spaces; see raw_missing
 *		PATHS_ENOMEM, PATHS_EDAMAGED, PATHS_EIO
 */
paths_status esv__raw_open(struct esv_model *model) PATHS_CHECKED;

/* Frees the run and its conversions of stamps. */
void esv__raw_close(struct esv_model *model);

#endif
