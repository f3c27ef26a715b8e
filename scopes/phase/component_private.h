/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/component_private.h - finds the strongly connected components of
 * a set of nodes
 */

#ifndef SCOPES_PHASE_COMPONENT_PRIVATE_H
#define SCOPES_PHASE_COMPONENT_PRIVATE_H

#include "scopes/phase/nest_private.h"

/* A set of nodes that are in the same loops. */
struct es__phase_set {
	uint32_t parent; /* innermost loop that the nodes are in */
	uint32_t region; /* nest->region of its nodes */
	uint32_t count;
	bool found; /* the set is a component */
	uint32_t *nodes;
};

/* Makes an empty set with room for the nodes of another one.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__phase_set_open(struct es__phase_nest *nest,
    const struct es__phase_set *like, struct es__phase_set *set) PATHS_CHECKED;

/* Moves a node to a set. */
static inline void
es__phase_set_add(struct es__phase_nest *nest, struct es__phase_set *set,
    uint32_t node)
{
	nest->region[node] = set->region;
	set->nodes[set->count++] = node;
}

/* Adds a set to those that are searched for components.  Takes its nodes.
   PATHS_OK; PATHS_ENOMEM. */
paths_status es__phase_set_search(struct es__phase_nest *nest,
    struct es__phase_set *set) PATHS_CHECKED;

/* Adds the components of a set that have a cycle to the sets that are searched.
   Nodes leave the set.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__phase_set_components(struct es__phase_nest *nest,
    const struct es__phase_set *set) PATHS_CHECKED;

#endif
