/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program.h - one process of a path map
 *
 * Opening a program starts everything the map says of this process: elements,
 * shared stages, the tuple server's loop where other processes come in, and
 * the connections to the processes that its own paths lead to.
 *
 * Environment, set by `eventspace run`:
 *	PATHS_MAP	the map, where paths_program_open is given none
 *	PATHS_PROCESS	the process of the map that this is
 *	PATHS_RUN	the run directory: sockets, spaces, topology
 *	PATHS_SECRET_FILE	the run's secret, 32 bytes
 *	PATHS_LISTEN_FDS	"ENDPOINT=FD ...": sockets opened by the launcher
 *	PATHS_CLOCK	see libpaths/clock.h
 */

#ifndef LIBPATHS_PROGRAM_H
#define LIBPATHS_PROGRAM_H

#include "libpaths/map.h"
#include "libpaths/thread.h"

struct paths_program;

/*
 * paths_program_open - become a process of a map
 *
 * Waits until the processes that its paths lead to answer, at most 30 s
 * (PATHS_CONNECT_SECONDS).
 *
 * map		a file; NULL: PATHS_MAP
 * process	its name; NULL: PATHS_PROCESS, or the only one of the map
 * program	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no map or no process was named
 *		PATHS_ENOENT	the map has no such process
 *		PATHS_EAUTH	no secret, or a peer has another
 *		PATHS_ELOST	a peer could not be reached
 *		what paths_map_load and the stages answer
 * Ownership	the caller calls paths_program_close
 * Threads	one
 * Since	0.1
 */
PATHS_API paths_status paths_program_open(const char *map, const char *process,
    struct paths_program **program) PATHS_CHECKED;

/*
 * paths_program_close - leave the map
 *
 * Closes what its threads left open, then serves other processes until each
 * that has paths into this one has closed them or is gone.
 *
 * program	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, when no path is in use any more
 * Since	0.1
 */
PATHS_API void paths_program_close(struct paths_program *program);

/*
 * paths_program_stop - let paths_program_close return at once
 *
 * For a signal handler of a tuple server.  Other processes see a lost peer.
 *
 * Returns	nothing
 * Threads	any; async-signal-safe
 * Since	0.1
 */
PATHS_API void paths_program_stop(struct paths_program *program);

/*
 * paths_program_map - the map this program was opened with
 *
 * Ownership	the program's
 * Returns	the map
 * Threads	any
 * Since	0.1
 */
PATHS_API const struct paths_map *paths_program_map(
    const struct paths_program *program);

/*
 * paths_program_process - which process of the map this is
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
 * Ownership	the program's
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_program_run(const struct paths_program *program);

#endif
