/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/cores.c - the part of a host's cores that a rank uses
 */

#include "scopes/job/cores_private.h"

#include "scopes/job/member_private.h"

#include <sched.h>

unsigned
es__cores_share(unsigned cores)
{
	struct es__job *job = es__member;
	unsigned share = cores;
	cpu_set_t set;

	if (job == NULL)
		return cores;
	share /= job->neighbours;
	/* Launchers bind each rank to some of the cores. */
	if (sched_getaffinity(0, sizeof(set), &set) == 0 &&
	    (unsigned)CPU_COUNT(&set) < share)
		share = (unsigned)CPU_COUNT(&set);
	return share > 0 ? share : 1;
}
