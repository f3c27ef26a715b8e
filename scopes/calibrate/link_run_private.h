/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_run_private.h - calibrates the proxies of a path map
 */

#ifndef SCOPES_CALIBRATE_LINK_RUN_PRIVATE_H
#define SCOPES_CALIBRATE_LINK_RUN_PRIVATE_H

#include "scopes/calibrate/run_private.h"

/* The caller's request. */
struct es__link_request {
	const char *map;      /* file */
	const char *launcher; /* of eventspace run; NULL: local */
	double seconds;	      /* at most */
	bool quick, quiet;
	const char *file; /* NULL: a name is made */
	bool (*interrupted)(void);
};

/*
 * es__calibrate_links - measure the proxies of a map, and write the model
 *
 * Starts the processes of the map with eventspace run.
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the map has no proxy to another process
 *		PATHS_ELOST	the processes have failed, which they reported
 *		PATHS_ECANCELED	interrupted
 *		PATHS_EIO	a file cannot be written
 *		PATHS_ENOENT	a program is not installed
 *		the status of a map that cannot be read
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_model_free on result->model
 */
paths_status es__calibrate_links(const struct es__link_request *request,
    struct es__calibrate_result *result) PATHS_CHECKED;

#endif
