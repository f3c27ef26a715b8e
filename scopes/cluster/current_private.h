/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/current_private.h - the slots on which processes ran
 */

#ifndef SCOPES_CLUSTER_CURRENT_PRIVATE_H
#define SCOPES_CLUSTER_CURRENT_PRIVATE_H

#include "scopes/cluster/recorded_private.h"
#include "scopes/cluster/slots_private.h"

/* Numbers of processes whose slot is not known exactly. */
struct es__current_notes {
	uint32_t unknown; /* no binding was recorded */
	uint32_t wide;	  /* bound to several cores */
	uint32_t taken;	  /* the cores of its binding had other processes */
};

/*
 * es__current_find - the slots of processes, from their bindings
 *
 * A process that may run on several slots counts as on the first that is free;
 * those with fewest choices come first.  A process without a binding, or whose
 * slots have others, counts as on the first free one of its host.
 *
 * at		out: slot of each process
 * notes	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	a process ran on a host that has no slots
 *		PATHS_ERANGE	a host has more processes than slots
 *		PATHS_ENOMEM
 */
paths_status es__current_find(const struct es__slots *slots,
    const struct es__binding *bindings, uint32_t count, uint32_t *at,
    struct es__current_notes *notes) PATHS_CHECKED;

#endif
