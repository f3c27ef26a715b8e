/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_joins_private.h - finds the paths whose operations arrive
 * at the joins of a tree
 *
 * An operation that enters a join comes from a path, or from a join above.  It
 * may have passed a buffer, or be a copy that a tee has sent from another tree.
 * Then the joins above the tee are included, and so are the collectors above
 * their inputs.  This works because a copy has the same number as the original
 * operation.
 */

#ifndef SCOPES_PATH_WAITS_JOINS_PRIVATE_H
#define SCOPES_PATH_WAITS_JOINS_PRIVATE_H

#include "scopes/clock/analysis_private.h"

/* The source of the operations at an input of a join. */
struct es__waits_origin {
	uint32_t lane; /* number of the collector above the input */
	uint32_t join; /* number of the join above; PATHS_NONE: see path */
	uint32_t path; /* PATHS_NONE: unknown */
};

struct es__waits_join {
	const struct es__join *join;
	struct es__waits_origin *origins; /* of its inputs */
};

struct es__waits_ids {
	uint32_t *ids;
	uint32_t count;
	size_t room;
};

struct es__waits_joins {
	struct es__waits_join *joins; /* each behind those above it */
	uint32_t count;
	size_t room;
	/* The number of each join of the tree, by its slot; PATHS_NONE: an
	   input of the join has no collector. */
	uint32_t *own;
	/* The collectors of the tree, by their slots, then those of others. */
	struct es__waits_ids collectors;
};

/*
 * es__waits_joins_init - find the joins of a tree, and those above its tees
 *
 * tree		its number in the stage graph
 * copies	false: operations of other trees are unknown
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__waits_joins_fini, also on failure
 */
paths_status es__waits_joins_init(struct es__waits_joins *joins,
    const struct es_analysis *a, uint32_t tree, bool copies) PATHS_CHECKED;
void es__waits_joins_fini(struct es__waits_joins *joins);

#endif
