/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/ending_private.h - the signals that end processes, and their
 * times
 */

#ifndef LIBPATHS_LAUNCH_ENDING_PRIVATE_H
#define LIBPATHS_LAUNCH_ENDING_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* The signal that comes next.  NOT: no time is set; DONE: all were sent. */
enum launch_ending_step {
	LAUNCH_ENDING_NOT,
	LAUNCH_ENDING_TERM,
	LAUNCH_ENDING_KILL,
	LAUNCH_ENDING_DONE
};

struct launch_ending {
	enum launch_ending_step next;
	uint64_t due_ns; /* time of TERM or KILL */
};

/* Sets the next signal and its time, unless the next signal is this one or a
   later one already. */
void launch_ending_in(struct launch_ending *ending,
    enum launch_ending_step step, uint64_t ns);

static inline bool
launch_ending_has_due(const struct launch_ending *ending)
{
	return ending->next == LAUNCH_ENDING_TERM ||
	    ending->next == LAUNCH_ENDING_KILL;
}

/* Returns the signal that is to be sent now, or 0.  After SIGTERM, SIGKILL
   follows in the time grace_ns. */
int launch_ending_signal(struct launch_ending *ending, uint64_t grace_ns);

#endif
