/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/damage_private.h - the lines that describe damage to a
 * space file
 */

#ifndef COLLECTORS_SPACE_DAMAGE_PRIVATE_H
#define COLLECTORS_SPACE_DAMAGE_PRIVATE_H

#include "collectors/space/space_private.h"

/* Damaged places that get a line each; one more line counts the others. */
#define ES__DAMAGE_MAX 32u

/* Adds a line.  The caller bounds their number; see es__space_check. */
paths_status es__damage_add(struct es_space *space, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Counts a damaged place, and adds a line, which begins with the name of the
   space, unless there are too many. */
paths_status es__damage_place(struct es_space *space, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

#endif
