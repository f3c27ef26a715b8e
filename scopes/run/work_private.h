/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/work_private.h - runs independent work on all cores, with results
 * in order
 *
 * Any thread works on an item; the caller finishes the items one by one, in
 * order.  So views do not depend on the number of threads, and only a few
 * results are in memory at a time.
 *
 * In a job, the items of work with `reads` are dealt to the ranks; each gets
 * the results of the others and finishes all items, so all ranks go on with
 * the same state.  Other work is done by every rank.
 */

#ifndef SCOPES_RUN_WORK_PRIVATE_H
#define SCOPES_RUN_WORK_PRIVATE_H

#include "scopes/job/pack_private.h"

#include "libpaths/status.h"
#include "scopes/run.h"

#include <stddef.h>

struct es__work {
	size_t count;	     /* items */
	size_t result_bytes; /* of the largest; not cleared before work */
	void *context;
	paths_status (*work)(void *context, size_t item, void *result);
	/* Finishes an item; NULL: there is nothing to do. */
	paths_status (*done)(void *context, size_t item, void *result);

	/* For jobs.  Returns the tuples that an item reads most, or NULL; they
	   are where a rank is chosen that has them.  NULL: work on an item
	   changes more than pack puts. */
	const void *(*reads)(const void *context, size_t item);
	/* Put what work on an item has changed, and take it on another rank.
	   NULL: that is the result, which has no pointers. */
	void (*pack)(const void *context, size_t item, struct es__pack *pack);
	void (*unpack)(void *context, size_t item, struct es__pack *pack);
};

/* Returns the first tuple of a collector, for `reads`; NULL: it has none. */
static inline const void *
es__work_tuples(const struct es_collector *collector)
{
	return collector->count == 0 ? NULL : es_collector_tuple(collector, 0);
}

/*
 * es__work_run - work on all items
 *
 * After a failure no further item is begun.
 *
 * threads	number of threads, with the caller; at least 1
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM	there is no memory for one result
 *		the status of the lowest item that failed
 */
paths_status es__work_run(const struct es__work *work, unsigned threads)
    PATHS_CHECKED;

#endif
