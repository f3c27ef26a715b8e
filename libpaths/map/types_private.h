/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/types_private.h - finds the types of tuples along all chains
 */

#ifndef LIBPATHS_MAP_TYPES_PRIVATE_H
#define LIBPATHS_MAP_TYPES_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Finds the types of all items and chains.  order: all chains, each after the
   chains that it leads to. */
paths_status paths__types_resolve(struct paths__map *m, const uint32_t *order);

#endif
