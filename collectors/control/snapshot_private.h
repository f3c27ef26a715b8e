/* SPDX-License-Identifier: MIT */
/*
 * collectors/control/snapshot_private.h - copies a live run
 */

#ifndef COLLECTORS_CONTROL_SNAPSHOT_PRIVATE_H
#define COLLECTORS_CONTROL_SNAPSHOT_PRIVATE_H

#include <stdbool.h>

/* Copies a live run to a new, empty directory.  Returns false, after a message,
   if the run has no space or a copy fails; removes the directory if it is still
   empty then. */
bool snapshot_take(const char *run, const char *to);

#endif
