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
 * paths_thread_open - make the calling thread a thread of the map
 *
 * Binds it to the core that the map gives it.  A core that this machine does
 * not have is a warning, not an error.
 *
 * name		a thread of this process
 * thread	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	this process has no such thread
 *		PATHS_EBUSY	it has been opened before
 * Ownership	the caller calls paths_thread_close
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API paths_status paths_thread_open(struct paths_program *program,
    const char *name, struct paths_thread **thread) PATHS_CHECKED;

/*
 * paths_thread_close - close the paths of a thread of the map
 *
 * thread	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API void paths_thread_close(struct paths_thread *thread);

/*
 * paths_thread_step - set the step of the program that the thread is in
 *
 * Collectors record this number with each operation that the thread starts
 * later.
 *
 * Returns	nothing
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API void paths_thread_step(struct paths_thread *thread, uint32_t step);

#endif
