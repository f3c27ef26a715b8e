/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/verify_private.h - leaves out the damaged tuples of a space
 */

#ifndef COLLECTORS_SPACE_VERIFY_PRIVATE_H
#define COLLECTORS_SPACE_VERIFY_PRIVATE_H

#include "collectors/space/space_private.h"

/* Checks the tuples of all rings.  Gives the rings with damaged tuples a copy
   of the others, and reports each damaged place. */
paths_status es__verify(struct es_space *space) PATHS_CHECKED;

#endif
