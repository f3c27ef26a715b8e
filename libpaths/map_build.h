/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map_build.h - builds a path map without text
 *
 * For programs that know hosts, processes, threads and paths already.  Each
 * function adds one thing behind the others of its kind, so the index of a
 * thing is the count of its kind before it was added.  Names are as in the
 * text of a map (libpaths/map.h).  A map that was built has no text, and its
 * hash is zeros.
 */

#ifndef LIBPATHS_MAP_BUILD_H
#define LIBPATHS_MAP_BUILD_H

#include "libpaths/map.h"

PATHS_BEGIN_DECLS

/*
 * paths_map_build_open - begin an empty map
 *
 * name	name of the map in messages; copied
 * map	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 * Ownership	the caller calls paths_map_close
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_map_build_open(const char *name,
    struct paths_map **map) PATHS_CHECKED;

/*
 * paths_map_build_host - add a host without an address
 *
 * map	from paths_map_build_open
 * name	copied
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	not a valid name, or another host has it
 *		PATHS_ENOMEM
 * Threads	one at a time for a map
 * Since	0.1
 */
PATHS_API paths_status paths_map_build_host(struct paths_map *map,
    const char *name) PATHS_CHECKED;

/*
 * paths_map_build_process - add a process that listens nowhere
 *
 * name	copied
 * host	index of its host
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	not a valid name, or another process has it; no
 *				such host
 *		PATHS_ENOMEM
 * Threads	one at a time for a map
 * Since	0.1
 */
PATHS_API paths_status paths_map_build_process(struct paths_map *map,
    const char *name, uint32_t host) PATHS_CHECKED;

/*
 * paths_map_build_thread - add a thread that may run on any core
 *
 * name		copied
 * process	index of its process
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	not a valid name, or another thread has it; no
 *				such process
 *		PATHS_ENOMEM
 * Threads	one at a time for a map
 * Since	0.1
 */
PATHS_API paths_status paths_map_build_thread(struct paths_map *map,
    const char *name, uint32_t process) PATHS_CHECKED;

/*
 * paths_map_build_element - add an element with the default options
 *
 * All elements are added before the first path.
 *
 * name		copied
 * process	index of its process
 * type		of its tuples, as -type takes it
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	not a valid name, or another element has it; no
 *				such process; a path was added before
 *		PATHS_ESYNTAX, PATHS_ERANGE	as paths_type_parse
 *		PATHS_ENOMEM
 * Threads	one at a time for a map
 * Since	0.1
 */
PATHS_API paths_status paths_map_build_element(struct paths_map *map,
    const char *name, uint32_t process, const char *type) PATHS_CHECKED;

/*
 * paths_map_build_path - add a path through one stage to an element
 *
 * thread	index of its thread
 * element	index of its element, in the process of the thread
 * kind		of the stage, which has its default options
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no such thread or element, or they are in two
 *				processes; no such kind; a kind with flags or
 *				types, or a proxy; the thread has a path to the
 *				element already
 *		PATHS_ESYNTAX	an option of the kind is required
 *		PATHS_ENOMEM
 * Threads	one at a time for a map
 * Since	0.1
 */
PATHS_API paths_status paths_map_build_path(struct paths_map *map,
    uint32_t thread, uint32_t element, const char *kind) PATHS_CHECKED;

PATHS_END_DECLS

#endif
