/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/ending.c - the signals that end processes, and their times
 */

#include "libpaths/launch/ending_private.h"

#include "libpaths/launch/descendants_private.h"

#include <signal.h>

void
launch_ending_in(struct launch_ending *ending, enum launch_ending_step step,
    uint64_t ns)
{
	if (ending->next >= step)
		return;
	ending->next = step;
	ending->due_ns = run_now_ns() + ns;
}

int
launch_ending_signal(struct launch_ending *ending, uint64_t grace_ns)
{
	if (!launch_ending_has_due(ending) || run_now_ns() < ending->due_ns)
		return 0;
	if (ending->next == LAUNCH_ENDING_KILL) {
		ending->next = LAUNCH_ENDING_DONE;
		return SIGKILL;
	}
	launch_ending_in(ending, LAUNCH_ENDING_KILL, grace_ns);
	return SIGTERM;
}
