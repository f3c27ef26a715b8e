/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/notes_private.h - the troubles of a gather tree, in a file of
 * the run directory
 */

#ifndef SCOPES_GATHER_NOTES_PRIVATE_H
#define SCOPES_GATHER_NOTES_PRIVATE_H

/*
 * Takes a note, "SUBJECT: TEXT", into the file of a directory.  It replaces one
 * about the same subject, or removes it when the subject has no trouble any
 * more.  Several trees may write to the same file.
 */
void es__notes_take(const char *directory, const char *note);

#endif
