/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/waiting_private.h - the threads that the other threads wait for
 */

#ifndef SCOPES_DIFF_WAITING_PRIVATE_H
#define SCOPES_DIFF_WAITING_PRIVATE_H

#include "scopes/diff/diff_private.h"

#include <stdio.h>

/* Finds the threads for which those wait longer that are no cause.  caused: by
   number of the text of a thread.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__diff_waiting(struct es_diff *d, const bool *caused)
    PATHS_CHECKED;

/* Writes the end of a sentence about the causes. */
void es__diff_waiting_write(FILE *out, const struct es_diff *d);

#endif
