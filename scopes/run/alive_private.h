/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/alive_private.h - finds whether the process of a space is alive
 */

#ifndef SCOPES_RUN_ALIVE_PRIVATE_H
#define SCOPES_RUN_ALIVE_PRIVATE_H

#include "collectors/space.h"

enum es__alive {
	ES__ALIVE_NO,
	ES__ALIVE_YES,
	ES__ALIVE_UNKNOWN /* it ran on another host, or before this one was
			     started */
};

/*
 * es__alive - find whether the process that wrote a space is alive
 *
 * A process id alone does not tell: another process may have it, here or on
 * another host.
 *
 * Returns	the answer
 */
enum es__alive es__alive(const struct es_space_info *info);

/* A process is alive if its copy was updated within this time. */
#define ES__ALIVE_SILENCE_NS INT64_C(5000000000)

/* Returns the time since a copy was updated. */
int64_t es__alive_silence_ns(const struct es_space_info *info);

#endif
