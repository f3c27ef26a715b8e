/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/kinds_private.h - finds the description of a kind of stage
 */

#ifndef LIBPATHS_MAP_KINDS_PRIVATE_H
#define LIBPATHS_MAP_KINDS_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Sets flags and options of the stand-in for a kind in a chain, if the reader
   has its description.  Returns false without memory. */
bool paths__kinds_find(struct paths__map *m, struct paths_stage_ops *made)
    PATHS_CHECKED;

#endif
