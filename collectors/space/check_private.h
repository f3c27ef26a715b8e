/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/check_private.h - checks every definition in a space file
 */

#ifndef COLLECTORS_SPACE_CHECK_PRIVATE_H
#define COLLECTORS_SPACE_CHECK_PRIVATE_H

#include "collectors/space/space_private.h"

/* Checks all definitions, and fills in the members from head on. */
paths_status es__space_check(struct es_space *space) PATHS_CHECKED;

#endif
