/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/part_private.h - finds and checks the parts added to a space
 */

#ifndef COLLECTORS_SPACE_PART_PRIVATE_H
#define COLLECTORS_SPACE_PART_PRIVATE_H

#include "collectors/space/space_private.h"

/* Returns the part at an offset, or NULL if there is none, or its header is cut
   off or damaged. */
const struct es_space_part *es__part_at(const struct es_space *space,
    uint64_t at);

/* Returns the number of parts that are published.  The rows or the ring of the
   last one may be cut off. */
uint32_t es__part_count(const struct es_space *space);

/* Checks the first part_count parts, and fills in their rings and rows. */
paths_status es__part_check(struct es_space *space) PATHS_CHECKED;

#endif
