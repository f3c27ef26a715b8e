/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/travel_private.h - the times that sockets measured between hosts
 */

#ifndef SCOPES_CLOCK_TRAVEL_PRIVATE_H
#define SCOPES_CLOCK_TRAVEL_PRIVATE_H

#include "scopes/clock/clock_private.h"

/*
 * es__clock_travel_find - find the messages that sockets measured
 *
 * Reads the files PROCESS.clock of the run (libpaths/base/times.h): each
 * record is a message there and one back.  Sets the travels of a->clocks, in
 * order of from and to.  A region that is damaged is read up to the damage;
 * runs recorded before have no such files.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	es__clock_fini frees them, also on failure
 */
paths_status es__clock_travel_find(struct es_analysis *a) PATHS_CHECKED;

/* Returns the first of the messages from a domain to another, or NULL; *count:
   their number. */
const struct es__clock_message *
es__clock_travels(const struct es__clocks *clocks, uint32_t from, uint32_t to,
    size_t *count);

#endif
