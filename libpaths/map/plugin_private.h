/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/plugin_private.h - loads the plugins that the lines of a path
 * map name
 */

#ifndef LIBPATHS_MAP_PLUGIN_PRIVATE_H
#define LIBPATHS_MAP_PLUGIN_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>

/* Loads the plugin of a line for a program.  A path is refused unless the
   environment variable PATHS_PLUGINS repeats it. */
paths_status paths__plugin_load(const char *value) PATHS_CHECKED;

/* Loads the plugin of a line for a reader if it is one of `files`, which NULL
   ends, or libcollectors.  loaded: out, false when nothing was opened. */
paths_status paths__plugin_read(const char *value, const char *const *files,
    bool *loaded) PATHS_CHECKED;

#endif
