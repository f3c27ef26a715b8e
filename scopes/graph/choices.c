/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/choices.c - counts the operations of a graph that could have got
 * another message or tuple
 */

#include "scopes/graph/choices_private.h"

#include "scopes/graph/critical_private.h"
#include "scopes/graph/pass_private.h"

static paths_status
choices_take(void *self, const struct es__graph_step *steps, uint32_t count)
{
	struct es__graph_choices *choices = self;

	for (uint32_t n = 0; n < count; n++)
		if (steps[n].kind == ES__GRAPH_LEAVE)
			es__graph_count_add(&choices[steps[n].at].all,
			    steps[n].flags);
	return PATHS_OK;
}

static bool
choices_pass(void *to, const struct es__graph_segment *segment)
{
	struct es__graph_choices *choices = to;

	es__graph_count_add(&choices[segment->activity].path, segment->flags);
	return true;
}

paths_status
es__graph_choices_find(const struct es__graph *graph,
    struct es__graph_choices *choices)
{
	struct es__graph_pass pass = { choices, choices_take };
	paths_status st = PATHS_OK;

	if (graph->account.choices > 0)
		st = es__graph_pass(graph, &pass, 1);
	return st == PATHS_OK && graph->account.choices > 0 ?
	    es__graph_critical(graph, choices_pass, choices) :
	    st;
}
