/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/shapes_private.h - reads the joins of another path map
 */

#ifndef SCOPES_WHATIF_SHAPES_PRIVATE_H
#define SCOPES_WHATIF_SHAPES_PRIVATE_H

#include "scopes/whatif/run_private.h"
#include "scopes/whatif/shape_private.h"

/*
 * es__whatif_shapes_read - compare the joins of a run with those of a path map
 *
 * file		file of the map, which must have the threads of the run and
 *		their paths to the same elements
 * shapes	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the run is not one of paths, the map cannot be
 *				read, lacks a path, changes one without a join,
 *				or has a stage whose time is not known:
 *				paths_log_last has the reason
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_shapes_free, also on failure
 */
paths_status es__whatif_shapes_read(const struct es__whatif_run *run,
    const char *file, struct es__whatif_shapes **shapes) PATHS_CHECKED;
void es__whatif_shapes_free(struct es__whatif_shapes *shapes);

#endif
