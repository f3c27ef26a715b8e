/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/collect_private.h - copies the files of a run directory to
 * the launcher
 */

#ifndef LIBPATHS_LAUNCH_COLLECT_PRIVATE_H
#define LIBPATHS_LAUNCH_COLLECT_PRIVATE_H

#include "libpaths/launch/folder_private.h"

#include <dirent.h>
#include <sys/types.h>

/* Content of LAUNCH_FILE: a name, the permissions and the size.  Content of
   LAUNCH_DATA: an offset and bytes.  Content of LAUNCH_FILE_END: the reason why
   a file is not whole, or "". */
struct launch_collect {
	DIR *dir; /* NULL: nothing is being copied */
	int fd;	  /* file that is being copied; -1 */
	off_t at;
	off_t size;
};

/* Begins to copy.  Returns false with the reason in why. */
bool launch_collect_begin(struct launch_collect *collect,
    const struct launch_folder *folder, char why[LAUNCH_WHY_BYTES]);

/* Queues frames until the channel has enough.  Returns true when
   LAUNCH_COLLECTED is queued. */
bool launch_collect_step(struct launch_collect *collect,
    struct launch_channel *c);

void launch_collect_fini(struct launch_collect *collect);

#endif
