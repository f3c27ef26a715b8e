/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/listen_private.h - reads the addresses and endpoints of
 * processes
 */

#ifndef LIBPATHS_MAP_LISTEN_PRIVATE_H
#define LIBPATHS_MAP_LISTEN_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Returns true when a text can be a host name or an address. */
bool paths__listen_is_address(const char *text);

/* Reads an endpoint, such as "tcp:PORT" or "unix:FILE". */
paths_status paths__listen_parse(struct paths__map *m, uint32_t line,
    const char *word, struct paths_map_listen *listen);

#endif
