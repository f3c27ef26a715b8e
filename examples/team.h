/* SPDX-License-Identifier: MIT */
/*
 * examples/team.h - the threads of one process of a path map
 *
 * Every process of an example runs the same program.  The map says which
 * threads t0, t1, ... of all there are live in this process; team_run starts
 * each as a thread of its own and lets it work.
 *
 * A team that fails says why, in one line, and ends its process at once: the
 * threads it was talking to, wherever they are, learn that it is gone, and
 * fail in their turn.  So nothing here returns an error.
 */

#ifndef EXAMPLES_TEAM_H
#define EXAMPLES_TEAM_H

#include "libpaths/path.h"

/* A thread of the map at work. */
struct team_member {
	struct paths_thread *thread;
	uint32_t number; /* 3 for the map's thread t3 */
	uint32_t count;	 /* of all threads in all processes */
	const void *job; /* as team_run was given it */
};

typedef void team_work(struct team_member *me);

/*
 * team_run - be the process that `eventspace run` says, with its threads
 *
 * name		of the program, for messages
 * work		what each thread does
 * job		handed to each
 *
 * Returns	when every thread of this process has done its work, and the
 *		other processes need this one no more
 * Threads	one
 * Since	0.1
 */
void team_run(const char *name, team_work *work, const void *job);

/*
 * team_open - take up this thread's path to an element
 *
 * element	its name, as for printf
 *
 * Returns	the path
 * Ownership	the thread's; closed with it
 * Threads	the member's
 * Since	0.1
 */
struct paths_path *team_open(const struct team_member *me, const char *element,
    ...) PATHS_PRINTF(2, 3);

/*
 * team_check - end the process unless an operation ended well
 *
 * Returns	nothing
 * Threads	the member's
 * Since	0.1
 */
void team_check(const struct team_member *me, const struct paths_path *path,
    paths_status st);

/*
 * team_fail - say why, and end the process
 *
 * Returns	never
 * Threads	the member's; only the first of a process is heard
 * Since	0.1
 */
_Noreturn void team_fail(const struct team_member *me, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * team_clock_s - the time now, for measuring
 *
 * Returns	seconds since some moment in the past
 * Threads	any
 * Since	0.1
 */
double team_clock_s(void);

#endif
