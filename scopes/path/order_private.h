/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/order_private.h - finds the writer and the reader of each
 * tuple of an element, and the times of both
 *
 * Writes to an element are ordered by the stop stamps of the collectors nearest
 * to it: write number k made tuple k.  Reads of an element with -take one are
 * ordered in the same way: read number k took tuple k.  This does not hold when
 * an unknown number of operations is missing, or when the element discards
 * tuples; then its reads are not matched with writes.
 */

#ifndef SCOPES_PATH_ORDER_PRIVATE_H
#define SCOPES_PATH_ORDER_PRIVATE_H

#include "scopes/path/merge_private.h"

struct es__order {
	struct es__merge merge;
	struct es__feed *current; /* has tuple number `index`; NULL: no more */
	uint64_t index;
	/* Tuples that were written or taken before this time cannot be
	   numbered. */
	int64_t sure_ns;
};

/* The operations that are numbered. */
enum es__order_of { ES__ORDER_WRITES, ES__ORDER_TAKES };

/*
 * es__order_usable - find whether the writes of an element can be numbered
 *
 * Returns	NULL: they can; else the reason why not
 */
const char *es__order_usable(const struct es_analysis *a, uint32_t element);

/*
 * es__order_writes_wait - find whether writes to an element wait for reads
 *
 * Returns	NULL: they can wait, and all reads can be numbered; "": they
 *		never wait; else the reason why it is unknown
 */
const char *es__order_writes_wait(const struct es_analysis *a,
    uint32_t element);

/* Returns true if each tuple of an element is read once. */
bool es__order_is_taken(const struct es_analysis *a, uint32_t element);

/*
 * es__order_open - begin at the first operation
 *
 * element	usable, and taken if the takes are ordered
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__order_close, also on failure
 */
paths_status es__order_open(struct es__order *order,
    const struct es_analysis *a, uint32_t element, enum es__order_of of)
    PATHS_CHECKED;
void es__order_close(struct es__order *order);

/*
 * es__order_find - find the write or the take of a tuple
 *
 * index	not below that of the last call
 *
 * Returns	the feed that has it: its key is the time of the operation, its
 *		tag the n of es__order_writer or es__order_reader; NULL when it
 *		was not recorded
 */
const struct es__feed *es__order_find(struct es__order *order, uint64_t index);

/*
 * es__order_number - find the number of a tuple in its element, for a tuple
 * that a collector wrote or took
 *
 * tag	the n of es__order_writer or es__order_reader
 * at	number of the operation in its collector, not below that of the last
 *	call
 *
 * Returns	true: order->index is the number; false: it is not certain
 */
bool es__order_number(struct es__order *order, uint32_t tag, uint64_t at);

/* Return the n-th collector that writes to, or reads from, an element, or
   PATHS_NONE past the last. */
uint32_t es__order_writer(const struct es_analysis *a, uint32_t element,
    uint32_t n);
uint32_t es__order_reader(const struct es_analysis *a, uint32_t element,
    uint32_t n);

#define ES__KIND(kind) ((uint64_t)1 << (kind))
#define ES__KINDS_WRITE (ES__KIND(PATHS_WRITE) | ES__KIND(PATHS_EXCHANGE))

#endif
