/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/engine_private.h - the thread that makes all calls of MPI
 */

#ifndef SCOPES_JOB_ENGINE_PRIVATE_H
#define SCOPES_JOB_ENGINE_PRIVATE_H

#include "scopes/job/member_private.h"

/*
 * es__engine_start - join the job
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	the thread or MPI could not be started
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__engine_end
 */
paths_status es__engine_start(struct es__job *job) PATHS_CHECKED;

/* Leaves the job: waits until all ranks have ended.  own_status and own_text
   of the job are set. */
void es__engine_end(struct es__job *job);

#endif
