/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/classes.c - groups the activities of all threads that are the
 * same code
 */

#include "scopes/graph/classes_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

paths_status
es__graph_classes_init(const struct es__graph *graph, es__graph_site *site,
    const void *from, struct es__graph_classes *classes)
{
	classes->of =
	    calloc((size_t)graph->names.count + 1, sizeof(*classes->of));
	for (uint32_t n = 0; classes->of != NULL && n < graph->names.count;
	     n++) {
		struct es__graph_activity a = graph->names.list[n];

		if (a.from != PATHS_NONE)
			a.from = site(from, a.thread, a.from);
		a.site = site(from, a.thread, a.site);
		a.thread = 0;
		classes->of[n] = es__graph_names_put(&classes->names, &a);
		if (classes->of[n] == PATHS_NONE)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a graph");
	}
	classes->count = classes->names.count;
	return classes->of != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

void
es__graph_classes_fini(struct es__graph_classes *classes)
{
	free(classes->of);
	es__graph_names_fini(&classes->names);
}
