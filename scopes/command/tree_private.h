/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/tree_private.h - gather trees of live scopes
 */

#ifndef SCOPES_COMMAND_TREE_PRIVATE_H
#define SCOPES_COMMAND_TREE_PRIVATE_H

#include "scopes/command/command.h"

#include "libpaths/base/tree_dir.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A gather tree that runs.  All zeros: there is none. */
struct es__tree {
	pid_t pid; /* of eventspace run; 0: it does not run */
	int said;  /* its standard output */
	char run[PATH_MAX];
	char map[PATHS_TREE_DIR_BYTES + 8];
	char dir[PATHS_TREE_DIR_BYTES];	       /* its run directory; "": none */
	char copies[PATHS_TREE_DIR_BYTES + 8]; /* beside it */
	int messages; /* descriptor of their file, which locks dir */
	bool failed;  /* the messages tell why */
};

/*
 * Starts the gather tree of a run, and waits until it has copied the spaces of
 * other hosts into the run directory, or a part if there is much.  Hosts that
 * do not answer are left out and noted.
 *
 * map		path map of the tree; NULL: the default one, which is kept in
 *		RUN/tree.map, or beside it if another scope follows the run, or
 *		none if the run has no servers
 * interval_ns	time between two computations
 *
 * Returns PATHS_OK, also when no tree is needed, or when the default one cannot
 * be started, which is noted: the run may just have ended.
 */
paths_status es__tree_open(struct es__tree *tree,
    const struct es_command *command, const char *run, const char *map,
    uint64_t interval_ns) PATHS_CHECKED;

/* Ends the tree.  Its run directory stays only if it has event spaces. */
void es__tree_close(struct es__tree *tree);

/* Returns true while a run on other hosts has not listed its servers. */
bool es__tree_is_awaited(const char *run);

#endif
