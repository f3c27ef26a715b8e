/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/check_private.h - checks the chains of a path map
 */

#ifndef LIBPATHS_MAP_CHECK_PRIVATE_H
#define LIBPATHS_MAP_CHECK_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Checks inputs, cycles, ends, uses and types of all chains. */
paths_status paths__check_chains(struct paths__map *m);

#endif
