/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/order_private.h - who wrote which tuple of an element, and when
 *
 * Writes to an element are in the order of the stop stamps of the collectors
 * nearest to it.  Number k of them is tuple k, unless operations are missing
 * of which it is not known how many were writes, or the element has discarded
 * tuples: then its reads are not matched with writes.
 */

#ifndef SCOPES_PATH_ORDER_PRIVATE_H
#define SCOPES_PATH_ORDER_PRIVATE_H

#include "scopes/path/merge_private.h"

struct es__order {
	struct es__merge merge;
	struct es__feed *now; /* the tuple `index`; NULL: none left */
	uint64_t index;
	int64_t sure_ns; /* earlier tuples have no certain number */
};

/*
 * es__order_usable - whether the writes of an element can be numbered
 *
 * Returns	NULL: they can; else why not
 */
const char *es__order_usable(const struct es_analysis *a, uint32_t element);

/*
 * es__order_fills - whether writes to an element wait for its readers
 *
 * Returns	NULL: they may, and all reads can be numbered; "": they never
 *		do; else why it cannot be told
 */
const char *es__order_fills(const struct es_analysis *a, uint32_t element);

/*
 * es__order_open - begin at the first write
 *
 * element	usable
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__order_close, also on failure
 */
paths_status es__order_open(struct es__order *order,
    const struct es_analysis *a, uint32_t element) PATHS_CHECKED;
void es__order_close(struct es__order *order);

/*
 * es__order_find - the write of a tuple; indices asked for ascend
 *
 * Returns	the feed that has it, its key the time when it was written, its
 *		tag the number of the writer as es__order_writer knows it;
 *		NULL when it was not recorded
 */
const struct es__feed *es__order_find(struct es__order *order, uint64_t index);

/*
 * es__order_number - the number of a writer's own tuple
 *
 * tag	the writer's
 * at	its tuple's number in its collector; those asked for ascend
 *
 * Returns	true: order->index is the tuple's; false: it is not certain
 */
bool es__order_number(struct es__order *order, uint32_t tag, uint64_t at);

/* The n-th collector that writes to, or reads from, an element; NONE past the
   last. */
uint32_t es__order_writer(const struct es_analysis *a, uint32_t element,
    uint32_t n);
uint32_t es__order_reader(const struct es_analysis *a, uint32_t element,
    uint32_t n);

#define ES__KIND(kind) ((uint64_t)1 << (kind))
#define ES__KINDS_WRITE (ES__KIND(PATHS_WRITE) | ES__KIND(PATHS_EXCHANGE))

#endif
