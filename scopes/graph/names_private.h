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
	/* The interval begins when the last activity with this value ends:
	   MPI_Init, or the time of a thread before its oldest call that is
	   retained. */
	ES__GRAPH_BEGINS,
	/* The interval ends when the last activity with this value ends. */
	ES__GRAPH_ENDS
};

/* Something that a thread does again and again: computing between operations at
   two sites, or an operation at a site.  In the graph of a run of paths, sites
   are those of scopes/graph/path_private.h. */
struct es__graph_activity {
	uint32_t thread;
	/* computation: site of the operation before it, PATHS_NONE: none; MPI
	   call: PATHS_NONE; operation on a path: its path. */
	uint32_t from;
	/* operation: its site; computation: site of the next operation. */
	uint32_t site;
	uint32_t function; /* function of an operation; 0: a computation */
	uint32_t edge;	   /* enum es__graph_edge */
};

/* Numbers in the direct-mapped cache of names: a power of two. */
#define ES__GRAPH_NAMES_CACHE 1024u

/* All zeros at first. */
struct es__graph_names {
	struct es__graph_activity *list; /* by number */
	uint32_t count;
	size_t room;
	struct paths__hash numbers;
	/* Direct-mapped cache: numbers by hash of their activity. */
	uint32_t cache[ES__GRAPH_NAMES_CACHE];
};

static inline uint64_t
es__graph_activity_hash(const struct es__graph_activity *a)
{
	uint64_t one = (uint64_t)a->thread << 32 | a->site;
	uint64_t other = (uint64_t)a->from << 32 | a->function;
	uint64_t mixed = one * UINT64_C(0x9e3779b97f4a7c15) ^
	    other * UINT64_C(0xc2b2ae3d27d4eb4f);

	mixed ^= mixed >> 32;
	return mixed * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static inline bool
es__graph_activity_same(const struct es__graph_activity *a,
    const struct es__graph_activity *b)
{
	return a->thread == b->thread && a->from == b->from &&
	    a->site == b->site && a->function == b->function &&
	    a->edge == b->edge;
}

/* As es__graph_names_put, but without the cache. */
uint32_t es__graph_names_add(struct es__graph_names *names,
    const struct es__graph_activity *activity);

/* Returns the number of an activity, which is added if it is new; PATHS_NONE:
   no memory. */
static inline uint32_t
es__graph_names_put(struct es__graph_names *names,
    const struct es__graph_activity *activity)
{
	uint32_t *cached = &names->cache[es__graph_activity_hash(activity) &
	    (ES__GRAPH_NAMES_CACHE - 1)];
	uint32_t number = *cached;

	if (number < names->count &&
	    es__graph_activity_same(&names->list[number], activity))
		return number;
	number = es__graph_names_add(names, activity);
	if (number < names->count)
		*cached = number;
	return number;
}

void es__graph_names_fini(struct es__graph_names *names);

#endif
