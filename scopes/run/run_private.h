/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/run_private.h - the inside of a run, shared on this floor
 */

#ifndef SCOPES_RUN_RUN_PRIVATE_H
#define SCOPES_RUN_RUN_PRIVATE_H

#include "scopes/mpi.h"
#include "scopes/run.h"

#include <pthread.h>

/* How the event space of a process was found. */
enum es__space_state {
	ES__SPACE_MISSING,
	ES__SPACE_DAMAGED, /* nothing of it can be read */
	ES__SPACE_LIVE,	   /* its process is recording, or may be */
	ES__SPACE_KILLED,  /* its process ended without closing it */
	ES__SPACE_CLOSED
};

/* The event space of a process that no map tells of: an MPI process. */
struct es__run_alone {
	char *name;    /* of its file, fit for a map */
	char *trouble; /* why it cannot be used; NULL */
	int32_t rank;  /* in its world; -1: not known */
	int32_t world_size;
	bool spawned;
	char *world_name; /* as its launcher calls its world; NULL */
	uint32_t world;	  /* 0: that of the run; others in the order in which
			     they began */
	const struct es_mpi_control *control; /* in its space; NULL */
	uint32_t first;		/* collector of its first thread */
	uint32_t owner_count;	/* threads; each has a collector */
	uint32_t *owners;	/* their numbers in the space, ascending */
	struct es_space *space; /* until the run takes it */
	struct es_space_info info;
};

struct es_run {
	char *dir;
	struct paths_map *map;
	struct es_space **spaces;     /* of each process; NULL */
	enum es__space_state *states; /* of each process */
	struct es__run_alone *alone;  /* of each MPI process; NULL */
	struct es_mpi *mpi;	      /* of such a run; NULL */
	struct es_collector *collectors;
	uint32_t collector_count;
	uint32_t *by_stage; /* of each instance: its collector; NONE */
	void **copies;	    /* of each collector: tuples of a live space */
	pthread_mutex_t diagnosing;
	struct es_diagnostic **diagnostics; /* in the order they were noted */
	size_t diagnostic_count, diagnostic_room;
	void *said; /* the same, for tsearch */
};

/*
 * es__run_create - a run without spaces
 *
 * map	becomes the run's, also on failure
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es_run_close
 */
paths_status es__run_create(const char *dir, struct paths_map *map,
    struct es_run **run) PATHS_CHECKED;

/*
 * es__run_take_space - let the collectors of a space show its tuples
 *
 * space	of `process`; becomes the run's on PATHS_OK
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	of another map, or its collectors are not there
 *		PATHS_ENOMEM
 */
paths_status es__run_take_space(struct es_run *run, uint32_t process,
    struct es_space *space) PATHS_CHECKED;

/*
 * es__run_open_alone - open a directory of MPI processes, which has no map
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no space there is of a process without a map
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_run_close
 */
paths_status es__run_open_alone(const char *dir, struct es_run **run)
    PATHS_CHECKED;

/* The collector of a thread of an MPI process; NONE: it has none. */
uint32_t es__run_alone_collector(const struct es_run *run, uint32_t process,
    uint32_t owner);

/* Give back what es_run has in `alone`. */
void es__run_alone_destroy(struct es__run_alone *all, uint32_t count);

/* Diagnose what is known to be wrong with the space of a process. */
void es__run_tell_damage(struct es_run *run, uint32_t process);

/* Give all diagnostics back. */
void es__run_forget(struct es_run *run);

#endif
