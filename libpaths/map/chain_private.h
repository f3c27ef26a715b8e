/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/chain_private.h - turns chains of a path map into items and
 * instances
 */

#ifndef LIBPATHS_MAP_CHAIN_PRIVATE_H
#define LIBPATHS_MAP_CHAIN_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Makes the items and instances of all paths and shared stages. */
paths_status paths__chain_make_all(struct paths__map *m);

#endif
