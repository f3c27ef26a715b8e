/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mapless_private.h - the event space of a process without a path
 * map: an MPI process, or one with tuples of other types
 */

#ifndef SCOPES_RUN_MAPLESS_PRIVATE_H
#define SCOPES_RUN_MAPLESS_PRIVATE_H

#include "collectors/mpi_space.h"
#include "collectors/space.h"

#include <stdbool.h>

struct es__mapless {
	char *name;    /* of its file, as a valid name of a map */
	char *file;    /* name of its file without ".space" */
	char *trouble; /* why the space cannot be used; NULL: it can */
	int32_t rank;  /* in its world; -1: unknown */
	int32_t world_size;
	bool spawned;
	bool other;	  /* no MPI process; its threads are its collectors */
	char *world_name; /* given by its launcher; NULL: none */
	uint32_t world;	  /* 0: the world of the run; others are numbered in
			     the order in which they began */
	const struct es_mpi_control *control; /* in its space; NULL: none */
	uint32_t first;		/* collector of its first thread */
	uint32_t owner_count;	/* threads with a collector or a row */
	uint32_t *owners;	/* their numbers in the space, ascending */
	struct es_space *space; /* NULL: not open, or taken by the run */
	struct es_space_info info;
};

/*
 * es__mapless_open - open the space of an MPI process
 *
 * A space that cannot be used is closed, and its trouble is set.
 *
 * mapless	zeros, but for name: that of the file without ".space"
 * file		path of the file
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mapless_fini, also on failure
 */
paths_status es__mapless_open(struct es__mapless *mapless, const char *file)
    PATHS_CHECKED;
void es__mapless_fini(struct es__mapless *mapless);

/* Returns true if a space is not that of an MPI process: it has neither its
   rows nor tuples of calls. */
bool es__mapless_is_other(const struct es_space *space);

/* Changes a text, in place, to a valid name of a path map. */
void es__mapless_fit_name(char *name);

/* Returns how many threads the process has in the map: at least one. */
uint32_t es__mapless_threads(const struct es__mapless *mapless);

/* Returns the collector of a thread by its number in the space, which is that
   of the collector in the space of another process; PATHS_NONE: there is no
   such thread. */
uint32_t es__mapless_collector(const struct es__mapless *mapless,
    uint32_t owner);

#endif
