/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/classes_private.h - groups the activities of all threads that
 * are the same code
 */

#ifndef SCOPES_GRAPH_CLASSES_PRIVATE_H
#define SCOPES_GRAPH_CLASSES_PRIVATE_H

#include "scopes/graph/graph_private.h"

struct es__graph_classes {
	uint32_t *of; /* class of each activity */
	uint32_t count;
	/* When a thread is late, less time in one class makes up for more time
	   in another.  Set by the caller. */
	bool net;
	/* Names of the classes; their thread is 0. */
	struct es__graph_names names;
};

/* Returns a number for a site of a thread that is the same in all threads. */
typedef uint32_t es__graph_site(const void *from, uint32_t thread,
    uint32_t site);

/*
 * es__graph_classes_init - give activities of the same code the same class
 *
 * site		is called for the sites of activities
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__graph_classes_fini, also on failure
 */
paths_status es__graph_classes_init(const struct es__graph *graph,
    es__graph_site *site, const void *from, struct es__graph_classes *classes)
    PATHS_CHECKED;
void es__graph_classes_fini(struct es__graph_classes *classes);

#endif
