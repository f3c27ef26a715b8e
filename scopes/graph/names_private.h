/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/names_private.h - numbers the activities of a graph
 */

#ifndef SCOPES_GRAPH_NAMES_PRIVATE_H
#define SCOPES_GRAPH_NAMES_PRIVATE_H

#include "libpaths/base/hash.h"

/* An end of the measured interval of a run. */
enum es__graph_edge {
	ES__GRAPH_INSIDE,
	/* It begins when the last such activity ends: MPI_Init, or what a
	   thread did before the oldest call that is retained. */
	ES__GRAPH_BEGINS,
	ES__GRAPH_ENDS /* it ends when the last such activity ends */
};

/* Something that a thread does again and again: computing between operations at
   two sites, or an operation at a site. */
struct es__graph_activity {
	uint32_t thread;
	uint32_t from;	   /* site of the operation before a computation;
			      PATHS_NONE: none, or it is an operation */
	uint32_t site;	   /* of the operation, or of the one that follows */
	uint32_t function; /* of an operation; 0: it is a computation */
	uint32_t edge;	   /* enum es__graph_edge */
};

/* All zeros at first. */
struct es__graph_names {
	struct es__graph_activity *list; /* by number */
	uint32_t count;
	size_t room;
	struct paths__hash numbers;
};

/* Returns the number of an activity, which is added if it is new; PATHS_NONE:
   no memory. */
uint32_t es__graph_names_put(struct es__graph_names *names,
    const struct es__graph_activity *activity);

void es__graph_names_fini(struct es__graph_names *names);

#endif
