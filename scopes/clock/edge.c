/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/edge.c - measures pairs of clocks by the operations between them
 */

#include "scopes/clock/edge_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/walk_private.h"

#include <stdlib.h>

/* Returns whether a collector is above a proxy to another clock; from, to: out,
   the two domains. */
static bool
edge_crosses(const struct es_analysis *a, uint32_t collector, uint32_t *from,
    uint32_t *to)
{
	const struct es__segment *s = &a->graph.segments[collector];

	/* Operations wait in a join, so stamps around it do not measure how
	   long they travel. */
	if (s->tree == PATHS_NONE || s->below == PATHS_NONE ||
	    s->join != PATHS_NONE)
		return false;
	*from = a->clocks.domain_of[a->run->collectors[collector].process];
	*to = a->clocks.domain_of[a->run->collectors[s->below].process];
	return *from != *to;
}

/* A collector above a proxy to another clock. */
struct crossing {
	uint32_t from, to, collector;
};

static int
crossing_order(const void *left, const void *right)
{
	const struct crossing *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->collector < b->collector ? -1 : a->collector > b->collector;
}

/* Finds all crossings, in the order of edges; returns their count. */
static uint32_t
crossings_find(const struct es_analysis *a, struct crossing *crossings)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < a->run->collector_count; c++) {
		struct crossing *x = &crossings[count];

		x->collector = c;
		if (edge_crosses(a, c, &x->from, &x->to))
			count++;
	}
	qsort(crossings, count, sizeof(*crossings), crossing_order);
	return count;
}

static void
edge_add_crossing(struct es__clocks *clocks, const struct crossing *x,
    uint32_t *above)
{
	struct es__clock_edge *edge = clocks->edge_count > 0 ?
	    &clocks->edges[clocks->edge_count - 1] :
	    NULL;

	*above = x->collector;
	if (edge == NULL || edge->from != x->from || edge->to != x->to) {
		edge = &clocks->edges[clocks->edge_count++];
		*edge = (struct es__clock_edge){ .from = x->from,
			.to = x->to,
			.above = above };
	}
	edge->above_count++;
}

paths_status
es__clock_edge_find_all(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	uint32_t collectors = a->run->collector_count;
	struct crossing *crossings = calloc(collectors + 1, sizeof(*crossings));

	clocks->above = calloc(collectors + 1, sizeof(*clocks->above));
	clocks->edges = calloc(collectors + 1, sizeof(*clocks->edges));
	if (crossings != NULL && clocks->above != NULL &&
	    clocks->edges != NULL) {
		uint32_t count = crossings_find(a, crossings);

		for (uint32_t n = 0; n < count; n++)
			edge_add_crossing(clocks, &crossings[n],
			    &clocks->above[n]);
	}
	free(crossings);
	return crossings != NULL && clocks->above != NULL &&
		clocks->edges != NULL ?
	    PATHS_OK :
	    PATHS_ENOMEM;
}

static void
edge_stamps(struct es__clock_stamps *stamps, const struct es__walk *walk,
    const struct es__clock_ends *ends)
{
	const struct es_tuple_path *above = walk->lanes[0].tuple;
	const struct es_tuple_path *below = walk->lanes[1].tuple;

	stamps->t1 = es_time_ns(ends->from, above->start);
	stamps->t2 = es_time_ns(ends->to, below->start);
	stamps->t3 = es_time_ns(ends->to, below->stop);
	stamps->t4 = es_time_ns(ends->from, above->stop);
	stamps->down = above->op == PATHS_READ ? 0 : above->bytes;
	stamps->up = above->op == PATHS_WRITE ? 0 : above->bytes;
}

struct es__clock_ends
es__clock_edge_local(const struct es_analysis *a,
    const struct es__clock_edge *edge)
{
	return (struct es__clock_ends){ &a->clocks.domains[edge->from].local,
		&a->clocks.domains[edge->to].local };
}

paths_status
es__clock_edge_each(const struct es_analysis *a,
    const struct es__clock_edge *edge, struct es__clock_ends ends,
    es__clock_stamps_do *each, void *context)
{
	for (uint32_t n = 0; n < edge->above_count; n++) {
		uint32_t above = edge->above[n];
		uint32_t pair[2] = { above, a->graph.segments[above].below };
		struct es__walk walk;
		struct es__clock_stamps stamps;
		paths_status st = es__walk_open(&walk, a, pair, 2,
		    es__walk_range(a, pair, 2));

		while (st == PATHS_OK && es__walk_next(&walk)) {
			edge_stamps(&stamps, &walk, &ends);
			each(context, &stamps);
		}
		es__walk_close(&walk);
		if (st != PATHS_OK)
			return st;
	}
	return PATHS_OK;
}

/* The sums of an edge.  They are of differences to the first operation, so
   that they stay small. */
struct measure {
	struct es__clock_edge *edge;
	int64_t first;
	int64_t sum;
};

static void
edge_measure_one(void *context, const struct es__clock_stamps *s)
{
	struct measure *m = context;
	int64_t upper = s->t2 - s->t1, lower = s->t3 - s->t4;
	/* o = t2 - (t1 + c), c = ((t4 - t1) - (t3 - t2)) / 2; twice that. */
	int64_t twice = upper + lower;
	int64_t travel = upper - lower;

	if (m->edge->operations++ == 0) {
		m->first = twice;
		m->edge->upper_ns = upper;
		m->edge->lower_ns = lower;
		m->edge->least_ns = INT64_MAX;
	}
	if (travel < m->edge->least_ns) {
		m->edge->least_ns = travel;
		m->edge->least_offset_ns = twice / 2;
	}
	m->sum += twice - m->first;
	if (upper < m->edge->upper_ns)
		m->edge->upper_ns = upper;
	if (lower > m->edge->lower_ns)
		m->edge->lower_ns = lower;
}

static paths_status
edge_measure(void *context, size_t item, void *result)
{
	struct es_analysis *a = context;
	struct es__clock_edge *edge = &a->clocks.edges[item];
	struct measure m = { .edge = edge };
	paths_status st = es__clock_edge_each(a, edge,
	    es__clock_edge_local(a, edge), edge_measure_one, &m);

	(void)result;
	if (st == PATHS_OK && edge->operations > 0)
		edge->offset_ns =
		    (m.first + m.sum / (int64_t)edge->operations) / 2;
	return st;
}

paths_status
es__clock_edge_measure(struct es_analysis *a)
{
	struct es__work work = { .count = a->clocks.edge_count,
		.context = a,
		.work = edge_measure };

	return es__work_run(&work, a->threads);
}

const struct es__clock_edge *
es__clock_edge_find(const struct es__clocks *clocks, uint32_t from, uint32_t to)
{
	for (uint32_t e = 0; e < clocks->edge_count; e++) {
		const struct es__clock_edge *edge = &clocks->edges[e];

		if (edge->from == from && edge->to == to &&
		    edge->operations > 0)
			return edge;
	}
	return NULL;
}
