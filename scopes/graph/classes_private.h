/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/classes_private.h - activities that are the same for all threads
 */

#ifndef SCOPES_GRAPH_CLASSES_PRIVATE_H
#define SCOPES_GRAPH_CLASSES_PRIVATE_H

#include "scopes/graph/graph_private.h"

struct es__graph_classes {
	uint32_t *of; /* of each activity */
	uint32_t count;
	/* Less time in one class makes up for more in another, when a thread
	   is late.  Set by the caller. */
	bool net;
	struct es__graph_names names; /* of classes; their thread is 0 */
};

/* Returns the number of the run of a site of a thread. */
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
