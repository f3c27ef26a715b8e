/* SPDX-License-Identifier: MIT */
/*
 * libpaths/thread.h - a thread of a path map
 *
 * The OS thread that opens a thread of the map uses and closes it.  When the OS
 * thread ends without that (it returns, calls pthread_exit or is canceled), its
 * threads of the map are closed: their operations are canceled before its stack
 * is gone, and the joins that they enter end.  exit(3) closes nothing: the
 * other threads go on until the process has ended.
 */

#ifndef LIBPATHS_THREAD_H
#define LIBPATHS_THREAD_H

#include "libpaths/status.h"

#include <stdint.h>

PATHS_BEGIN_DECLS

struct paths_program;
struct paths_thread;

/*
 * paths_thread_open - make the calling thread a thread of the map
 *
 * Binds it to the core that the map gives it.  A core that this machine does
 * not have is a warning, not an error.
 *
 * A thread that was closed can be opened again.  It has the same paths, which
 * must be opened again and are at the same addresses.  They go on with their
 * numbers, counters and deadlines, and a reader with the tuple after the one it
 * read last.  Collectors go on in the same rings.  Paths into another process
 * are opened there again, unless that process has ended, as one that only
 * serves does when all paths into it are closed.
 *
 * name		a thread of this process
 * thread	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	this process has no such thread
 *		PATHS_EBUSY	it is open, in the OS thread that the reason
 *				names; or it was closed, and a stage of a plugin
 *				on its paths cannot be opened again
 *		PATHS_ELOST	it was closed, and the connection of one of its
 *				paths is lost
 *		PATHS_EINVAL	this process was forked from the one that opened
 *				the program
 * Ownership	the caller calls paths_thread_close
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API paths_status paths_thread_open(struct paths_program *program,
    const char *name, struct paths_thread **thread) PATHS_CHECKED;

/*
 * paths_thread_close - close a thread of the map and its paths
 *
 * Only warns when the thread waits in an operation.
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

/*
 * paths_thread_bind - bind the thread to another core while it runs
 *
 * The core that the map gives the thread is used again when the thread is
 * closed and opened.  Readers of the run know the core of the map only.
 *
 * core		number of the core on this host, as -core of a thread in a map
 *
 * Returns	PATHS_OK
 *		PATHS_ERANGE	this host has no such core
 *		PATHS_EIO	the topology cannot be read, or the system
 *				refuses; the binding is as before
 *		PATHS_EINVAL	another thread called
 * Threads	the thread itself
 * Since	0.1
 */
PATHS_API paths_status paths_thread_bind(struct paths_thread *thread,
    uint32_t core) PATHS_CHECKED;

PATHS_END_DECLS

#endif
