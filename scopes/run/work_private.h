/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/work_private.h - independent work on all cores, results in order
 *
 * Items are worked on by any thread and finished one after the other, in
 * order, by the caller.  So views come out the same whatever the number of
 * threads, and memory is that of a few results, however many items there are.
 */

#ifndef SCOPES_RUN_WORK_PRIVATE_H
#define SCOPES_RUN_WORK_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>

struct es__work {
	size_t count;	     /* items */
	size_t result_bytes; /* of the largest; work finds what was there */
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
 * threads	how many work, the caller included; at least 1
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM	not even one result has room
 *		the failure of the lowest item that failed
 */
paths_status es__work_run(const struct es__work *work, unsigned threads)
    PATHS_CHECKED;

#endif
