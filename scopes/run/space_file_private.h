/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/space_file_private.h - opens event spaces, also those of other
 * ranks of a job
 *
 * In a job all ranks open the same spaces in the same order.  The rank that
 * owns a space checks it, and the others get what it has found.
 */

#ifndef SCOPES_RUN_SPACE_FILE_PRIVATE_H
#define SCOPES_RUN_SPACE_FILE_PRIVATE_H

#include "scopes/run/alive_private.h"

#include "collectors/space.h"

#include <stdbool.h>

#define ES__SPACE_SUFFIX ".space"

/* Returns whether a name of a file is that of an event space. */
bool es__space_file_is(const char *name);

/*
 * es__space_file_prepare - find the files of a run
 *
 * In a job, each rank opens and checks the spaces that it owns, all ranks at
 * the same time.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 *		the status of the job, which has failed
 */
paths_status es__space_file_prepare(const char *dir) PATHS_CHECKED;

/* Returns the directory of es_run_use_copies; NULL: there is none. */
const char *es__space_file_copies(void);

/* Frees the spaces that were prepared and not opened, and after the end of a
   job those that this rank has closed but others may have read. */
void es__space_file_forget(void);

/*
 * es__space_file_open - as es_space_open
 *
 * Returns	as es_space_open
 *		PATHS_ENOMEM	also if the job has failed, or fails because
 *				only this rank cannot open the space
 * Ownership	the caller calls es__space_file_close
 */
paths_status es__space_file_open(const char *path, struct es_space **space)
    PATHS_CHECKED;
void es__space_file_close(struct es_space *space);

/* Returns whether the process of a space is alive, as the owner knows it. */
enum es__alive es__space_file_alive(const struct es_space *space);

#endif
