/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/error_private.h - reports errors of a path map
 */

#ifndef LIBPATHS_MAP_ERROR_PRIVATE_H
#define LIBPATHS_MAP_ERROR_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Reports that a map lacks memory.  Returns PATHS_ENOMEM. */
paths_status paths__error_nomem(const struct paths__map *m);

/* Reports "FILE:LINE: WORD: text".  Returns PATHS_ESYNTAX. */
paths_status paths__error_syntax(const struct paths__map *m, uint32_t line,
    const char *word, const char *fmt, ...) PATHS_PRINTF(4, 5);

#endif
