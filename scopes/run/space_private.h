/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/space_private.h - gives the collectors of a run the tuples of an
 * event space
 */

#ifndef SCOPES_RUN_SPACE_PRIVATE_H
#define SCOPES_RUN_SPACE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stdint.h>

struct es_run;
struct es_space;

/* The state in which the event space of a process was found. */
enum es__space_state {
	ES__SPACE_MISSING,
	ES__SPACE_DAMAGED, /* nothing of it can be read */
	ES__SPACE_LIVE,	   /* its process is recording */
	ES__SPACE_KILLED,  /* its process has not closed it, and
			      ended or is not of this host */
	ES__SPACE_CLOSED
};

/*
 * es__space_take - give the collectors of a process the tuples of its space
 *
 * Diagnoses damage in the space.
 *
 * space	of `process`; becomes the run's on PATHS_OK
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	it was written with another map, or a collector
 *				of it is not in the run
 *		PATHS_EBUSY	in a job: its process may still record
 *		PATHS_ENOMEM
 */
paths_status es__space_take(struct es_run *run, uint32_t process,
    struct es_space *space) PATHS_CHECKED;

#endif
