/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/seal_private.h - the checksums of the parts of a space that
 * change
 */

#ifndef COLLECTORS_SPACE_SEAL_PRIVATE_H
#define COLLECTORS_SPACE_SEAL_PRIVATE_H

#include "collectors/space_format.h"

/* Return the checksum that the structure has or should have. */
uint32_t es__seal_live(const struct es_space_live *live);
uint32_t es__seal_hot(const struct es_space_hot *hot);
uint32_t es__seal_copy(uint32_t copy, uint64_t heard_ns, uint64_t left_out);
uint32_t es__seal_part(const struct es_space_part *part);

/* Returns the checksum of the tuples of a chunk.  bytes: of one tuple. */
uint32_t es__seal_chunk(uint64_t number, uint32_t count, const void *tuples,
    uint32_t bytes);

/* Returns the checksum of the profile and the matrix of a collector. */
uint32_t es__seal_summary(const struct es_space_ring *place,
    const void *profile, const void *matrix);

/* Returns es_space_part.sealed for the first `used` rows; 0 if they are too
   many. */
uint64_t es__seal_rows(const struct es_space_part *part, uint64_t used);

#endif
