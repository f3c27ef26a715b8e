/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/line_private.h - splits the text of a path map into lines
 */

#ifndef LIBPATHS_MAP_LINE_PRIVATE_H
#define LIBPATHS_MAP_LINE_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Returns the first word of a kind of line. */
const char *paths__line_word(enum paths__map_kind kind);

/* Splits m->text into m->lines. */
paths_status paths__line_read_all(struct paths__map *m);

#endif
