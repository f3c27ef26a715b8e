/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/copy_private.h - marks a space as a copy
 */

#ifndef COLLECTORS_SPACE_COPY_PRIVATE_H
#define COLLECTORS_SPACE_COPY_PRIVATE_H

#include "collectors/space_format.h"

/* Writes the members of the live part that only copies have, with the present
   time. */
void es__copy_mark(struct es_space_live *live, enum es_space_copy copy,
    uint64_t left_out);

#endif
