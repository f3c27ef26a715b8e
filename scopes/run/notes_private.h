/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/notes_private.h - what a gather tree could not copy, as
 * diagnostics of a run
 */

#ifndef SCOPES_RUN_NOTES_PRIVATE_H
#define SCOPES_RUN_NOTES_PRIVATE_H

/* The file of a run directory: lines "SUBJECT: TEXT". */
#define ES__NOTES_FILE "gather.notes"

/* The text of a subject that has no trouble any more. */
#define ES__NOTES_OVER "answers again"

struct es_run;

/* Adds the lines of the file to the diagnostics, if spaces of the run are
   copies or missing. */
void es__notes_diagnose(struct es_run *run);

#endif
