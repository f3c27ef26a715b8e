/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_slot_private.h - lets one process at a time write the
 * event space of a name
 */

#ifndef COLLECTORS_SPACE_RECORD_SLOT_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_SLOT_PRIVATE_H

#include "collectors/space/record_private.h"

/* Returns PATHS_EBUSY if a process writes the space r->file, else PATHS_OK. */
paths_status es__record_slot_check(const struct es_record *r) PATHS_CHECKED;

/* Locks the space at `temporary` and renames it to r->file.  It replaces only a
   space that no process writes.  Returns PATHS_OK, PATHS_EBUSY or PATHS_EIO. */
paths_status es__record_slot_take(struct es_record *r, const char *temporary)
    PATHS_CHECKED;

/* Closes the lock of a space, if it has one. */
void es__record_slot_release(struct es_record *r);

#endif
