/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/dir_private.h - makes, fills and checks the run directory
 */

#ifndef LIBPATHS_RUN_DIR_PRIVATE_H
#define LIBPATHS_RUN_DIR_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Makes the run directory, with a secret or an id in it. */
bool run_dir_make(struct run *run);

/* Writes the file RUN/NAME, or reports why that failed. */
bool run_dir_write(const struct run *run, const char *name, int mode,
    const void *bytes, size_t count);

/* Prints the map with the ports of run->sockets.  The caller frees the text. */
bool run_dir_map_text(const struct run *run, char **text, size_t *bytes);

/* Writes that map. */
bool run_dir_write_map(const struct run *run);

/* Reports each process that has collectors and left no event
   space.  Returns true when there is no such process. */
bool run_dir_check(const struct run *run);

/* Writes the list of the servers of all hosts and, if there are some, the
   secret. */
void run_dir_write_servers(const struct run *run);

#endif
