/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/cost_private.h - the time of messages and phases under a model
 */

#ifndef SCOPES_MODEL_COST_PRIVATE_H
#define SCOPES_MODEL_COST_PRIVATE_H

#include "scopes/model.h"

/* Returns the segments of a method; of the other one where it was not used. */
const struct es_model_segments *
es__model_segments(const struct es_model_locality *locality,
    enum es_model_fit fit);

/* Returns the segment of a size; NULL: there is none. */
const struct es_model_segment *
es__model_segment(const struct es_model_segments *segments, uint64_t bytes);

/* Returns the time of a process, without contention. */
struct es_model_cost es__model_process(const struct es_model *model,
    enum es_model_fit fit, enum es_model_kind kind,
    const struct es_model_process *process);

#endif
