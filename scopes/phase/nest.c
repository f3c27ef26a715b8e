/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/nest.c - nested loops of a transition graph
 *
 * Sets of nodes wait in a list.  component.c divides a set into its strongly
 * connected components.  A component becomes a loop; its nodes, without the
 * edges that begin an iteration, are a new set, which has its inner loops.
 */

#include "scopes/phase/component_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* Loops at deeper levels are not searched. */
#define DEPTH_MAX 32u
/* More alternatives for the first call are irregular. */
#define HEADERS_MAX 16u

/* Returns whether an edge was not cut and leads from the set to the set. */
static bool
edge_in(const struct es__phase_nest *nest, uint32_t edge, uint32_t region)
{
	const struct es__phase_edge *e = &nest->graph->edges[edge];

	return nest->back_of[edge] == ES__PHASE_NONE &&
	    nest->region[e->from] == region && nest->region[e->to] == region;
}

/* Returns the count of the entries of a set; `entries` has room for
   HEADERS_MAX. */
static uint32_t
set_entries(const struct es__phase_nest *nest, const struct es__phase_set *set,
    uint32_t *entries)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < set->count; n++) {
		uint32_t edge = nest->in[set->nodes[n]];

		while (edge != ES__PHASE_NONE) {
			uint32_t from = nest->graph->edges[edge].from;

			if (nest->region[from] != set->region &&
			    !nest->late[from])
				break;
			edge = nest->in_next[edge];
		}
		if (edge == ES__PHASE_NONE)
			continue;
		if (count < HEADERS_MAX)
			entries[count] = set->nodes[n];
		count++;
	}
	return count;
}

/* Marks the nodes of a set from which a node is reached without passing
   `stop`.  Returns the count. */
static uint32_t
mark_before(struct es__phase_nest *nest, uint32_t region, uint32_t node,
    uint32_t stop)
{
	uint32_t mark = ++nest->mark_last, count = 0, top = 0;

	nest->mark[stop] = mark;
	if (node != stop) {
		nest->mark[node] = mark;
		nest->stack[top++] = node;
	}
	while (top > 0) {
		uint32_t edge = nest->in[nest->stack[--top]];

		count++;
		for (; edge != ES__PHASE_NONE; edge = nest->in_next[edge]) {
			uint32_t from = nest->graph->edges[edge].from;

			if (!edge_in(nest, edge, region) ||
			    nest->mark[from] == mark)
				continue;
			nest->mark[from] = mark;
			nest->stack[top++] = from;
		}
	}
	return count + 1;
}

static bool
is_one_of(uint32_t node, const uint32_t *list, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		if (list[n] == node)
			return true;
	return false;
}

/* Cuts the edges that lead from a set back to the headers of its loop. */
static void
cut_all(struct es__phase_nest *nest, const struct es__phase_set *set,
    uint32_t loop, const uint32_t *headers, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		uint32_t edge = nest->in[headers[n]];

		for (; edge != ES__PHASE_NONE; edge = nest->in_next[edge]) {
			uint32_t from = nest->graph->edges[edge].from;

			if (edge_in(nest, edge, set->region) &&
			    (count == 1 || !is_one_of(from, headers, count)))
				nest->back_of[edge] = loop;
		}
	}
}

/* Returns whether a node of a set has edges to at least two of the headers. */
static bool
latch_of_two(const struct es__phase_nest *nest, uint32_t node,
    const uint32_t *headers, uint32_t count)
{
	uint32_t edge = nest->graph->nodes[node].out, found = 0;

	for (; edge != ES__PHASE_NONE; edge = nest->graph->edges[edge].out)
		found += is_one_of(nest->graph->edges[edge].to, headers, count);
	return found >= 2;
}

/* Returns whether an iteration may begin with a header instead of another one:
   the same call is the last one before both. */
static bool
header_alternative(const struct es__phase_nest *nest,
    const struct es__phase_set *set, uint32_t header, const uint32_t *headers,
    uint32_t count)
{
	uint32_t edge = nest->in[header];

	for (; edge != ES__PHASE_NONE; edge = nest->in_next[edge]) {
		uint32_t from = nest->graph->edges[edge].from;

		if (edge_in(nest, edge, set->region) &&
		    !is_one_of(from, headers, count) &&
		    latch_of_two(nest, from, headers, count))
			return true;
	}
	return false;
}

/* Returns whether the edges between headers form no cycle: removes headers that
   no other one precedes, until none is left. */
