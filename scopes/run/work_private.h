/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/work_private.h - runs independent work on all cores, with results
 * in order
 *
 * Any thread works on an item; the caller finishes the items one by one, in
 * order.  So views do not depend on the number of threads, and only a few
 * results are in memory at a time.
 */

#ifndef SCOPES_RUN_WORK_PRIVATE_H
#define SCOPES_RUN_WORK_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>

struct es__work {
	size_t count;	     /* items */
	size_t result_bytes; /* of the largest; not cleared before work */
	void *context;
	paths_status (*work)(void *context, size_t item, void *result);
	/* Finishes an item; NULL: there is nothing to do. */
	paths_status (*done)(void *context, size_t item, void *result);
};

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
