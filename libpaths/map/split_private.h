/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/split_private.h - splits Tcl lists
 */

#ifndef LIBPATHS_MAP_SPLIT_PRIVATE_H
#define LIBPATHS_MAP_SPLIT_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Splits a list of a line into words. */
paths_status paths__split_list(struct paths__map *m, uint32_t line,
    const char *list, struct paths__words *words);

#endif
