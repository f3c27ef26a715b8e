/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/file.h - a file that is written at once
 */

#ifndef VIEWER_FIGURE_FILE_H
#define VIEWER_FIGURE_FILE_H

#include "libpaths/status.h"

#include <stddef.h>

/*
 * esv_file_write - make a file of so many bytes
 *
 * A file that is there is replaced when the new one is whole; what is no
 * plain file is written to.
 *
 * Returns	PATHS_OK; PATHS_EIO: why not
 * Threads	any
 */
paths_status esv_file_write(const char *file, const void *bytes, size_t size)
    PATHS_CHECKED;

#endif
