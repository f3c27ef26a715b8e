/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/files_private.h - the files of a run directory, on all hosts
 *
 * In a job each rank has its own directory, or all have the same one.  The
 * files of the run are those of all directories; each has an owner, which is a
 * rank that has it.  Without a job these are the files of one directory.
 */

#ifndef SCOPES_JOB_FILES_PRIVATE_H
#define SCOPES_JOB_FILES_PRIVATE_H

#include "libpaths/status.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

/* An event space of a job. */
struct es__file {
	const char *dir; /* of rank 0, for messages that all ranks share */
	uint32_t owner;
	bool here;	 /* this rank has the same file */
	bool everywhere; /* all ranks have it */
};

/*
 * es__files_find - find the files of a run
 *
 * All ranks call it before they read a run.  Does nothing without a job.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 *		the status of the job, which has failed
 */
paths_status es__files_find(const char *dir) PATHS_CHECKED;

/* As scandir(3). */
int es__files_scan(const char *dir, struct dirent ***names,
    int (*filter)(const struct dirent *),
    int (*compare)(const struct dirent **, const struct dirent **));

/* Returns whether a run has a file. */
bool es__files_has(const char *dir, const char *name);

/*
 * es__files_open - open a file for reading, without waiting
 *
 * In a job all ranks call it, and get the bytes that the owner has.
 *
 * Returns	a descriptor; -1 with errno, which is EIO if the job has failed
 */
int es__files_open(const char *dir, const char *name);

/* Finds an event space of a job by its path; false: there is no job, or no such
   file.  out: borrowed until es__files_fini. */
bool es__files_space(const char *path, struct es__file *file);

void es__files_fini(void);

#endif
