/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/sample_private.h - errors of a fit on its samples
 */

#ifndef SCOPES_MODEL_SAMPLE_PRIVATE_H
#define SCOPES_MODEL_SAMPLE_PRIVATE_H

#include "scopes/model/model_private.h"

/* Returns PATHS_OK; PATHS_EINVAL: a sample is not possible. */
paths_status es__model_samples_check(const struct es_model_sample *samples,
    size_t count) PATHS_CHECKED;

/* Returns the time of a message in a segment. */
double es__model_segment_s(const struct es_model_segment *segment, double bytes,
    uint32_t ppn);

/* Sets the errors of all segments on samples.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__model_errors(struct es_model_segments *segments,
    const struct es_model_sample *samples, size_t count) PATHS_CHECKED;

/* Frees segments, and leaves none. */
void es__model_segments_clear(struct es_model_segments *segments);

#endif
