/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/run_map_private.h - reads the map of a run
 */

#ifndef SCOPES_RUN_RUN_MAP_PRIVATE_H
#define SCOPES_RUN_RUN_MAP_PRIVATE_H

#include "libpaths/map.h"

/* Makes the kinds of stage of libcollectors known, without opening a file. */
paths_status es__run_map_register(void) PATHS_CHECKED;

/* Reads the map of a run from its file or, without one, from an event space.
   found: out, true when the file is there. */
paths_status es__run_map_read(const char *dir, const char *file,
    struct paths_map **map, bool *found) PATHS_CHECKED;

#endif
