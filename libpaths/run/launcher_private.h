/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/launcher_private.h - the commands that start processes on other
 * hosts
 */

#ifndef LIBPATHS_RUN_LAUNCHER_PRIVATE_H
#define LIBPATHS_RUN_LAUNCHER_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Splits a text into words as a shell does, without expansions, and sets
   run->launcher. */
paths_status run_launcher_split(struct run *run, const char *text);

/* Returns the host of a process, for a launcher. */
const char *run_launcher_host(const struct run *run, uint32_t process);

/* Returns the name of the program of a launcher. */
const char *run_launcher_name(const struct run *run);

/* Returns the words of the command for a process, or for all under mpirun,
   ended by NULL; NULL without memory. */
char **run_launcher_command(const struct run *run, uint32_t process);

void run_launcher_free(char **words);

#endif
