/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_calls_private.h - counts the rows of `event` in a window
 * of tuples
 */

#ifndef SCOPES_STORE_EVENT_CALLS_PRIVATE_H
#define SCOPES_STORE_EVENT_CALLS_PRIVATE_H

#include "scopes/store/event_run_private.h"

/* Returns the number of operations and MPI calls among the tuples [from, to) of
   a collector.  For MPI, reads all tuples of the collector at its first
   call. */
uint64_t es__event_calls(struct es__event_run *run, uint32_t collector,
    uint64_t from, uint64_t to);

/* Frees the counts of a run. */
void es__event_calls_forget(struct es__event_run *run);

#endif
