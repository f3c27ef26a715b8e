/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/fit_private.h - makes the model from what was measured
 */

#ifndef SCOPES_CALIBRATE_FIT_PRIVATE_H
#define SCOPES_CALIBRATE_FIT_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Change of the reference above which the model is in doubt. */
#define ES__FIT_DRIFT 0.1

/*
 * es__fit_model - make the model, apart from its drift
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the samples cannot be fitted
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_free
 */
paths_status es__fit_model(const struct es__calibrate *c,
    struct es_model **model) PATHS_CHECKED;

#endif
