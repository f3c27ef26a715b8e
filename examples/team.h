/* SPDX-License-Identifier: MIT */
/*
 * examples/team.h - the threads of one process of a path map
 *
 * Every process of an example runs the same program.  The map assigns the
 * threads t0, t1, ... to processes; team_run starts a pthread for each thread
 * of this process.
 *
 * A team that fails prints one line and ends its process at once.  Operations
 * of other processes that wait for it then fail, too.  So no function here
 * returns an error.
 */

#ifndef EXAMPLES_TEAM_H
#define EXAMPLES_TEAM_H

#include "libpaths/path.h"

/* A thread of the map. */
struct team_member {
	struct paths_thread *thread;
	uint32_t number; /* 3 for the map's thread t3 */
	uint32_t count;	 /* number of threads in all processes */
	const void *job; /* argument of team_run */
};

typedef void team_work(struct team_member *me);

/*
 * team_run - run the threads of the process that `eventspace run` started
 *
 * name		name of the program, for messages
 * work		function that each thread runs
 * job		passed to each thread
 *
 * Returns	when all threads of this process have returned from `work`
 *		and no other process needs this one any more
 * Threads	one
 * Since	0.1
 */
void team_run(const char *name, team_work *work, const void *job);

/*
 * team_open - open this thread's path to an element
 *
 * element	name of the element, as for printf
 *
 * Returns	the path
 * Ownership	the thread's; closed with the thread
 * Threads	the member's
 * Since	0.1
 */
struct paths_path *team_open(const struct team_member *me, const char *element,
    ...) PATHS_PRINTF(2, 3);

/*
 * team_check - end the process if an operation failed
 *
 * Returns	nothing
 * Threads	the member's
 * Since	0.1
 */
void team_check(const struct team_member *me, const struct paths_path *path,
    paths_status st);

/*
 * team_fail - print a message and end the process
 *
 * Returns	never
 * Threads	the member's; only the first message of a process is printed
 * Since	0.1
 */
_Noreturn void team_fail(const struct team_member *me, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * team_clock_s - the monotonic time, for measuring durations
 *
 * Returns	seconds since an arbitrary time in the past
 * Threads	any
 * Since	0.1
 */
double team_clock_s(void);

#endif