static bool
headers_acyclic(const struct es__phase_nest *nest, uint32_t *headers,
    uint32_t count)
{
	while (count > 0) {
		uint32_t n = 0;

		for (; n < count; n++) {
			uint32_t edge = nest->in[headers[n]];

			while (edge != ES__PHASE_NONE &&
			    (nest->back_of[edge] != ES__PHASE_NONE ||
				!is_one_of(nest->graph->edges[edge].from,
				    headers, count)))
				edge = nest->in_next[edge];
			if (edge == ES__PHASE_NONE)
				break;
		}
		if (n == count)
			return false;
		headers[n] = headers[--count];
	}
	return true;
}

/* Returns whether the entries of a set are alternatives for the first call of
   an iteration. */
static bool
headers_valid(const struct es__phase_nest *nest,
    const struct es__phase_set *set, const uint32_t *headers, uint32_t count)
{
	uint32_t copy[HEADERS_MAX];

	if (count == 0 || count > HEADERS_MAX)
		return false;
	for (uint32_t n = 0; n < count; n++)
		if (!header_alternative(nest, set, headers[n], headers, count))
			return false;
	memcpy(copy, headers, count * sizeof(*headers));
	return headers_acyclic(nest, copy, count);
}

/* Sets `chosen` of the edges that lead back to a header to `value` if they have
   `from`.  Edges that were cut have none of both. */
static void
latches_choose(struct es__phase_nest *nest, uint32_t header, uint32_t from,
    uint32_t value)
{
	uint32_t edge = nest->in[header];

	for (; edge != ES__PHASE_NONE; edge = nest->in_next[edge])
		if (nest->chosen[edge] == from)
			nest->chosen[edge] = value;
}

enum { LATCH_NONE, LATCH, LATCH_OUTER };

/* Returns the edge that leads back to a header most often; chooses all. */
static uint32_t
latches_open(struct es__phase_nest *nest, const struct es__phase_set *set,
    uint32_t header)
{
	uint32_t edge = nest->in[header], most = ES__PHASE_NONE;

	for (; edge != ES__PHASE_NONE; edge = nest->in_next[edge]) {
		if (!edge_in(nest, edge, set->region))
			continue;
		nest->chosen[edge] = LATCH;
		if (most == ES__PHASE_NONE ||
		    nest->graph->edges[edge].count >
			nest->graph->edges[most].count)
			most = edge;
	}
	return most;
}

/* Returns the number of nodes that are marked and in the most frequent loop,
   whose nodes have an index. */
static uint32_t
latches_overlap(const struct es__phase_nest *nest,
    const struct es__phase_set *set)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < set->count; n++)
		count += nest->index[set->nodes[n]] != 0 &&
		    nest->mark[set->nodes[n]] == nest->mark_last;
	return count;
}

/*
 * Finds the edges that lead back to a header from an outer loop: that of the
 * most frequent edge is the inner one, and the outer one has other calls, too.
 * The inner loop may end within an iteration.  An edge whose loop has only the
 * header in common with the inner one, or is nearly as frequent, is another
 * alternative for the rest of an iteration.
 *
 * Returns the number of iterations of the inner loop for each of the outer one;
 * 0: there is none.
 */
static double
latches_outer(struct es__phase_nest *nest, const struct es__phase_set *set,
    uint32_t header, uint32_t most)
{
	uint32_t edge = nest->in[header];
	uint32_t size = mark_before(nest, set->region,
	    nest->graph->edges[most].from, header);
	uint64_t inner = 0, outer = 0;
	bool parts = false;

	for (uint32_t n = 0; n < set->count; n++)
		nest->index[set->nodes[n]] =
		    nest->mark[set->nodes[n]] == nest->mark_last;
	for (; edge != ES__PHASE_NONE; edge = nest->in_next[edge]) {
		const struct es__phase_edge *e = &nest->graph->edges[edge];
		uint32_t own, overlap;

		if (nest->chosen[edge] != LATCH)
			continue;
		own = mark_before(nest, set->region, e->from, header);
		overlap = latches_overlap(nest, set);
		if (own == overlap) {
			inner += e->count;
			continue;
		}
		nest->chosen[edge] = LATCH_OUTER;
		outer += e->count;
		nest->unclear |= overlap == 1 && size > 1;
		parts |= overlap < size;
		if (overlap == 1 && size > 1)
			return 0;
	}
	if (outer == 0 || inner < (parts ? 2 : 1) * outer)
		return 0;
	return (double)inner / (double)outer;
}

/*
 * Cuts the edges back to the header of a loop.  When the inner loop begins with
 * the same call, only those of the outer one.
 */
