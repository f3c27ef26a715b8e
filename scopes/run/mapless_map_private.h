/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mapless_map_private.h - makes the map of a run of MPI processes
 */

#ifndef SCOPES_RUN_MAPLESS_MAP_PRIVATE_H
#define SCOPES_RUN_MAPLESS_MAP_PRIVATE_H

#include "libpaths/map.h"
#include "scopes/run/mapless_list_private.h"

/*
 * es__mapless_map_make - make a map of processes, threads and collectors
 *
 * scopes/run.h describes the map.  Sets `first` of each process in the list.
 *
 * dir	name of the map in messages
 * map	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	two processes have the same name
 *		PATHS_ENOENT	there is no stage `collector`
 *		PATHS_ENOMEM
 * Ownership	the caller calls paths_map_close
 */
paths_status es__mapless_map_make(struct es__mapless_list *list,
    const char *dir, struct paths_map **map) PATHS_CHECKED;

#endif
