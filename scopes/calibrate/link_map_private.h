/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_map_private.h - makes a path map for measuring the
 * proxies of a given map
 */

#ifndef SCOPES_CALIBRATE_LINK_MAP_PRIVATE_H
#define SCOPES_CALIBRATE_LINK_MAP_PRIVATE_H

#include "scopes/calibrate/link_private.h"

#include "libpaths/status.h"

#include <stdio.h>

/*
 * es__links_find - list the links of a map
 *
 * If there are several proxies between two hosts, or by the same means inside
 * of a host, the first one counts.
 *
 * links	out; has room for ES__LINKS_MOST
 * count	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	there is none, or there are too many
 */
paths_status es__links_find(const struct paths_map *map, struct es__link *links,
    uint32_t *count) PATHS_CHECKED;

/* Prints the map for measuring the links of a map. */
void es__link_map_print(const struct paths_map *map,
    const struct es__link *links, uint32_t count, FILE *to);

#endif
