/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_file_private.h - takes disk space for an event-space
 * file
 */

#ifndef COLLECTORS_SPACE_RECORD_FILE_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_FILE_PRIVATE_H

#include "collectors/space/record_private.h"

/* Takes disk space for [from, from + bytes), so that a full disk is an error
   here and not a signal later. */
paths_status es__record_file_allocate(const struct es_record *record,
    uint64_t from, uint64_t bytes) PATHS_CHECKED;

#endif