static void
cut_outer(struct es__phase_nest *nest, const struct es__phase_set *set,
    uint32_t loop)
{
	uint32_t header = nest->loops[loop].header, edge;
	uint32_t most = latches_open(nest, set, header);

	if (nest->merge[header] ||
	    latches_outer(nest, set, header, most) == 0) {
		latches_choose(nest, header, LATCH_OUTER, LATCH_NONE);
		latches_choose(nest, header, LATCH, LATCH_NONE);
		cut_all(nest, set, loop, &header, 1);
		return;
	}
	for (edge = nest->in[header]; edge != ES__PHASE_NONE;
	     edge = nest->in_next[edge])
		if (nest->chosen[edge] == LATCH_OUTER)
			nest->back_of[edge] = loop;
	latches_choose(nest, header, LATCH_OUTER, LATCH_NONE);
	latches_choose(nest, header, LATCH, LATCH_NONE);
	nest->loops[loop].shared = true;
}

/* Returns a loop with the nodes of a set; ES__PHASE_NONE: no memory. */
static uint32_t
nest_loop(struct es__phase_nest *nest, const struct es__phase_set *set,
    const uint32_t *headers, uint32_t count)
{
	struct es__phase_loop loop = { .parent = set->parent,
		.header = headers[0],
		.header_first = (uint32_t)nest->header_count,
		.header_count = count,
		.symbols = set->count };

	if (set->parent != ES__PHASE_NONE)
		loop.depth = nest->loops[set->parent].depth + 1;
	if (!paths__array_grow(&nest->loops, nest->loop_count, &nest->loop_room,
		sizeof(*nest->loops)) ||
	    !paths__array_reserve(&nest->headers, nest->header_count + count,
		&nest->header_room, sizeof(*nest->headers)))
		return ES__PHASE_NONE;
	memcpy(nest->headers + nest->header_count, headers,
	    count * sizeof(*headers));
	nest->header_count += count;
	for (uint32_t n = 0; n < set->count; n++) {
		nest->loop_of[set->nodes[n]] = (uint32_t)nest->loop_count;
		loop.events += nest->graph->nodes[set->nodes[n]].count;
	}
	nest->loops[nest->loop_count] = loop;
	return (uint32_t)nest->loop_count++;
}

/* Divides a set into the nodes that occur before an event, and those that
   occur only after it, and searches both. */
static paths_status
set_divide(struct es__phase_nest *nest, const struct es__phase_set *set,
    uint64_t last)
{
	struct es__phase_set early, late;
	paths_status st = es__phase_set_open(nest, set, &early);

	if (st == PATHS_OK)
		st = es__phase_set_open(nest, set, &late);
	for (uint32_t n = 0; st == PATHS_OK && n < set->count; n++) {
		uint32_t node = set->nodes[n];

		nest->late[node] = nest->graph->nodes[node].first > last;
		es__phase_set_add(nest, nest->late[node] ? &late : &early,
		    node);
	}
	if (st == PATHS_OK)
		st = es__phase_set_search(nest, &early);
	if (st == PATHS_OK)
		st = es__phase_set_search(nest, &late);
	return st;
}

/* Returns whether a node of a set occurs only after its header does for the
   last time: it is not in the loop. */
static bool
set_has_late(const struct es__phase_nest *nest, const struct es__phase_set *set,
    uint64_t last)
{
	for (uint32_t n = 0; n < set->count; n++)
		if (nest->graph->nodes[set->nodes[n]].first > last)
			return true;
	return false;
}

/* Makes a loop of a component, and searches it for inner ones. */
static paths_status
nest_component(struct es__phase_nest *nest, struct es__phase_set *set)
{
	uint32_t headers[HEADERS_MAX] = { 0 };
	uint32_t count = set_entries(nest, set, headers), loop;
	uint64_t last = nest->graph->nodes[headers[0]].last;
	bool valid = count == 1 || headers_valid(nest, set, headers, count);
	bool turned = false, other;

	if (count == 1 && set_has_late(nest, set, last)) {
		nest->unclear = true;
		return set_divide(nest, set, last);
	}
	if (count == 1 && nest->turn[headers[0]] != ES__PHASE_NONE &&
	    nest->region[nest->turn[headers[0]]] == set->region) {
		headers[0] = nest->turn[headers[0]];
		turned = true;
	}
	if (count == 0)
		headers[0] = set->nodes[0];
	headers[1] = count == 1 ? nest->other[headers[0]] : headers[1];
	other = count == 1 && headers[1] != ES__PHASE_NONE &&
	    nest->region[headers[1]] == set->region;
	loop = nest_loop(nest, set, headers, valid ? count + other : 1);
	if (loop == ES__PHASE_NONE)
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	nest->loops[loop].turned = turned;
	nest->loops[loop].irregular = !valid;
	nest->unclear |= !valid;
	if (!valid || nest->loops[loop].depth >= DEPTH_MAX)
		return PATHS_OK;
	if (count > 1)
		cut_all(nest, set, loop, headers, count);
	if (other)
		cut_all(nest, set, loop, &headers[1], 1);
	if (count == 1)
		cut_outer(nest, set, loop);
	set->parent = loop;
	set->found = false;
	return es__phase_set_search(nest, set);
}

