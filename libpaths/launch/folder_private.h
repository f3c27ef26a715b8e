/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/folder_private.h - the run directory on a host
 *
 * All agents of a run on a host use one directory, which the first of them
 * makes.  A process writes its event space there.  Where the host has the run
 * directory of the launcher, the process writes there instead, and the
 * directory holds only the secret.
 */

#ifndef LIBPATHS_LAUNCH_FOLDER_PRIVATE_H
#define LIBPATHS_LAUNCH_FOLDER_PRIVATE_H

#include "libpaths/launch/setup_private.h"

#include <limits.h>
#include <stdatomic.h>

#define LAUNCH_PROCESS_BYTES (PATHS_MAP_NAME_BYTES_MAX + 1)

/* Names of files that every run directory has. */
#define LAUNCH_FILE_SECRET "secret"
#define LAUNCH_FILE_MAP "map"
#define LAUNCH_FILE_JOB "job" /* of eventspace mpi; the same on all hosts */

/* In memory that the processes of agent_main.c share. */
struct launch_folder {
	char own[PATH_MAX];		    /* the directory on this host */
	char run[PATH_MAX];		    /* for PATHS_RUN */
	char process[LAUNCH_PROCESS_BYTES]; /* name of the process */
	bool owner;			    /* this agent made it */
	bool sees;			    /* run is that of the launcher */
	_Atomic bool made; /* the rest is valid; written by the worker */
};

/* Makes the directory, or finds that of another agent.  Returns false with the
   reason in why. */
bool launch_folder_make(struct launch_folder *folder,
    const struct launch_setup *setup, char why[LAUNCH_WHY_BYTES]);

/* Writes a file of the directory, which other agents may write as well with the
   same content. */
bool launch_folder_write(const struct launch_folder *folder, const char *name,
    const void *bytes, size_t count, char why[LAUNCH_WHY_BYTES]);

/* Adds a line to a file of the directory.  Errors are ignored. */
void launch_folder_add(const struct launch_folder *folder, const char *name,
    const char *line);

/* Removes the secret, the sockets and unfinished event spaces, and the
   directory when no files are left but the map and topologies. */
void launch_folder_clean(const struct launch_folder *folder);

/* Removes the directory and its files, but no directories in it.  Returns false
   when it could not be removed. */
bool launch_folder_remove(const struct launch_folder *folder);

/* Returns true for the name of a file that is copied to the launcher. */
bool launch_folder_copies(const char *name);

#endif
