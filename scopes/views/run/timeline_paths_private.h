/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_paths_private.h - the waits of operations on paths,
 * in order
 */

#ifndef SCOPES_VIEWS_RUN_TIMELINE_PATHS_PRIVATE_H
#define SCOPES_VIEWS_RUN_TIMELINE_PATHS_PRIVATE_H

#include "scopes/mpi/wait_log_private.h"
#include "scopes/views/view_private.h"

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
void es__timeline_paths_close(struct es__timeline_paths *paths);

#endif
