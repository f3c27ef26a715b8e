/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_files_private.h - views of files that other programs left
 * in a run
 */

#ifndef SCOPES_VIEWS_VIEW_FILES_PRIVATE_H
#define SCOPES_VIEWS_VIEW_FILES_PRIVATE_H

#include "scopes/view.h"

#include <dirent.h>
#include <stdio.h>

/* Kind of files that a view shows. */
struct es__view_files {
	const char *view;			   /* name of the view */
	int (*is_one)(const struct dirent *entry); /* as for scandir */
	/* Passes the rows of one file to the sink.  PATHS_EDAMAGED, with a
	   reason in the log: the reason becomes a diagnostic, and rows that
	   were passed before stay. */
	paths_status (*show)(struct es_analysis *a, struct es_sink *sink,
	    const char *name);
};

/*
 * es__view_files - show all files of a kind
 *
 * Takes the files in the order of their names, in which numbers are compared
 * as numbers.
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	the run directory cannot be read
 *		PATHS_ENOMEM
 *		an error of show other than PATHS_EDAMAGED
 */
paths_status es__view_files(struct es_analysis *a, struct es_sink *sink,
    const struct es__view_files *files) PATHS_CHECKED;

/*
 * es__view_file_open - open a file of a run for reading
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such file
 *		PATHS_EDAMAGED	it cannot be read, or is a pipe, a device or
 *				the like
 *		PATHS_ENOMEM
 */
paths_status es__view_file_open(const char *dir, const char *name, FILE **from)
    PATHS_CHECKED;

#endif
