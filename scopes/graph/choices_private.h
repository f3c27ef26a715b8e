/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/choices_private.h - counts the operations of a graph that could
 * have got another message or tuple
 *
 * A graph has the matches of the measured run.  In a run with other times, an
 * operation with the flag ANY or FIRST could have got another message or tuple.
 */

#ifndef SCOPES_GRAPH_CHOICES_PRIVATE_H
#define SCOPES_GRAPH_CHOICES_PRIVATE_H

#include "scopes/graph/graph_private.h"

/* Numbers of operations with the flag ANY, with FIRST, and with at least one of
   them. */
struct es__graph_count {
	uint64_t any, first, either;
};

/* Choices in all operations of an activity, and in those on the critical
   path. */
struct es__graph_choices {
	struct es__graph_count all, path;
};

/* Counts an operation by the flags of its step LEAVE. */
static inline void
es__graph_count_add(struct es__graph_count *count, uint32_t flags)
{
	count->any += (flags & ES__GRAPH_ANY) != 0;
	count->first += (flags & ES__GRAPH_FIRST) != 0;
	count->either += (flags & (ES__GRAPH_ANY | ES__GRAPH_FIRST)) != 0;
}

/*
 * es__graph_choices_find - count the operations that could have got something
 * else
 *
 * graph	finished
 * choices	of each activity, all zeros; the counts are added
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_choices_find(const struct es__graph *graph,
    struct es__graph_choices *choices) PATHS_CHECKED;

#endif
