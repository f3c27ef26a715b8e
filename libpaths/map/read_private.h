/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/read_private.h - reads the file of a path map
 */

#ifndef LIBPATHS_MAP_READ_PRIVATE_H
#define LIBPATHS_MAP_READ_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>

/* Reads the bytes of a file into memory from malloc, with a 0 behind them. */
paths_status paths__read_file(const char *file, char **text, size_t *bytes);

#endif
