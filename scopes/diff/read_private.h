/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/read_private.h - reads the times of a run for a comparison
 */

#ifndef SCOPES_DIFF_READ_PRIVATE_H
#define SCOPES_DIFF_READ_PRIVATE_H

#include "scopes/diff/diff_private.h"

/* Reads a run. */
paths_status es__diff_read(struct es_diff *d, struct es_store *store,
    unsigned run) PATHS_CHECKED;

/* Adds a time of a run to an entry, which is made if it is new. */
paths_status es__diff_add(struct es_diff *d, unsigned run,
    const struct es__diff_entry *entry) PATHS_CHECKED;

#endif
