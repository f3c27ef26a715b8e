/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_ahead_private.h - provides the memory of rings before
 * their writers need it
 */

#ifndef COLLECTORS_SPACE_RECORD_AHEAD_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_AHEAD_PRIVATE_H

#include "collectors/space/chunk_private.h"
#include "collectors/space/record_private.h"

/* Returns PATHS_EINVAL if a ring cannot begin with `first` tuples. */
paths_status es__record_ahead_check(const struct es_record_collector *want)
    PATHS_CHECKED;

/* Returns the size of the slots that have memory from the beginning. */
uint64_t es__record_ahead_first(const struct es_record_collector *want);

/* Sets the slots in use of a new ring. */
void es__record_ahead_init(struct es_space_hot *hot,
    const struct es_record_collector *want);

/* Allocates disk space, and touches each page, so that no operation pays for a
   page fault.
   offset	in the file
   at		its address */
paths_status es__record_ahead_provide(const struct es_record *record,
    uint64_t offset, char *at, uint64_t bytes) PATHS_CHECKED;

/* Results of es__record_ahead, the most urgent last. */
enum es__ahead {
	ES__AHEAD_FULL, /* the ring never needs more memory */
	ES__AHEAD_IDLE, /* it needs none now */
	ES__AHEAD_GREW	/* it got some */
};

/* Provides more memory for a ring that may need it before the next call.
   Called by one thread, which does not record.  When there is no memory, the
   rings of the record keep their sizes. */
enum es__ahead es__record_ahead(struct es_record *record,
    struct es__chunks *ring);

#endif
