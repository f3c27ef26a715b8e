/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mapless_list_private.h - the MPI processes of a run directory, in
 * the order of their ranks
 */

#ifndef SCOPES_RUN_MAPLESS_LIST_PRIVATE_H
#define SCOPES_RUN_MAPLESS_LIST_PRIVATE_H

#include "scopes/run/mapless_private.h"

#include <dirent.h>

/* Limit of ranks without a space in the list; when there are more, the list has
   none of them. */
#define ES__MAPLESS_MISSING_MAX 65536

struct es__mapless_list {
	struct es__mapless *all;
	size_t room;
	uint32_t count;
};

/*
 * es__mapless_list_open - open all event spaces of a directory
 *
 * Ranks of the world of the run come first, in their order, also those that
 * left no space; then come the ranks of other worlds, world by world.
 *
 * Spaces that are not those of MPI processes are left out.
 *
 * list	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no space is that of a process without a map
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__mapless_list_close, also on failure
 */
paths_status es__mapless_list_open(struct es__mapless_list *list,
    const char *dir) PATHS_CHECKED;
void es__mapless_list_close(struct es__mapless_list *list);

/* Returns 1 for the files of event spaces, for scandir(3). */
int es__mapless_list_takes(const struct dirent *entry);

/* Adds a process that has only a name yet; NULL: no memory. */
struct es__mapless *es__mapless_list_add(struct es__mapless_list *list,
    const char *name);

/* Returns the size of the world of the run; 0: no rank knows it. */
int32_t es__mapless_list_world_size(const struct es__mapless_list *list);

#endif
