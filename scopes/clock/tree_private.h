/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/tree_private.h - which clock is set by which
 */

#ifndef SCOPES_CLOCK_TREE_PRIVATE_H
#define SCOPES_CLOCK_TREE_PRIVATE_H

#include "scopes/clock/clock_private.h"

/*
 * es__clocks_grow_tree - the breadth-first tree over the edges
 *
 * The reference is the domain from which most domains are reached, and among
 * those the one with the lowest tree, and among those the first.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock"
 */
paths_status es__clocks_grow_tree(struct es__clocks *clocks) PATHS_CHECKED;

#endif
