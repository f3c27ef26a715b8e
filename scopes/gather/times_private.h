/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/times_private.h - copies the file with the times at which the
 * frames of a process travelled (libpaths/base/times.h)
 *
 * A source sends the records that a process has added, a mirror writes them to
 * the same places of its own file.  When the process has merged windows, all
 * records of the region are sent again.  Those behind them stay in the copy
 * until others take their places; they were measured, too.
 */

#ifndef SCOPES_GATHER_TIMES_PRIVATE_H
#define SCOPES_GATHER_TIMES_PRIVATE_H

#include "scopes/gather/batch_private.h"

/* The records of a region that were sent. */
struct es__times_region {
	uint32_t sent;
	uint64_t check; /* of the last one */
};

/* The file of a process, which may not be there. */
struct es__times {
	char *file; /* NULL: there is nothing to send */
	struct es__times_region *regions;
	size_t count, room;
	size_t next;  /* region to be looked at */
	bool changed; /* records may have been added */
};

/* Begins to send the times of the process that writes an event space.  Returns
   PATHS_OK or PATHS_ENOMEM. */
paths_status es__times_open(struct es__times *times, const char *space_file)
    PATHS_CHECKED;
void es__times_close(struct es__times *times);

/* Lets the next es__times_put look for new records. */
void es__times_update(struct es__times *times);

/* Appends the records that were added.  Returns true when all were sent. */
bool es__times_put(struct es__times *times, uint64_t space,
    struct es__batch_out *out);

/* Removes what an earlier process of this name has left in a folder of
   copies. */
void es__times_clear(const char *dir, const char *process);

/* Writes the records of a TIMES into a folder of copies, if it can.  Returns
   false if they have no place in such a file. */
bool es__times_write(const char *dir, const char *process,
    const struct es__record *record);

#endif
