/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_exit_private.h - the exit status in an event space
 */

#ifndef COLLECTORS_SPACE_RECORD_EXIT_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_EXIT_PRIVATE_H

#include "collectors/space/record_private.h"

/* Adds a record that was opened: when the process exits, its exit status is
   written into the space. */
void es__record_exit_add(struct es_record *record);

/* Takes over the descriptor of a record that is being closed, until the process
   exits or the next record is closed. */
void es__record_exit_keep(struct es_record *record);

#endif
