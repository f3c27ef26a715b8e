/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/file.h - writes a whole file, or leaves the old one
 */

#ifndef VIEWER_FIGURE_FILE_H
#define VIEWER_FIGURE_FILE_H

#include "libpaths/status.h"

#include <stddef.h>

/*
 * esv_file_write - write a file of `size` bytes
 *
 * An existing file is replaced when the new one is whole.  A device, a pipe or
 * a link is written to.
 *
 * Returns	PATHS_OK; PATHS_EIO: the reason of the system
 * Threads	any
 */
paths_status esv_file_write(const char *file, const void *bytes, size_t size)
    PATHS_CHECKED;

#endif
