/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/graph.c - the log of steps of a program activity graph
 */

#include "scopes/graph/graph_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

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
	g->start_ns = start_ns;
	g->waited_bytes = UINT64_MAX;
	g->end_ns = malloc(((size_t)threads + 1) * sizeof(*g->end_ns));
	st = es__scratch_open(dir, &g->log);
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
	es__scratch_close(&graph->log);
	free(graph->end_ns);
	free(graph->activities);
	free(graph->activity_names.slots);
	free(graph);
}

/* The name of an activity. */
struct activity_name {
	struct es__graph_activity activity;
	uint32_t number; /* from 1; 0: no name */
};

static bool
activity_used(const void *item)
{
	return ((const struct activity_name *)item)->number != 0;
}

static uint64_t
activity_hash(const void *item)
{
	const struct es__graph_activity *a =
	    &((const struct activity_name *)item)->activity;
	uint64_t one = (uint64_t)a->thread << 32 | a->site;
	uint64_t other = (uint64_t)a->from << 32 | a->function;

	return ((one * UINT64_C(0x9e3779b97f4a7c15) ^ other) *
		   UINT64_C(0xc2b2ae3d27d4eb4f)) >>
	    24;
}

static bool
activity_equal(const void *a, const void *b)
{
	return memcmp(&((const struct activity_name *)a)->activity,
		   &((const struct activity_name *)b)->activity,
		   sizeof(struct es__graph_activity)) == 0;
}

static const struct paths__hash_kind activity_kind = {
	.bytes = sizeof(struct activity_name),
	.used = activity_used,
	.hash = activity_hash,
	.equal = activity_equal,
};

uint32_t
es__graph_activity(struct es__graph *graph,
    const struct es__graph_activity *activity)
{
	struct activity_name name = { *activity, graph->activity_count + 1 };
	const struct activity_name *found;

	if (!paths__array_grow(&graph->activities, graph->activity_count,
		&graph->activity_room, sizeof(*graph->activities)))
		return PATHS_NONE;
	found = paths__hash_put(&graph->activity_names, &activity_kind, &name);
	if (found == NULL)
		return PATHS_NONE;
	if (found->number == name.number)
		graph->activities[graph->activity_count++] = *activity;
	return found->number - 1;
}

paths_status
es__graph_finish(struct es__graph *graph)
{
	paths_status st = es__scratch_finish(&graph->log);

	graph->steps = (struct es__graph_step *)(void *)graph->log.bytes;
	return st;
}

/* Gives back the memory of steps that were read. */
static void
reader_drop(const struct es__graph *graph, uint64_t from, uint64_t to)
{
	es__scratch_drop(&graph->log, from * sizeof(*graph->steps),
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
