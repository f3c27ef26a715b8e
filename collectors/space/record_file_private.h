/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_file_private.h - allocates disk space for an
 * event-space file
 */

#ifndef COLLECTORS_SPACE_RECORD_FILE_PRIVATE_H
#define COLLECTORS_SPACE_RECORD_FILE_PRIVATE_H

#include "collectors/space/record_private.h"

/* Returns true if the descriptor is still that of the file: the program may
   have closed it and opened another file. */
bool es__record_file_is_same(const struct es__record_file *file);

/* Sets the size of the file; a new part of it is sparse.  Returns PATHS_OK,
   PATHS_EFULL or PATHS_EIO. */
paths_status es__record_file_resize(const struct es_record *record,
    uint64_t bytes) PATHS_CHECKED;

/* Allocates disk space for the bytes [from, from + bytes) of the file.  A full
   disk is then an error here, and not a SIGBUS when a thread records.  On
   failure the file may have grown.  Returns PATHS_OK, PATHS_EFULL or
   PATHS_EIO. */
paths_status es__record_file_allocate(const struct es_record *record,
    uint64_t from, uint64_t bytes) PATHS_CHECKED;

#endif
