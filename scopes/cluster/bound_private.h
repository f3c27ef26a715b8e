/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/bound_private.h - the processors that the threads of a run
 * were bound to
 */

#ifndef SCOPES_CLUSTER_BOUND_PRIVATE_H
#define SCOPES_CLUSTER_BOUND_PRIVATE_H

#include "scopes/cluster/recorded_private.h"

/* A processing unit (PU) that a host allows.  Package and core are those of the
   host, counting the allowed ones, as in path maps. */
struct es__bound_pu {
	uint32_t kernel; /* its number in the operating system */
	uint32_t package, core;
	uint32_t numa, cache; /* as in struct paths_topology_pu */
};

struct es__bound_host {
	struct es__bound_pu *pus; /* in hwloc's order */
	uint32_t count;		  /* 0: its topology is not known */
};

enum es__bound_state {
	ES__BOUND_UNKNOWN,
	ES__BOUND_PART, /* to some of the PUs of its host */
	ES__BOUND_FREE	/* it may run on all of them */
};

/* The place of a thread. */
struct es__bound {
	enum es__bound_state state;
	/* The package and the core that have all of its PUs; PATHS_NONE:
	   several have, or it is not known. */
	uint32_t package, core;
};

struct es__bounds {
	struct es__bound_host *hosts; /* of the map */
	struct es__bound *threads;    /* of the map */
	uint32_t host_count, thread_count;
	/* For each thread; the PUs of the core of a map are in its mask. */
	struct es__binding *bindings;
};

/*
 * es__bounds_find - the processors of hosts and threads of a run
 *
 * In an MPI run they are those that the operating system allowed each thread
 * when it first called MPI.  In other runs they are those of the core that the
 * map gives.  A topology that cannot be read is diagnosed, and not known.
 *
 * In a job, all ranks call it.
 *
 * bounds	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__bounds_fini, also on failure
 */
paths_status es__bounds_find(struct es_run *run, struct es__bounds *bounds)
    PATHS_CHECKED;

void es__bounds_fini(struct es__bounds *bounds);

/* Room for the longest text of es__bound_text, that of two of each three PUs:
   ten characters for three bits, "1000-1001,". */
#define ES__BOUND_TEXT_BYTES (10 * (64 * ES_MPI_BINDING_WORDS / 3 + 1) + 1)

/* Returns the numbers of the PUs of a binding, as "0-3,8"; "": none. */
const char *es__bound_text(const struct es__binding *binding,
    char text[ES__BOUND_TEXT_BYTES]);

/* Returns the number of PUs of a binding. */
uint32_t es__bound_count(const struct es__binding *binding);

#endif
