/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/work_deal_private.h - runs independent work on the ranks of a job
 */

#ifndef SCOPES_RUN_WORK_DEAL_PRIVATE_H
#define SCOPES_RUN_WORK_DEAL_PRIVATE_H

#include "scopes/run/work_private.h"

/*
 * es__work_deal - work on the items of this rank, and finish all
 *
 * All ranks call it with the same work.
 *
 * Returns	as es__work_run, or the status of the job, which has failed
 */
paths_status es__work_deal(const struct es__work *work, unsigned threads)
    PATHS_CHECKED;

#endif
