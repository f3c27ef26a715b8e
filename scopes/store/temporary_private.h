/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/temporary_private.h - the file that becomes a view.db
 */

#ifndef SCOPES_STORE_TEMPORARY_PRIVATE_H
#define SCOPES_STORE_TEMPORARY_PRIVATE_H

#include "libpaths/status.h"

/*
 * es__temporary_open - make an empty file FILE.tmp-PID, or FILE.tmp-PID-N
 *
 * Its name is that of no other process.  Such files of processes that have
 * ended are removed.
 *
 * file	the name that it will get
 * name	out
 * lock	out: a descriptor; the file counts as in use until it is closed
 *
 * Returns	PATHS_OK
 *		PATHS_EFULL, PATHS_EIO	it cannot be made
 *		PATHS_ENOMEM
 * Ownership	the caller frees the name and closes the descriptor
 */
paths_status es__temporary_open(const char *file, char **name, int *lock)
    PATHS_CHECKED;

#endif
