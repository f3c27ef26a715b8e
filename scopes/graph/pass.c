/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/pass.c - makes several passes over a graph while its log is read
 * once
 */

#include "scopes/graph/pass_private.h"

paths_status
es__graph_pass(const struct es__graph *graph,
    const struct es__graph_pass *passes, size_t pass_count)
{
	struct es__graph_reader reader = es__graph_read(graph, false);
	uint32_t count = 1;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && count > 0) {
		const struct es__graph_step *steps =
		    es__graph_read_block(&reader, &count);

		for (size_t n = 0; st == PATHS_OK && n < pass_count; n++)
			st = passes[n].take(passes[n].self, steps, count);
	}
	return st;
}
