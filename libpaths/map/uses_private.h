/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/uses_private.h - checks that the stages of each path take its
 * operations
 */

#ifndef LIBPATHS_MAP_USES_PRIVATE_H
#define LIBPATHS_MAP_USES_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Checks the -use of all paths.  order: all chains, each after the chains that
   it leads to. */
paths_status paths__uses_check(struct paths__map *m, const uint32_t *order);

#endif
