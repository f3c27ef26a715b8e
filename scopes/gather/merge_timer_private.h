/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/merge_timer_private.h - the thread of a merge that ends late
 * reads
 */

#ifndef SCOPES_GATHER_MERGE_TIMER_PRIVATE_H
#define SCOPES_GATHER_MERGE_TIMER_PRIVATE_H

#include "scopes/gather/merge_private.h"

/* Starts the thread.  late is called with the lock of the merge held, when a
   read waits at the time that was armed. */
paths_status es__merge_timer_open(struct merge *m,
    void (*late)(struct merge *m)) PATHS_CHECKED;

/* Makes the thread call `late` after wait_ns.  With the lock held. */
void es__merge_timer_arm(struct merge *m);

void es__merge_timer_close(struct merge *m);

#endif
