/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/times.c - the current times of threads and slots, while a pass
 * follows the steps
 */

#include "scopes/graph/times_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

paths_status
es__graph_times_init(struct es__graph_times *times,
    const struct es__graph *graph)
{
	size_t threads = (size_t)graph->thread_count + 1;
	size_t slots = (size_t)graph->slot_count + 1;

	times->thread_ns = malloc(threads * sizeof(*times->thread_ns));
	times->slot_ns = calloc(slots, sizeof(*times->slot_ns));
	if (times->thread_ns == NULL || times->slot_ns == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t t = 0; t < graph->thread_count; t++)
		times->thread_ns[t] = graph->start_ns;
	return PATHS_OK;
}

void
es__graph_times_fini(struct es__graph_times *times)
{
	free(times->thread_ns);
	free(times->slot_ns);
}
