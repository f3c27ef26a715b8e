/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/edge.c - measures pairs of clocks by the operations between them
 */

#include "scopes/clock/edge_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/message_private.h"
#include "scopes/clock/travel_private.h"
#include "scopes/clock/walk_private.h"

#include "libpaths/base/array.h"

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

/* Adds the edges of operations. */
static paths_status
edges_add_operations(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	uint32_t collectors = a->run->collector_count;
	struct crossing *crossings = calloc(collectors + 1, sizeof(*crossings));

	clocks->above = calloc(collectors + 1, sizeof(*clocks->above));
	clocks->edges = calloc(collectors + 1, sizeof(*clocks->edges));
	clocks->edge_room = collectors + 1;
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

/* Returns the edge of a message, which is added if there is none. */
static struct es__clock_edge *
edge_of_message(struct es__clocks *clocks, const struct es__clock_message *m)
{
	struct es__clock_edge *edge;

	for (uint32_t e = 0; e < clocks->edge_count; e++)
		if (clocks->edges[e].from == m->from &&
		    clocks->edges[e].to == m->to)
			return &clocks->edges[e];
	if (!paths__array_grow(&clocks->edges, clocks->edge_count,
		&clocks->edge_room, sizeof(*edge)))
		return NULL;
	edge = &clocks->edges[clocks->edge_count++];
	*edge = (struct es__clock_edge){ .from = m->from, .to = m->to };
	return edge;
}

static paths_status
edges_add_messages(struct es__clocks *clocks)
{
	struct es__clock_edge *edge = NULL;

	for (size_t n = 0; n < clocks->message_count; n++) {
		const struct es__clock_message *m = &clocks->messages[n];

		if (edge == NULL || edge->from != m->from ||
		    edge->to != m->to) {
			edge = edge_of_message(clocks, m);
			if (edge == NULL)
				return PATHS_ENOMEM;
			edge->messages = m;
		}
		edge->message_count++;
	}
	return PATHS_OK;
}

static int
edge_order(const void *left, const void *right)
{
	const struct es__clock_edge *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

paths_status
es__clock_edge_find_all(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	paths_status st = edges_add_operations(a);

	if (st == PATHS_OK)
		st = es__clock_message_find(a);
	if (st == PATHS_OK)
		st = es__clock_travel_find(a);
	if (st == PATHS_OK)
		st = edges_add_messages(clocks);
	if (st == PATHS_OK && clocks->edge_count > 0)
		qsort(clocks->edges, clocks->edge_count, sizeof(*clocks->edges),
		    edge_order);
	return st;
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

const void *
es__clock_edge_tuples(const struct es_analysis *a,
    const struct es__clock_edge *edge)
{
	return edge->above_count == 0 ?
	    NULL :
	    es__work_tuples(&a->run->collectors[edge->above[0]]);
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

void
es__clock_edge_each_trip(const struct es__clock_edge *edge,
    struct es__clock_ends ends, es__clock_trip_do *each, void *context)
{
	for (size_t n = 0; n < edge->message_count; n++) {
		const struct es__clock_message *m = &edge->messages[n];
		struct es__clock_trip trip = { es_time_ns(ends.from, m->sent),
			es_time_ns(ends.to, m->received), m->bytes };

		each(context, &trip);
	}
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

/* Measures a message, until the edges of both directions are combined. */
static void
edge_measure_trip(void *context, const struct es__clock_trip *t)
{
	struct measure *m = context;
	int64_t upper = es__clock_apart(t->received, t->sent);

	if (m->first == INT64_MIN) {
		m->first = upper;
		m->edge->upper_ns = upper;
	}
	m->sum += upper - m->first;
	if (upper < m->edge->upper_ns)
		m->edge->upper_ns = upper;
}

static paths_status
edge_measure(void *context, size_t item, void *result)
{
	struct es_analysis *a = context;
	struct es__clock_edge *edge = &a->clocks.edges[item];
	struct es__clock_ends ends = es__clock_edge_local(a, edge);
	struct measure m = { .edge = edge };
	paths_status st =
	    es__clock_edge_each(a, edge, ends, edge_measure_one, &m);

	(void)result;
	if (st == PATHS_OK && edge->operations > 0)
		edge->offset_ns =
		    (m.first + m.sum / (int64_t)edge->operations) / 2;
	if (st != PATHS_OK || edge->operations > 0 || edge->message_count == 0)
		return st;
	m.first = INT64_MIN;
	es__clock_edge_each_trip(edge, ends, edge_measure_trip, &m);
	edge->offset_ns = m.first + m.sum / (int64_t)edge->message_count;
	return PATHS_OK;
}

/* Returns the edge of two domains; NULL: there is none. */
static struct es__clock_edge *
edge_between(const struct es__clocks *clocks, uint32_t from, uint32_t to)
{
	for (uint32_t e = 0; e < clocks->edge_count; e++)
		if (clocks->edges[e].from == from && clocks->edges[e].to == to)
			return &clocks->edges[e];
	return NULL;
}

/* Takes messages of both directions for operations: a message there, and one
   back. */
static void
edge_pair(struct es__clock_edge *edge, struct es__clock_edge *back)
{
	int64_t mean = edge->offset_ns - back->offset_ns;
	int64_t least = edge->upper_ns - back->upper_ns;

	edge->operations = edge->message_count;
	back->operations = back->message_count;
	edge->offset_ns = mean / 2;
	back->offset_ns = -mean / 2;
	edge->least_offset_ns = least / 2;
	back->least_offset_ns = -least / 2;
	edge->least_ns = back->least_ns = edge->upper_ns + back->upper_ns;
	edge->lower_ns = -back->upper_ns;
	back->lower_ns = -edge->upper_ns;
}

static const void *
edge_reads(const void *context, size_t item)
{
	const struct es_analysis *a = context;

	return es__clock_edge_tuples(a, &a->clocks.edges[item]);
}

static void
edge_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es_analysis *a = context;

	es__pack_put(pack, &a->clocks.edges[item], sizeof(*a->clocks.edges));
}

/* Takes the measures of an edge.  The rest is the same on this rank, where
   threads read it meanwhile. */
static void
edge_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es_analysis *a = context;
	struct es__clock_edge *edge = &a->clocks.edges[item];
	struct es__clock_edge measured = { 0 };

	es__pack_get(pack, &measured, sizeof(measured));
	edge->operations = measured.operations;
	edge->offset_ns = measured.offset_ns;
	edge->least_ns = measured.least_ns;
	edge->least_offset_ns = measured.least_offset_ns;
	edge->upper_ns = measured.upper_ns;
	edge->lower_ns = measured.lower_ns;
}

paths_status
es__clock_edge_measure(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	struct es__work work = { .count = clocks->edge_count,
		.context = a,
		.work = edge_measure,
		.reads = edge_reads,
		.pack = edge_pack,
		.unpack = edge_unpack };
	paths_status st = es__work_run(&work, a->threads);

	for (uint32_t e = 0; st == PATHS_OK && e < clocks->edge_count; e++) {
		struct es__clock_edge *edge = &clocks->edges[e];
		struct es__clock_edge *back =
		    edge_between(clocks, edge->to, edge->from);

		if (edge->operations == 0 && edge->message_count > 0 &&
		    back != NULL && back->operations == 0 &&
		    back->message_count > 0)
			edge_pair(edge, back);
	}
	return st;
}

const struct es__clock_edge *
es__clock_edge_find(const struct es__clocks *clocks, uint32_t from, uint32_t to)
{
	const struct es__clock_edge *edge = edge_between(clocks, from, to);

	return edge != NULL && edge->operations > 0 ? edge : NULL;
}
