/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/member.c - this process as a member of a job
 */

#include "scopes/job/member_private.h"

#include <stdio.h>
#include <unistd.h>

struct es__job *es__member;

void
es__member_wake(struct es__job *job)
{
	/* Fails only when the engine is to be woken already. */
	(void)!write(job->wake, &(uint64_t){ 1 }, sizeof(uint64_t));
}

void
es__member_fail(struct es__job *job, paths_status st, const char *text)
{
	if (job->failed != PATHS_OK)
		return;
	job->failed = st;
	snprintf(job->text, sizeof(job->text), "%s", text);
}
