/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/descendants_private.h - ends the descendants of this process
 */

#ifndef LIBPATHS_LAUNCH_DESCENDANTS_PRIVATE_H
#define LIBPATHS_LAUNCH_DESCENDANTS_PRIVATE_H

#include <stdint.h>

/* Returns the time of a clock that is never set. */
uint64_t run_now_ns(void);

/*
 * Ends all descendants: SIGTERM, and SIGKILL after the time grace_ns.  Returns
 * when none is left, except processes of other users, which cannot be
 * signalled.  The caller is a subreaper and blocks SIGCHLD.
 */
void run_descendants_end(uint64_t grace_ns);

#endif
