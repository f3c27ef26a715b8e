/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/matrix_file_private.h - files with numbers of pairs of ranks
 *
 * Ranks are those of the world of the run.  Other worlds have no place in these
 * files.
 */

#ifndef SCOPES_EXPORT_MATRIX_FILE_PRIVATE_H
#define SCOPES_EXPORT_MATRIX_FILE_PRIVATE_H

#include "scopes/mpi.h"

#include <stdio.h>

/* Returns the number of ranks. */
uint32_t es__export_matrix_ranks(const struct es_mpi *mpi);

/* Opens a file whose name is a prefix and a formatted end.  NULL: the reason
   was logged. */
FILE *es__export_matrix_file_open(const char *prefix, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Closes a file.  PATHS_EIO or PATHS_EFULL: not all of it was written. */
paths_status es__export_matrix_file_close(FILE *to) PATHS_CHECKED;

#endif
