/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/option_private.h - reads words by a table of options
 */

#ifndef LIBPATHS_MAP_OPTION_PRIVATE_H
#define LIBPATHS_MAP_OPTION_PRIVATE_H

#include "libpaths/map/map_private.h"

/* Words that are read by a table of options. */
struct paths__given {
	uint32_t line;
	const char *who; /* the owner of the options, for messages */
	struct paths__words words;
};

/*
 * Reads words by one or two tables.  values[0] is in the order of options[0],
 * and values[1] in that of options[1].  A table that is NULL is not used.
 */
paths_status paths__option_read(struct paths__map *m,
    const struct paths__given *given,
    const struct paths_option *const options[2],
    struct paths_map_value *values[2]);

#endif
