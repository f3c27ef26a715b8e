/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/tree_private.h - breadth-first tree of clocks
 */

#ifndef SCOPES_CLOCK_TREE_PRIVATE_H
#define SCOPES_CLOCK_TREE_PRIVATE_H

#include "scopes/clock/clock_private.h"

/*
 * es__clock_tree_grow - the breadth-first tree over the edges
 *
 * The root is the domain that reaches most others.  Among several such
 * domains it is the one with the lowest tree, then the first.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock"
 */
paths_status es__clock_tree_grow(struct es__clocks *clocks) PATHS_CHECKED;

#endif
