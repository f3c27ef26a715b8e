/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/live_private.h - reads and checks the live part of a space
 */

#ifndef COLLECTORS_SPACE_LIVE_PRIVATE_H
#define COLLECTORS_SPACE_LIVE_PRIVATE_H

#include "collectors/space/space_private.h"

/* Checks the live part; sets `sealed` and `live_damaged`. */
paths_status es__live_check(struct es_space *space) PATHS_CHECKED;

/* Returns the latest clock pair, or the first one when no other exists. */
struct paths_clock_pair es__live_latest(const struct es_space *space);

/* Returns the exit status of the process; -1: unknown. */
int32_t es__live_exit_status(const struct es_space *space);

/* The members of the live part that only copies have. */
struct es__live_copy {
	enum es_space_copy copy;
	uint64_t heard_ns, left_out;
};

/* Returns them; zeros for a space that is no copy. */
struct es__live_copy es__live_copy(const struct es_space *space);

#endif
