/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/graph.c - the log of steps of a program activity graph
 */

#include "scopes/graph/graph_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Steps whose memory is given back at a time. */
#define GRAPH_DROP (UINT64_C(256) * ES__GRAPH_BLOCK)

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
	st = es__spool_open(dir, &g->log);
	if (st == PATHS_OK && g->end_ns == NULL)
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
	es__spool_close(&graph->log);
	free(graph->end_ns);
	es__graph_names_fini(&graph->names);
	free(graph);
}

paths_status
es__graph_finish(struct es__graph *graph)
{
	paths_status st = es__spool_finish(&graph->log);

	graph->steps = (struct es__graph_step *)(void *)graph->log.bytes;
	return st;
}

/* Gives back the memory of steps that were read. */
static void
reader_drop(const struct es__graph *graph, uint64_t from, uint64_t to)
{
	es__spool_drop(&graph->log, from * sizeof(*graph->steps),
	    to * sizeof(*graph->steps));
}

struct es__graph_reader
es__graph_read(const struct es__graph *graph, bool backward)
{
	struct es__graph_reader reader = { .graph = graph,
		.next = backward ? graph->count : 0,
		.backward = backward };

	reader.dropped = reader.next;
	return reader;
}

/* Drops groups of blocks behind the reader. */
static void
reader_advance(struct es__graph_reader *r, uint64_t end)
{
	uint64_t edge = (r->backward ? end + GRAPH_DROP - 1 : end) /
	    GRAPH_DROP * GRAPH_DROP;

	if (r->backward && edge < r->dropped)
		reader_drop(r->graph, edge, r->dropped);
	else if (!r->backward && edge > r->dropped)
		reader_drop(r->graph, r->dropped, edge);
	else
		return;
	r->dropped = edge;
}

const struct es__graph_step *
es__graph_read_block(struct es__graph_reader *r, uint32_t *count)
{
	uint64_t left = r->backward ? r->next : r->graph->count - r->next;
	uint64_t first;

	reader_advance(r, r->next);
	*count = left < ES__GRAPH_BLOCK ? (uint32_t)left : ES__GRAPH_BLOCK;
	first = r->backward ? r->next - *count : r->next;
	r->next = r->backward ? first : first + *count;
	return &r->graph->steps[first];
}
