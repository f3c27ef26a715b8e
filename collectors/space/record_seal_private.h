/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_seal_private.h - a thread that adds checksums to the
 * spaces of this process
 */

#ifndef COLLECTORS_SPACE_RECORD_SEAL_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_SEAL_PRIVATE_H

#include "collectors/space/record_private.h"

/* Adds a record that was opened to those of the thread, and starts the thread
   if there is none.  Without a thread, the checksums are added at the end. */
void es__record_seal_add(struct es_record *record);

/* Removes a record from those of the thread, and ends the thread if no record
   is left. */
void es__record_seal_remove(struct es_record *record);

/* Adds all checksums that are missing: those of tuples that have returned and
   of logs, and the others if the recording has ended.  Does nothing in the
   child of a fork, whose spaces are those of its parent. */
void es__record_seal(struct es_record *record);

/* Marks the recording as going on, so that its words may change. */
void es__record_seal_break(struct es_record *record);

#endif
