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

/* The directories of copies, whose names the caller keeps. */
struct es__mirror_to {
	const char *copies;
	const char *run;  /* in which they get names, too; NULL: none */
	const char *only; /* the process whose space is kept; NULL: copies of
			     all are made */
};

/* Begins to copy. */
paths_status es__mirror_open(const struct es__mirror_to *directories,
    es__mirror_note *note, void *to, struct es__mirror **mirror) PATHS_CHECKED;

/* Takes a batch.  more: set to true if there was more than the batch holds.
   Returns PATHS_OK; PATHS_EDAMAGED: it is no batch; PATHS_ENOMEM.  A space that
   cannot be copied is noted and left out. */
paths_status es__mirror_batch(struct es__mirror *mirror, const void *tuple,
    size_t bytes, bool *more) PATHS_CHECKED;

/* Adds the checksums of what was copied. */
void es__mirror_seal(struct es__mirror *mirror);

/* Gives copies their names in the run, where those of another tree, which has
   ended, have them.  For about one call in a second. */
void es__mirror_publish(struct es__mirror *mirror);

/* Notes that no more comes, because the processes are gone. */
void es__mirror_end(struct es__mirror *mirror);

/* Returns the number of spaces that are copied. */
size_t es__mirror_count(const struct es__mirror *mirror);

/* Closes all copies, which stay. */
void es__mirror_close(struct es__mirror *mirror);

#endif
