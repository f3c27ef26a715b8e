/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_roles_private.h - groups the sites of a run of paths that
 * play the same part in different threads
 *
 * Paths have no source lines.  Two sites have the same role if their names
 * differ only in digits: thread t2 writes to element down.2 what t3 writes to
 * down.3.  A join has a role of its own.  So has each path of a thread that has
 * several paths of the same role.
 */

#ifndef SCOPES_GRAPH_PATH_ROLES_PRIVATE_H
#define SCOPES_GRAPH_PATH_ROLES_PRIVATE_H

#include "libpaths/map.h"
#include "libpaths/status.h"

struct es__path_roles {
	uint32_t *of; /* of each site: the first site with the same role */
};

/*
 * es__path_roles_init - find the roles of paths and stages
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__path_roles_fini, also on failure
 */
paths_status es__path_roles_init(struct es__path_roles *roles,
    const struct paths_map *map) PATHS_CHECKED;
void es__path_roles_fini(struct es__path_roles *roles);

/* Returns the role of a site; for es__graph_classes_init. */
uint32_t es__path_role(const void *roles, uint32_t thread, uint32_t site);

#endif
