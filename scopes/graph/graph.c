/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/graph.c - the log of steps of a program activity graph
 */

#include "scopes/graph/graph_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Bytes of a log whose memory is given back at a time. */
#define GRAPH_DROP (UINT64_C(4) * 1024 * 1024)

paths_status
es__graph_create(const char *dir, uint32_t threads, int64_t start_ns,
    struct es__graph **graph)
{
	struct es__graph *g;
	paths_status st;

	if (threads >= ES__GRAPH_THREADS_MAX)
		return paths_log_fail(PATHS_EFULL, "over 2^24 threads");
	g = calloc(1, sizeof(*g));
	if (g == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	g->thread_count = threads;
	g->start_ns = g->from_ns = start_ns;
	g->to_ns = INT64_MIN;
	g->waited_bytes = UINT64_MAX;
	g->end_ns = malloc(((size_t)threads + 1) * sizeof(*g->end_ns));
	g->dir = dir != NULL ? strdup(dir) : NULL;
	st = es__graph_log_open(dir, &g->log);
	if (st == PATHS_OK &&
	    (g->end_ns == NULL || (dir != NULL && g->dir == NULL)))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	if (st != PATHS_OK) {
		es__graph_close(g);
		return st;
	}
	for (uint32_t n = 0; n < threads; n++)
		g->end_ns[n] = start_ns;
	*graph = g;
	return PATHS_OK;
}

void
es__graph_close(struct es__graph *graph)
{
	if (graph == NULL)
		return;
	es__graph_log_close(&graph->log);
	es__graph_log_close(&graph->settled);
	free(graph->dir);
	free(graph->end_ns);
	es__graph_names_fini(&graph->names);
	free(graph);
}

void
es__graph_unsettle(struct es__graph *graph)
{
	graph->unsettled = graph->count;
	graph->unsettled_byte = graph->log.spool.size;
	graph->unsettled_first = graph->count - graph->log.step_count;
}

paths_status
es__graph_finish(struct es__graph *graph)
{
	return es__graph_log_finish(&graph->log);
}

/* Begins to read a log. */
static void
reader_open(struct es__graph_reader *r, const struct es__graph_log *log,
    uint64_t at)
{
	r->log = log;
	r->at = r->dropped = at;
}

struct es__graph_reader
es__graph_read(const struct es__graph *graph, bool backward)
{
	struct es__graph_reader r;

	r.graph = graph;
	r.next = backward ? graph->count : 0;
	r.backward = backward;
	if (backward)
		reader_open(&r, &graph->log, graph->log.spool.size);
	else
		reader_open(&r,
		    graph->is_settled ? &graph->settled : &graph->log, 0);
	return r;
}

/* Gives back the memory of blocks behind the reader. */
static void
reader_drop(struct es__graph_reader *r)
{
	if (r->backward && r->dropped - r->at >= GRAPH_DROP)
		es__spool_drop(&r->log->spool, r->at, r->dropped);
	else if (!r->backward && r->at - r->dropped >= GRAPH_DROP)
		es__spool_drop(&r->log->spool, r->dropped, r->at);
	else
		return;
	r->dropped = r->at;
}

/* Reads the block of the first log in which the settled log ends, and changes
   over to the other log.  Leaves out the steps of the block that the settled
   log replaces. */
static const struct es__graph_step *
reader_turn(struct es__graph_reader *r, uint32_t *count)
{
	const struct es__graph *graph = r->graph;
	uint32_t replaced =
	    (uint32_t)(graph->unsettled - graph->unsettled_first);

	if (!r->backward)
		reader_open(r, &graph->log, graph->unsettled_byte);
	*count = es__graph_log_read(r->log, &r->at, r->backward, r->steps) -
	    replaced;
	if (r->backward)
		reader_open(r, &graph->settled, graph->settled.spool.size);
	r->next = r->backward ? graph->unsettled : graph->unsettled + *count;
	return r->steps + replaced;
}

/* Returns whether the next block is the one at which reading changes over to
   the other log. */
static bool
reader_turns(const struct es__graph_reader *r)
{
	const struct es__graph *graph = r->graph;

	if (!graph->is_settled)
		return false;
	return r->backward ?
	    r->log == &graph->log &&
		r->next <= graph->unsettled_first + ES__GRAPH_BLOCK :
	    r->log == &graph->settled && r->next == graph->unsettled;
}

const struct es__graph_step *
es__graph_read_block(struct es__graph_reader *r, uint32_t *count)
{
	const struct es__graph_step *steps;

	*count = 0;
	reader_drop(r);
	if (r->next == (r->backward ? 0 : r->graph->count))
		return r->steps;
	if (reader_turns(r)) {
		steps = reader_turn(r, count);
		if (*count > 0)
			return steps;
	}
	*count = es__graph_log_read(r->log, &r->at, r->backward, r->steps);
	r->next = r->backward ? r->next - *count : r->next + *count;
	return r->steps;
}
