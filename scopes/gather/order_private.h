/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/order_private.h - merges tuples of batches in the order of time
 */

#ifndef SCOPES_GATHER_ORDER_PRIVATE_H
#define SCOPES_GATHER_ORDER_PRIVATE_H

#include "scopes/gather/known_private.h"

/* The tuples of a RUN or a MIX that are still to be taken. */
struct es__order_stream {
	struct es__batch batch;
	const struct es__record *record;
	struct es__batch_part part; /* its first tuple is the next */
	const struct es__known_space *space;
	uint32_t owner;
	uint32_t source; /* in the MIX that is being written; of a stream that
			    has ended: 1 + the next such stream, or 0 */
	uint32_t mix;	 /* number of that MIX */
};

/* An entry of the heap. */
struct es__order_next {
	uint64_t ns; /* start of the next tuple of the stream */
	uint32_t stream;
};

/* A record without tuples, which comes before all tuples.  whole: NULL if it is
   only `head`. */
struct es__order_other {
	const struct es__record *whole;
	struct es__record head;
};

/* All zeros at first. */
struct es__order {
	struct es__known known;
	struct es__order_stream *streams;
	size_t stream_count, stream_room;
	uint32_t ended; /* 1 + the first stream that has ended, or 0 */
	struct es__order_next *heap;
	size_t heap_count, heap_room;
	struct es__order_other *others;
	size_t other_count, other_room, other_done;
	struct es__batch_source *sources; /* of the MIX being written */
	size_t source_count, source_room;
	uint32_t mix;
	uint32_t *active; /* of each owner: streams that have tuples */
	size_t active_room;
};

/* Adds the records of a batch, which must stay until they are taken.  more: set
   to true if the batch had a MORE record.  Streams of one owner number are
   counted together. */
paths_status es__order_add(struct es__order *order, uint32_t owner,
    const void *tuple, size_t bytes, bool *more) PATHS_CHECKED;

/* Returns true when all records that were added are taken. */
bool es__order_is_empty(const struct es__order *order);

/* Returns true when the owner has tuples that are not taken. */
bool es__order_has(const struct es__order *order, uint32_t owner);

/*
 * Appends the records, then the tuples in the order of their start, until the
 * batch is full, or until an owner for which wanted[] is true has no more:
 * its next tuples may belong before those of the others.
 */
paths_status es__order_take(struct es__order *order, struct es__batch_out *out,
    const bool *wanted) PATHS_CHECKED;

void es__order_fini(struct es__order *order);

#endif
