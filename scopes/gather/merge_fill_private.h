/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/merge_fill_private.h - makes a batch of what the children of a
 * merge hold
 */

#ifndef SCOPES_GATHER_MERGE_FILL_PRIVATE_H
#define SCOPES_GATHER_MERGE_FILL_PRIVATE_H

#include "scopes/gather/merge_private.h"

/* Fills a batch with what the children hold.  With the lock held. */
paths_status es__merge_fill(struct merge *m, struct es__batch_out *out)
    PATHS_CHECKED;

#endif
