/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program.h - one process of a path map
 *
 * Opening a program starts all parts that the map gives to this process: its
 * elements and stages, a tuple server if paths of other processes lead to it,
 * and connections to the processes that its own paths lead to.
 *
 * A process may open several programs, one after another or at the same time:
 * processes of different maps or runs, or different processes of one map.
 *
 * A child of fork(2) cannot use the programs of its parent.  Functions that
 * return a status refuse them with PATHS_EINVAL, the others do nothing; the
 * sockets of the parent are closed in the child.  So the child may exit or use
 * exec, and it may open a program of its own.  _Fork(3) and clone(2) do not
 * tell the library that there is a child: after them only exec is allowed.
 *
 * No function of the library is a cancellation point; see libpaths/path.h.
 *
 * Environment, set by `eventspace run`:
 *	PATHS_MAP	the map, when paths_program_open is given NULL
 *	PATHS_PROCESS	the process, when paths_program_open is given NULL
 *	PATHS_RUN	the run directory: sockets, spaces, topology
 *	PATHS_SECRET_FILE	file with the secret of the run, 32 bytes
 *	PATHS_LISTEN_FDS	"ENDPOINT=FD ...": sockets that are listening
 *	PATHS_CONNECT_SECONDS	see paths_program_open
 *	PATHS_CLOCK	see libpaths/clock.h
 */

#ifndef LIBPATHS_PROGRAM_H
#define LIBPATHS_PROGRAM_H

#include "libpaths/map.h"
#include "libpaths/thread.h"

PATHS_BEGIN_DECLS

/* The first 8 bytes of a copy of a file of another host, which `eventspace run`
   replaces by the file itself when the run has ended. */
#define PATHS_RUN_COPY "\211ESCOPY\n"

struct paths_program;

/*
 * paths_program_open - open this process as a process of a map
 *
 * Waits until the processes that its paths lead to are listening, for each of
 * them at most PATHS_CONNECT_SECONDS or, without that, 30 s.
 *
 * map		a file; NULL: PATHS_MAP
 * process	its name; NULL: PATHS_PROCESS, or the only process of the map
 * program	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no map or no process was named
 *		PATHS_ENOENT	the map has no such process
 *		PATHS_EAUTH	there is no secret, or a peer has another
 *				secret
 *		PATHS_ELOST	a peer could not be reached
 *		PATHS_EBUSY	this process has the process of this run open
 *		a status of paths_map_load, or of open of a stage
 * Ownership	the caller calls paths_program_close
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_program_open(const char *map, const char *process,
    struct paths_program **program) PATHS_CHECKED;

/*
 * paths_program_close - close a process of a map
 *
 * Closes the paths that its threads left open, then serves other processes as
 * paths_program_serve does.  Only warns when a thread waits in an operation, or
 * when the program is not open any more.
 *
 * program	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, after all threads have stopped using paths
 * Since	0.1
 */
PATHS_API void paths_program_close(struct paths_program *program);

/*
 * paths_program_serve - serve other processes until all have left
 *
 * Returns when all paths of other processes into this one are closed or lost,
 * and the chains behind buffers and tees have ended; or after
 * paths_program_stop.  Called after the threads of this process are closed.
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
PATHS_API void paths_program_serve(struct paths_program *program);

/*
 * paths_program_stop - make paths_program_serve return at once
 *
 * Makes paths_program_close stop serving, too.  Used by the signal handler of a
 * tuple server; the server must block the signal before it calls
 * paths_program_close, which frees the program.  Operations of other processes
 * on this one fail with PATHS_ELOST.
 *
 * Returns	nothing
 * Threads	any; async-signal-safe
 * Since	0.1
 */
PATHS_API void paths_program_stop(struct paths_program *program);

/*
 * paths_program_map - the map of the program
 *
 * Returns	the map
 * Ownership	of the program
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_map *paths_program_map(
    const struct paths_program *program);

/*
 * paths_program_process - the process of the map that the program opened
 *
 * Returns	an index of map->processes
 * Threads	any
 * Since	0.1
 */
PATHS_API uint32_t paths_program_process(const struct paths_program *program);

/*
 * paths_program_run - the run directory
 *
 * Returns	its path; NULL when there is none
 * Ownership	of the program
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_program_run(const struct paths_program *program);

PATHS_END_DECLS

#endif
