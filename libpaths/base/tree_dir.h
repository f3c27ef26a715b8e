/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/tree_dir.h - the folders of gather trees in a run directory
 *
 * Each event scope that follows a run has a folder of its own, RUN/tree,
 * RUN/tree-2 and so on, which is the run directory of its gather tree.  Beside
 * it are a folder with the copies of event spaces, the map of the tree and the
 * file of its messages.  That is locked as long as the tree runs; what is not
 * locked is removed.
 */

#ifndef LIBPATHS_BASE_TREE_DIR_H
#define LIBPATHS_BASE_TREE_DIR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Endings of the names beside a folder. */
#define PATHS_TREE_COPIES ".copies"
#define PATHS_TREE_MAP ".map"
#define PATHS_TREE_LOG ".log"

/* Room for the name of a folder. */
#define PATHS_TREE_DIR_BYTES (PATH_MAX + 16)

/* Makes the folders in a run directory, and the file of messages.  Returns its
   descriptor, which has the lock as long as it is open in any process; -1 with
   errno. */
int paths_tree_dir_make(const char *run, char dir[PATHS_TREE_DIR_BYTES]);

/* Removes a folder, which is locked, and what is beside it.  One with event
   spaces of the tree itself stays.  failed: the messages stay. */
void paths_tree_dir_remove(const char *dir, bool failed);

/* Removes the folders that no process has locked, with the messages of their
   trees.  Returns the number of the others. */
size_t paths_tree_dir_sweep(const char *run);

/* The file in a run directory by which processes on other hosts recognise it;
   the launcher removes it at the end. */
#define PATHS_RUN_ID_FILE "id"

/* Returns true while a launcher runs the processes of a run directory. */
bool paths_tree_run_is_under_way(const char *run);

#endif
