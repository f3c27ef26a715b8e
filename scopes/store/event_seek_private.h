/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_seek_private.h - the tuples of a collector in a range
 */

#ifndef SCOPES_STORE_EVENT_SEEK_PRIVATE_H
#define SCOPES_STORE_EVENT_SEEK_PRIVATE_H

#include "scopes/store/event_plan_private.h"
#include "scopes/store/event_run_private.h"

/* The tuples [n, end) of a collector. */
struct es__event_window {
	uint64_t n;
	uint64_t end;
};

/*
 * Returns true if the start or the seq of the tuples of a collector ascends.
 * Reads all tuples of the collector at its first call.
 *
 * key	EVENT_SEQ or EVENT_START
 */
bool es__event_ascends(struct es__event_run *run, uint32_t collector, int key);

/*
 * Narrows a window to the tuples whose seq or start_ns is in a range.  Returns
 * false, and changes nothing, if these do not ascend, as in damaged files and
 * as seq does where the operations behind a join have different carriers.
 *
 * run	prepared
 */
bool es__event_narrow(struct es__event_run *run, uint32_t collector, int key,
    const struct es__event_range *range, struct es__event_window *window);

#endif
