/* SPDX-License-Identifier: MIT */
/*
 * libpaths/thread.h - a thread of a path map
 */

#ifndef LIBPATHS_THREAD_H
#define LIBPATHS_THREAD_H

#include "libpaths/status.h"

#include <stdint.h>

struct paths_program;
struct paths_thread;

/*
 * paths_thread_open - be a thread of the map, on the core the map says
 *
 * Binds the calling thread to its core.  A core that this machine does not
 * have is a warning, not an error.
 *
 * name		a thread of this process
 * thread	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	this process has no such thread
 *		PATHS_EBUSY	somebody else is that thread already
 *		PATHS_ENOMEM
 * Ownership	the caller calls paths_thread_close
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API paths_status paths_thread_open(struct paths_program *program,
    const char *name, struct paths_thread **thread) PATHS_CHECKED;

/*
 * paths_thread_close - end a thread of the map and close its open paths
 *
 * Returns	nothing
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API void paths_thread_close(struct paths_thread *thread);

/*
 * paths_thread_step - say which step of the program the thread is in
 *
 * Every operation the thread starts from now on is recorded with this number.
 *
 * Returns	nothing
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API void paths_thread_step(struct paths_thread *thread, uint32_t step);

#endif
