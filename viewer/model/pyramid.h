/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/pyramid.h - reads the shape of the timeline's pyramid
 */

#ifndef VIEWER_MODEL_PYRAMID_H
#define VIEWER_MODEL_PYRAMID_H

#include "viewer/model/model.h"

/* Fills the pyramid of each row, and model->bucket_ns, buckets and levels. */
paths_status esv__pyramid_read(struct esv_model *model) PATHS_CHECKED;

#endif
