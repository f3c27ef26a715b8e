/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/run_private.h - the members of a run
 */

#ifndef SCOPES_RUN_RUN_PRIVATE_H
#define SCOPES_RUN_RUN_PRIVATE_H

#include "scopes/mpi.h"
#include "scopes/run.h"
#include "scopes/run/ends_private.h"
#include "scopes/run/space_private.h"

#include <pthread.h>

struct es_run {
	char *dir;
	struct paths_map *map;
	struct es_space **spaces;     /* of each process; NULL: none */
	enum es__space_state *states; /* of each process */
	struct es__end *ends;	      /* of each process */
	struct es__mapless *mapless;  /* of each MPI process; NULL: all have
					 a map */
	struct es_mpi *mpi;	      /* NULL: not a run of MPI processes */
	struct es_run *others; /* of the other spaces, which may be this run
					 itself; NULL: none */
	struct es_collector *collectors;
	uint32_t collector_count;
	uint32_t *by_stage; /* collector of each instance, or PATHS_NONE */
	void **copies;	    /* of each collector: tuples of a live space */
	pthread_mutex_t diagnosing;
	struct es_diagnostic **diagnostics; /* in the order of addition */
	size_t diagnostic_count, diagnostic_room;
	void *diagnostic_tree; /* of the diagnostics, by tsearch(3) */
};

#endif
