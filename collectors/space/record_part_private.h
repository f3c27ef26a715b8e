/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_part_private.h - adds parts to a space that is being
 * recorded
 */

#ifndef COLLECTORS_SPACE_RECORD_PART_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_PART_PRIVATE_H

#include "collectors/space/chunk_private.h"
#include "collectors/space/record_private.h"

/* The mapping of an added part. */
struct es__record_added {
	struct es__record_added *previous; /* the part added before this one */
	struct es_space_part *part;
	uint64_t bytes;
	struct es__chunks chunks; /* of a part with a ring */
};

/* Unmaps and frees all parts that were added. */
void es__record_part_free(struct es_record *record);

/* Replaces all mappings of the space by private copies, at the same addresses.
   Called in a forked process, whose stores then do not reach the file.
   fd_valid: the descriptor is that of the file. */
void es__record_part_make_private(struct es_record *record, bool fd_valid);

#endif
