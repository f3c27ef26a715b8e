/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/resolve_private.h - resolves the names that lines of a path
 * map refer to
 */

#ifndef LIBPATHS_MAP_RESOLVE_PRIVATE_H
#define LIBPATHS_MAP_RESOLVE_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Resolves the names that lines refer to, after paths__declare_lines. */
paths_status paths__resolve_lines(struct paths__map *m);

#endif
