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

/* Begins to return the batch that is in the memory of the path of a child.  In
   order, the path gets the memory of the batch before, so that it can be asked
   meanwhile.  With the lock held. */
void es__merge_begin(struct merge_child *child);

#endif
