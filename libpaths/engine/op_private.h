/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/op_private.h - the engine under paths: down, up
 */

#ifndef LIBPATHS_ENGINE_OP_PRIVATE_H
#define LIBPATHS_ENGINE_OP_PRIVATE_H

#include "libpaths/engine/path_private.h"

#include <stdbool.h>

/* The link that has an operation.  Relaxed: what the stage published orders it
   for whoever resumes the operation, and a cancel that is wrong tries again. */
static inline const struct paths__link *
paths__op_at(const struct paths_op *op)
{
	return atomic_load_explicit(&op->at, memory_order_relaxed);
}

/* Down from a link on, and up again: true when the operation has ended, false
   when it is parked; then nothing of it may be touched. */
bool paths__op_down(struct paths_path *path, const struct paths__link *link);

/* The ups of the link it was parked in and of those above. */
void paths__op_up_from(struct paths_path *path, const struct paths__link *link);

#endif
