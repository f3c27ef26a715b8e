/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/mirror_private.h - copies the event spaces that batches carry
 * into a run directory
 */

#ifndef SCOPES_GATHER_MIRROR_PRIVATE_H
#define SCOPES_GATHER_MIRROR_PRIVATE_H

#include "scopes/gather/batch_private.h"

struct es__mirror;

/* Takes a text about the tree. */
typedef void es__mirror_note(void *to, const char *text);

/* Begins to copy into a directory, whose name the caller keeps. */
paths_status es__mirror_open(const char *directory, es__mirror_note *note,
    void *to, struct es__mirror **mirror) PATHS_CHECKED;

/* Takes a batch.  more: set to true if there was more than the batch holds.
   Returns PATHS_OK; PATHS_EDAMAGED: it is no batch; PATHS_ENOMEM.  A space that
   cannot be copied is noted and left out. */
paths_status es__mirror_batch(struct es__mirror *mirror, const void *tuple,
    size_t bytes, bool *more) PATHS_CHECKED;

/* Adds the checksums of what was copied. */
void es__mirror_seal(struct es__mirror *mirror);

/* Returns the number of spaces that are copied. */
size_t es__mirror_count(const struct es__mirror *mirror);

/* Closes all copies, which stay. */
void es__mirror_close(struct es__mirror *mirror);

#endif
