/* SPDX-License-Identifier: MIT */
/*
 * libpaths/op_private.h - the engine under paths: down, up
 */

#ifndef LIBPATHS_OP_PRIVATE_H
#define LIBPATHS_OP_PRIVATE_H

#include "libpaths/op.h"

#include <stdbool.h>

/* Down from a link on, and up again: true when the operation has ended, false
   when it is parked; then nothing of it may be touched. */
bool paths__op_down(struct paths_path *path, uint32_t at);

/* The ups of the link it was parked in and of those above. */
void paths__op_up_from(struct paths_path *path, uint32_t at);

#endif
