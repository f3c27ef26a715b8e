/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/notes_private.h - the troubles of a gather tree, in a file of
 * the run directory
 */

#ifndef SCOPES_GATHER_NOTES_PRIVATE_H
#define SCOPES_GATHER_NOTES_PRIVATE_H

#include <stdbool.h>

struct es__notes;

/* Begins with the notes of the file, if it exists.  Returns NULL without
   memory. */
struct es__notes *es__notes_open(const char *run);

/* Takes a note, "SUBJECT: TEXT".  It replaces one about the same subject.
   Returns false when it is a note that a subject has no trouble any more. */
bool es__notes_take(struct es__notes *notes, const char *note);

void es__notes_close(struct es__notes *notes);

#endif
