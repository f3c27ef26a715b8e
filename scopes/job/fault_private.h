/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/fault_private.h - fetches pages of other ranks when they are read
 */

#ifndef SCOPES_JOB_FAULT_PRIVATE_H
#define SCOPES_JOB_FAULT_PRIVATE_H

#include "scopes/job/region_private.h"

/* Opens the faults of the regions of a job.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__fault_open(struct es__job *job) PATHS_CHECKED;
void es__fault_close(struct es__job *job);

/* Returns a descriptor that is readable when a page is missing; -1: this kernel
   does not tell, and regions are fetched whole. */
int es__fault_fd(const struct es__job *job);

/* Begins to fetch the pieces of a mapping when they are read, or at once where
   this kernel does not report reads.  Called with the lock.  PATHS_OK;
   PATHS_EIO. */
paths_status es__fault_watch(struct es__job *job, struct es__region *region)
    PATHS_CHECKED;

/* Takes reads of missing pages, and asks for the pieces.  Called by the engine;
   returns whether there were any. */
bool es__fault_progress(struct es__job *job);

/* Takes a piece that has arrived.  Called by the engine; returns false if the
   owner has no such region any more. */
bool es__fault_fill(struct es__job *job, const struct es__control *answer,
    uint8_t *bytes);

#endif
