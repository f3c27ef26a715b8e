/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/readers_private.h - finds who read which tuple of an element, and
 * when
 */

#ifndef SCOPES_PATH_READERS_PRIVATE_H
#define SCOPES_PATH_READERS_PRIVATE_H

#include "scopes/clock/walk_private.h"

/* The reads of one reader, in order. */
struct es__reader {
	struct es__lane lane;
	uint64_t count; /* number of reads before lane.at */
	bool pure;	/* its sequence numbers count only reads */
};

struct es__readers {
	struct es__reader *readers;
	uint32_t count;
};

/*
 * es__readers_open - begin at the first reads
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__readers_close, also on failure
 */
paths_status es__readers_open(struct es__readers *readers,
    const struct es_analysis *a, uint32_t element) PATHS_CHECKED;
void es__readers_close(struct es__readers *readers);

/*
 * es__readers_find - the last read of a tuple
 *
 * index	number of the tuple, not below that of the last call
 * ns		out: time of the read
 *
 * Returns	the reader, as n of es__order_reader; PATHS_NONE when a read of
 *		the tuple was not recorded
 */
uint32_t es__readers_find(struct es__readers *readers, uint64_t index,
    int64_t *ns);

/* Returns the time of the first read of a tuple that was recorded; INT64_MAX:
   there is none.  index: as for es__readers_find. */
int64_t es__readers_first(struct es__readers *readers, uint64_t index);

#endif
