/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/log_private.h - the steps of a graph in a file
 */

#ifndef SCOPES_GRAPH_LOG_PRIVATE_H
#define SCOPES_GRAPH_LOG_PRIVATE_H

#include "scopes/graph/graph_private.h"

/*
 * es__graph_log_open - make an empty log
 *
 * dir		as for es__spool_open
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller calls es__graph_log_close, also on failure
 */
paths_status es__graph_log_open(const char *dir, struct es__graph_log *log)
    PATHS_CHECKED;

/* log		all zeros: nothing happens */
void es__graph_log_close(struct es__graph_log *log);

/* Ends writing; the log is then read.  PATHS_OK; PATHS_EIO. */
paths_status es__graph_log_finish(struct es__graph_log *log) PATHS_CHECKED;

/*
 * es__graph_log_read - read the block that begins or ends at a byte
 *
 * at		moved to the other end of the block
 * backward	the block ends there
 * steps	out, room for ES__GRAPH_BLOCK
 *
 * Returns	the count of its steps
 */
uint32_t es__graph_log_read(const struct es__graph_log *log, uint64_t *at,
    bool backward, struct es__graph_step *steps);

#endif
