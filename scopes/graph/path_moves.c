/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_moves.c - divides an operation on a path into moves, which
 * its thread makes one after the other
 */

#include "scopes/graph/path_moves_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

static paths_status
moves_add(struct es__path_moves *m, struct es__path_move move)
{
	if (!paths__array_grow(&m->list, m->count, &m->room, sizeof(*m->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	m->list[m->count++] = move;
	return PATHS_OK;
}

/* Adds a move SPEND at a stage until a time, or prolongs the last move if it is
   one at the same stage. */
static paths_status
moves_spend(struct es__path_moves *m, uint32_t stage, int64_t ns)
{
	struct es__path_move *last =
	    m->count > 0 ? &m->list[m->count - 1] : NULL;

	if (last != NULL && last->kind == ES__PATH_SPEND && last->at == stage) {
		last->ns = ns;
		return PATHS_OK;
	}
	return moves_add(m,
	    (struct es__path_move){ ES__PATH_SPEND, stage, stage, ns });
}

/* Adds the moves at the join below a collector. */
static paths_status
moves_join(struct es__path_moves *m, const struct es__path_tree *t,
    uint32_t path, const struct es__path_op *op, const struct es__segment *s)
{
	uint32_t join = t->lanes[s->slot].join;
	paths_status st = PATHS_OK;

	if (join == PATHS_NONE)
		return PATHS_OK;
	if (op->carriers[s->slot] == path)
		st = moves_add(m,
		    (struct es__path_move){ ES__PATH_ARRIVE, s->slot, s->stage,
			op->moments[s->slot].start_ns });
	return st == PATHS_OK ? moves_add(m,
				    (struct es__path_move){ ES__PATH_MEET, join,
					s->stage, op->meets[join].last_ns }) :
				st;
}

/* Adds the moves at the element below a collector. */
static paths_status
moves_element(struct es__path_moves *m, const struct es__path_tree *t,
    uint32_t path, const struct es__path_op *op, const struct es__segment *s)
{
	const struct es__waits_moment *moment = &op->moments[s->slot];
	paths_status st = PATHS_OK;

	if (op->on.count > 0)
		st = moves_add(m,
		    (struct es__path_move){ ES__PATH_ELEMENT, 0, s->stage,
			moment->start_ns + moment->wait_ns });
	if (st != PATHS_OK || op->carriers[s->slot] != path ||
	    es__path_release_uses(&t->release, op->kind) == 0)
		return st;
	st = moves_spend(m, s->stage, op->done_ns);
	return st == PATHS_OK ? moves_add(m,
				    (struct es__path_move){ ES__PATH_DONE, 0,
					s->stage, op->done_ns }) :
				st;
}

/* Adds the moves on the way back from a collector up. */
static paths_status
moves_back(struct es__path_moves *m, const struct es__path_tree *t,
    uint32_t head, const struct es__path_op *op, uint32_t depth)
{
	const struct es__segment *segments = t->a->graph.segments;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && depth-- > 0) {
		uint32_t c = head;

		for (uint32_t n = 0; n < depth; n++)
			c = segments[c].below;
		st = moves_spend(m, segments[c].stage,
		    op->moments[segments[c].slot].stop_ns);
	}
	return st;
}

paths_status
es__path_moves_make(struct es__path_moves *m, const struct es__path_tree *t,
    uint32_t path, const struct es__path_op *op)
{
	const struct es__stage_graph *g = &t->a->graph;
	uint32_t head = g->tracks[t->tree->tracks.ids[path]].head, depth = 0;
	paths_status st = PATHS_OK;

	m->count = 0;
	for (uint32_t c = head; st == PATHS_OK && c != PATHS_NONE;
	     c = g->segments[c].below) {
		const struct es__segment *s = &g->segments[c];

		st = moves_join(m, t, path, op, s);
		if (st == PATHS_OK && c == t->tree->last)
			st = moves_element(m, t, path, op, s);
		if (st == PATHS_OK && s->below != PATHS_NONE)
			st = moves_spend(m, s->stage,
			    op->moments[g->segments[s->below].slot].start_ns);
		depth++;
	}
	return st == PATHS_OK ? moves_back(m, t, head, op, depth) : st;
}

paths_status
es__path_moves_whole(struct es__path_moves *m, uint32_t stage, int64_t stop_ns)
{
	m->count = 0;
	return moves_spend(m, stage, stop_ns);
}
