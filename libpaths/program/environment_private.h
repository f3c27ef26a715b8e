/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/environment_private.h - reads the settings of the launcher
 */

#ifndef LIBPATHS_PROGRAM_ENVIRONMENT_PRIVATE_H
#define LIBPATHS_PROGRAM_ENVIRONMENT_PRIVATE_H

#include "libpaths/engine/program_private.h"

/*
 * Loads the map, finds the process in it, and reads the secret and the name of
 * the run directory.  file and process, where not NULL, replace PATHS_MAP and
 * PATHS_PROCESS.
 */
paths_status paths__environment_read(struct paths_program *program,
    const char *file, const char *process);

#endif
