/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/target_private.h - the file or the folder of an export
 *
 * It has a temporary name until it is whole, and replaces no other file.
 */

#ifndef SCOPES_EXPORT_TARGET_PRIVATE_H
#define SCOPES_EXPORT_TARGET_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>

struct es__export_target {
	const char *name;
	char *temporary; /* NULL: nothing was made, or it was renamed */
	bool folder;
};

/*
 * es__export_target_open - make a file or a folder under a temporary name
 *
 * Returns	PATHS_OK
 *		PATHS_EBUSY	something has the name already
 *		PATHS_EIO, PATHS_EFULL, PATHS_ENOMEM
 */
paths_status es__export_target_open(struct es__export_target *target,
    const char *name, bool folder) PATHS_CHECKED;

/* Renames the temporary file.  Returns as es__export_target_open. */
paths_status es__export_target_commit(struct es__export_target *target)
    PATHS_CHECKED;

/* Removes the file or folder unless it was committed. */
void es__export_target_close(struct es__export_target *target);

#endif
