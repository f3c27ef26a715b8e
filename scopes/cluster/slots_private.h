/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/slots_private.h - the cores of hosts as slots of a machine
 */

#ifndef SCOPES_CLUSTER_SLOTS_PRIVATE_H
#define SCOPES_CLUSTER_SLOTS_PRIVATE_H

#include "scopes/cluster/cluster_private.h"
#include "scopes/machine.h"

/*
 * A place for one process.  Numbers are those that launchers use: they count
 * what the host allows, in hwloc's order.
 */
struct es__slot {
	uint32_t host;	    /* of the cluster */
	uint32_t package;   /* of the host */
	uint32_t core;	    /* of the package */
	uint32_t host_core; /* the same core, of the host */
	uint32_t pu;	    /* of the host: the first of the core, or the PU */
	uint32_t kernel;    /* number of that PU in the operating system */
	uint32_t numa, cache; /* groups of the host */
	uint32_t at;	      /* that PU in the topology of the host */
};

struct es__slots {
	const struct es__cluster *cluster; /* lent */
	struct es__slot *slots;		   /* in the order of hosts */
	uint32_t *first; /* slot of each host; first[host + 1] is its end */
	uint32_t count;
	size_t room;
	bool pus;		    /* a slot is a PU, not a core */
	struct es_machine *machine; /* slot n is slots[n] */
	/* Name of each level of the machine, such as "host". */
	const char *levels[ES_MACHINE_LEVELS];
	uint32_t level_count;
};

struct es__slots_options {
	uint32_t per_core; /* processes on each core, or PU */
	bool pus;	   /* a slot is a PU, not a core */
	const char *links; /* as of es_machine_synthetic; NULL: hops */
};

/*
 * es__slots_open - make slots of all cores that the hosts allow
 *
 * cluster	lent until es__slots_close
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	the links are no numbers, or too few or many
 *		PATHS_ERANGE	no core, or more slots or levels than a machine
 *				has
 *		PATHS_ENOMEM
 */
paths_status es__slots_open(const struct es__cluster *cluster,
    const struct es__slots_options *options, struct es__slots *slots)
    PATHS_CHECKED;

void es__slots_close(struct es__slots *slots);

#endif
