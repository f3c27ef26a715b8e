/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/unknown_private.h - kinds of stage and tuple types of plugins
 * that a reader of a map has not loaded
 */

#ifndef LIBPATHS_MAP_UNKNOWN_PRIVATE_H
#define LIBPATHS_MAP_UNKNOWN_PRIVATE_H

#include "libpaths/map/map_private.h"

/*
 * Returns PATHS_OK and, in ops, a stand-in for a kind of stage if the map is
 * only read, a plugin that was not loaded or a program may have the kind, and
 * `name` is a word.  Otherwise *ops becomes NULL.  flags: 0, or
 * PATHS_STAGE_JOIN for the kind of a stage line.
 */
paths_status paths__unknown_stage(struct paths__map *m, uint32_t line,
    const char *name, uint32_t flags, const struct paths_stage_ops **ops)
    PATHS_CHECKED;

/* Returns true for a stand-in whose options nobody described. */
bool paths__unknown_is_bare(const struct paths_stage_ops *ops);

/* Keeps the name of an unknown tuple type if the map is only read; taken: out,
   false when the text must be refused. */
paths_status paths__unknown_type(struct paths__map *m, uint32_t line,
    const char *text, bool *taken) PATHS_CHECKED;

/* Returns those words of a stage line of an unknown kind that all stage lines
   have, and leaves out the options of the kind. */
paths_status paths__unknown_words(struct paths__map *m,
    const struct paths__words *words, struct paths__words *common)
    PATHS_CHECKED;

#endif