/* Begins with all nodes but the first, which no edge leads to. */
static paths_status
nest_all(struct es__phase_nest *nest)
{
	struct es__phase_set like = { .parent = ES__PHASE_NONE,
		.count = (uint32_t)nest->graph->node_count };
	struct es__phase_set set;
	paths_status st = es__phase_set_open(nest, &like, &set);

	if (st != PATHS_OK)
		return st;
	for (uint32_t n = 1; n < nest->graph->node_count; n++)
		es__phase_set_add(nest, &set, n);
	return es__phase_set_search(nest, &set);
}

static paths_status
nest_search(struct es__phase_nest *nest)
{
	paths_status st = nest_all(nest);

	while (st == PATHS_OK && nest->set_count > 0) {
		struct es__phase_set set = nest->sets[--nest->set_count];

		st = set.found ? nest_component(nest, &set) :
				 es__phase_set_components(nest, &set);
		free(set.nodes);
	}
	return st;
}

static void
nest_clear(struct es__phase_nest *nest)
{
	size_t nodes = nest->graph->node_count;

	nest->loop_count = nest->header_count = 0;
	nest->unclear = false;
	memset(nest->loop_of, 0xff, nodes * sizeof(*nest->loop_of));
	memset(nest->back_of, 0xff,
	    nest->graph->edge_count * sizeof(*nest->back_of));
	memset(nest->chosen, 0,
	    nest->graph->edge_count * sizeof(*nest->chosen));
	memset(nest->late, 0, nodes * sizeof(*nest->late));
	memset(nest->region, 0, nodes * sizeof(*nest->region));
}

static bool
nest_room(struct es__phase_nest *nest)
{
	size_t nodes = nest->graph->node_count + 1;
	size_t edges = nest->graph->edge_count + 1;
	uint32_t **const by_node[] = { &nest->loop_of, &nest->in, &nest->region,
		&nest->mark, &nest->index, &nest->low, &nest->cursor,
		&nest->stack, &nest->frames, &nest->turn, &nest->other };
	uint32_t **const by_edge[] = { &nest->back_of, &nest->in_next,
		&nest->chosen };

	nest->late = malloc(nodes * sizeof(*nest->late));
	nest->merge = calloc(nodes, sizeof(*nest->merge));
	if (nest->late == NULL || nest->merge == NULL)
		return false;
	for (size_t n = 0; n < sizeof(by_node) / sizeof(by_node[0]); n++)
		if ((*by_node[n] = calloc(nodes, sizeof(uint32_t))) == NULL)
			return false;
	for (size_t n = 0; n < sizeof(by_edge) / sizeof(by_edge[0]); n++)
		if ((*by_edge[n] = calloc(edges, sizeof(uint32_t))) == NULL)
			return false;
	memset(nest->in, 0xff, nodes * sizeof(*nest->in));
	memset(nest->turn, 0xff, nodes * sizeof(*nest->turn));
	memset(nest->other, 0xff, nodes * sizeof(*nest->other));
	for (uint32_t e = 0; e < nest->graph->edge_count; e++) {
		uint32_t to = nest->graph->edges[e].to;

		nest->in_next[e] = nest->in[to];
		nest->in[to] = e;
	}
	return true;
}

void
es__phase_nest_close(struct es__phase_nest *nest)
{
	while (nest->set_count > 0)
		free(nest->sets[--nest->set_count].nodes);
	free(nest->sets);
	free(nest->loops);
	free(nest->headers);
	free(nest->loop_of);
	free(nest->back_of);
	free(nest->in);
	free(nest->in_next);
	free(nest->region);
	free(nest->mark);
	free(nest->index);
	free(nest->low);
	free(nest->cursor);
	free(nest->stack);
	free(nest->frames);
	free(nest->chosen);
	free(nest->late);
	free(nest->merge);
	free(nest->turn);
	free(nest->other);
	*nest = (struct es__phase_nest){ .graph = NULL };
}

paths_status
es__phase_nest_again(struct es__phase_nest *nest)
{
	nest_clear(nest);
	return nest_search(nest);
}

paths_status
es__phase_nest_make(struct es__phase_nest *nest,
    const struct es__phase_graph *graph)
{
	*nest = (struct es__phase_nest){ .graph = graph };
	if (!nest_room(nest))
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	return es__phase_nest_again(nest);
}
