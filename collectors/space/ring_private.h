/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/ring_private.h - finds and checks the parts of one collector
 */

#ifndef COLLECTORS_SPACE_RING_PRIVATE_H
#define COLLECTORS_SPACE_RING_PRIVATE_H

#include "collectors/space/space_private.h"

/* Returns true when `count` items of `bytes` bytes each, from an offset on, lie
   in [from, to) and are aligned to 8 bytes. */
bool es__ring_inside(uint64_t offset, uint64_t count, uint64_t bytes,
    uint64_t from, uint64_t to);

/* Returns the address of a range of bytes of the file, or NULL if a part of it
   is cut off. */
void *es__ring_part(const struct es_space *space, uint64_t offset,
    uint64_t bytes);

/* Returns the size of a struct es_space_ring in this format. */
size_t es__ring_place_bytes(const struct es_space *space);

/* Checks ring n, whose parts must lie in [from, to) of the file, and fills it
   in.  place: its struct es_space_ring.  Reports damage to its counts or rows
   as a line of es_space_damage. */
paths_status es__ring_check(struct es_space *space, uint32_t n,
    const char *place, uint64_t from, uint64_t to) PATHS_CHECKED;

#endif
