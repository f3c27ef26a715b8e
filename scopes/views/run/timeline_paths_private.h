/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_paths_private.h - the waits of operations on paths,
 * in order
 */

#ifndef SCOPES_VIEWS_RUN_TIMELINE_PATHS_PRIVATE_H
#define SCOPES_VIEWS_RUN_TIMELINE_PATHS_PRIVATE_H

#include "scopes/mpi/wait_log_private.h"
#include "scopes/mpi/wait_pattern_private.h"
#include "scopes/views/view_private.h"

/* Patterns of waits, after those of MPI calls. */
enum {
	ES__TIMELINE_JOIN = ES__WAIT_PATTERNS,
	ES__TIMELINE_READ,
	ES__TIMELINE_WRITE,
	ES__TIMELINE_PATTERNS
};

struct es__timeline_paths {
	struct es__wait_file file;
	struct es__wait_log *logs; /* of each path of the map */
	uint32_t count;
};

/*
 * es__timeline_paths_open - find the waits of all operations on paths
 *
 * They are those of scopes/path/waits_private.h.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EIO
 * Ownership	the caller calls es__timeline_paths_close, also on failure
 */
paths_status es__timeline_paths_open(struct es__timeline_paths *paths,
    const struct es_analysis *a) PATHS_CHECKED;
/* Returns the name of a pattern, as in the table waits_at. */
const char *es__timeline_pattern_name(uint32_t pattern);

void es__timeline_paths_close(struct es__timeline_paths *paths);

#endif
