/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/turn.c - loops whose iterations are not those that the graph
 * alone shows
 */

#include "scopes/phase/turn_private.h"

/* Fewer instances show no distribution. */
#define COUNTS_MIN 10u
/* Share of the variance of random choices. */
#define RANDOM_MIN 0.6
/* Fewer repetitions show no period. */
#define REPEATS_MIN 3u

/* Returns the only node from which a loop is left; ES__PHASE_NONE: there are
   several. */
static uint32_t
loop_exit(const struct es__phase_nest *nest, uint32_t loop)
{
	uint32_t found = ES__PHASE_NONE;

	for (uint32_t e = 0; e < nest->graph->edge_count; e++) {
		const struct es__phase_edge *edge = &nest->graph->edges[e];
		uint32_t from = nest->loop_of[edge->from];
		uint32_t to = nest->loop_of[edge->to];

		if (from == ES__PHASE_NONE ||
		    !es__phase_nest_inside(nest, from, loop) ||
		    (to != ES__PHASE_NONE &&
			es__phase_nest_inside(nest, to, loop)))
			continue;
		if (found != ES__PHASE_NONE && found != edge->from)
			return ES__PHASE_NONE;
		found = edge->from;
	}
	return found;
}

/* Returns the only node that follows a node in a loop, without edges that begin
   an iteration; ES__PHASE_NONE: there is none, there are several, or the node
   is the last one of an iteration. */
static uint32_t
loop_after(const struct es__phase_nest *nest, uint32_t loop, uint32_t node)
{
	uint32_t e = nest->graph->nodes[node].out, found = ES__PHASE_NONE;

	for (; e != ES__PHASE_NONE; e = nest->graph->edges[e].out) {
		uint32_t to = nest->graph->edges[e].to;

		if (nest->back_of[e] == loop)
			return ES__PHASE_NONE;
		if (nest->back_of[e] != ES__PHASE_NONE ||
		    nest->loop_of[to] == ES__PHASE_NONE ||
		    !es__phase_nest_inside(nest, nest->loop_of[to], loop))
			continue;
		if (found != ES__PHASE_NONE)
			return ES__PHASE_NONE;
		found = to;
	}
	return found;
}

/* Returns the inner loop that begins with the same call as a loop. */
static uint32_t
loop_same(const struct es__phase_nest *nest, uint32_t loop)
{
	for (uint32_t n = loop + 1; n < nest->loop_count; n++)
		if (nest->loops[n].parent == loop &&
		    nest->loops[n].header == nest->loops[loop].header)
			return n;
	return ES__PHASE_NONE;
}

/* Returns whether the first instance of the inner loop is shorter than the
   others, which all have the same number of iterations: calls before the loop
   made it. */
static bool
same_begins_early(const struct es__phase_measure *m)
{
	double count = (double)m->count_last;

	return m->counts > 0 && m->count_first < m->count_last &&
	    m->count_min == m->count_last &&
	    m->count_sum < ((double)m->counts + 0.5) * count;
}

/* Returns whether instances of the inner loop have as many iterations as random
   choices give. */
static bool
same_random(const struct es__phase_measure *m)
{
	double mean, variance;

	if (m->counts < COUNTS_MIN || m->count_min != 1)
		return false;
	mean = m->count_sum / (double)m->counts;
	variance = m->count_squares / (double)m->counts - mean * mean;
	return variance >= RANDOM_MIN * mean * (mean - 1);
}

/* Returns whether a call occurs early in a loop, compared with the distance
   between two of it.  Otherwise some iterations do not make it. */
static bool
turn_early(const struct es__phase_nest *nest, uint32_t loop, uint32_t node)
{
	const struct es__phase_node *begin =
	    &nest->graph->nodes[nest->loops[loop].header];
	const struct es__phase_node *call = &nest->graph->nodes[node];

	return (call->first - begin->first) * 2 * call->count <=
	    nest->loops[loop].events;
}

/* Changes where iterations of a loop begin.  Returns whether it does. */
static bool
turn_loop(struct es__phase_nest *nest, const struct es__phase_stats *stats,
    uint32_t n)
{
	const struct es__phase_loop *loop = &nest->loops[n];
	uint32_t same = loop_same(nest, n), exit, after;

	if (nest->graph->order > 1 || loop->turned ||
	    nest->turn[loop->header] != ES__PHASE_NONE)
		return false;
	if (same != ES__PHASE_NONE && !same_begins_early(&stats->loops[same]))
		return false;
	exit = loop_exit(nest, n);
	after = exit == ES__PHASE_NONE ? exit : loop_after(nest, n, exit);
	if (after == ES__PHASE_NONE || nest->loop_of[after] != n ||
	    nest->graph->nodes[after].count * 3 >
		nest->graph->nodes[loop->header].count * 2)
		return false;
	if (!turn_early(nest, n, after))
		return false;
	nest->turn[loop->header] = after;
	return true;
}

static bool
merge_loop(struct es__phase_nest *nest, const struct es__phase_stats *stats,
    uint32_t n)
{
	uint32_t header = nest->loops[n].header;
	uint32_t same = loop_same(nest, n);

	if (same == ES__PHASE_NONE || nest->merge[header] ||
	    !same_random(&stats->loops[same]))
		return false;
	nest->merge[header] = true;
	return true;
}

/* Returns whether instances of a loop have one iteration, and now and then two,
   with a constant number of instances between. */
static bool
repeats_periodic(const struct es__phase_measure *m)
{
	return m->count_max == 2 && m->repeats >= REPEATS_MIN &&
	    m->repeat_gap_min == m->repeat_gap_max && m->repeat_gap_min > 1;
}

/* Returns the call by which an inner loop is repeated, after the one at which
   it ends and the next iteration of the loop around it may begin;
   ES__PHASE_NONE: there is none. */
static uint32_t
repeat_begin(const struct es__phase_nest *nest, uint32_t loop, uint32_t inner)
{
	uint32_t exit = loop_exit(nest, inner), edge;

	if (exit == ES__PHASE_NONE)
		return ES__PHASE_NONE;
	edge = nest->graph->nodes[exit].out;
	while (edge != ES__PHASE_NONE && nest->back_of[edge] != loop)
		edge = nest->graph->edges[edge].out;
	return edge == ES__PHASE_NONE ? edge : loop_after(nest, inner, exit);
}

/* Finds a call that an iteration may begin with instead of the header. */
static bool
other_loop(struct es__phase_nest *nest, const struct es__phase_stats *stats,
    uint32_t n)
{
	uint32_t header = nest->loops[n].header;

	if (nest->other[header] != ES__PHASE_NONE)
		return false;
	for (uint32_t i = n + 1;
	     i < nest->loop_count && nest->other[header] == ES__PHASE_NONE; i++)
		if (nest->loops[i].parent == n && !nest->loops[i].irregular &&
		    nest->loops[i].header != header &&
		    repeats_periodic(&stats->loops[i]))
			nest->other[header] = repeat_begin(nest, n, i);
	return nest->other[header] != ES__PHASE_NONE;
}

bool
es__phase_turn(struct es__phase_nest *nest, const struct es__phase_stats *stats)
{
	for (uint32_t n = 0; n < nest->loop_count; n++) {
		if (nest->loops[n].irregular || nest->loops[n].header_count > 1)
			continue;
		if (other_loop(nest, stats, n) || turn_loop(nest, stats, n) ||
		    merge_loop(nest, stats, n))
			return true;
	}
	return false;
}
