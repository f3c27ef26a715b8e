/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_tree.c - keeps the operations of a tree of paths until all
 * its threads have ended them
 */

#include "scopes/graph/path_tree_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

static paths_status
tree_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

void
es__path_tree_go_on(struct es__path_tree *t, uint32_t path, uint64_t n)
{
	uint32_t head = t->a->graph.tracks[t->tree->tracks.ids[path]].head;
	const struct es_collector *c =
	    head == PATHS_NONE ? NULL : &t->a->run->collectors[head];

	t->tracks[path].next =
	    c != NULL && n < c->count ? es_operation_seq(c, n) : UINT64_MAX;
}

/* ---- the lanes of a tree */

/* Returns the number in the plan of the join below a collector; PATHS_NONE:
   there is none, or an input of it has no collector. */
static uint32_t
lane_join(const struct es__path_tree *t, uint32_t collector)
{
	const struct es__stage_graph *g = &t->a->graph;
	uint32_t stage = g->segments[collector].join;

	return stage == PATHS_NONE ?
	    PATHS_NONE :
	    t->plan.joins.own[g->joins[g->join_of[stage]].slot];
}

/* Follows a path through the tree. */
static void
tree_follow(struct es__path_tree *t, uint32_t n)
{
	const struct es__stage_graph *g = &t->a->graph;
	uint32_t above = PATHS_NONE;

	for (uint32_t c = g->tracks[t->tree->tracks.ids[n]].head;
	     c != PATHS_NONE; c = g->segments[c].below) {
		struct es__path_lane *lane = &t->lanes[g->segments[c].slot];

		if (lane->path == PATHS_NONE) {
			lane->path = n;
			lane->above = above;
			lane->join = lane_join(t, c);
		}
		if (lane->join != PATHS_NONE)
			above = lane->join;
	}
}

/* Returns whether a path passes a join an input of which has no collector. */
static bool
tree_passes_unknown(const struct es_analysis *a, uint32_t path)
{
	uint32_t chain = a->map->paths[path].chain;

	while (chain != PATHS_NONE) {
		const struct paths_map_chain *c = &a->map->chains[chain];
		const struct paths_map_item *last =
		    &a->map->items[c->first + c->count - 1];
		uint32_t join = a->graph.join_of[last->instance];

		if (join == PATHS_NONE)
			return false;
		if (!a->graph.joins[join].observed)
			return true;
		chain = a->map->instances[last->instance].tail;
	}
	return false;
}

static void
tree_follow_all(struct es__path_tree *t)
{
	for (uint32_t n = 0; n < t->tree->collectors.count; n++)
		t->lanes[n] = (struct es__path_lane){ PATHS_NONE, PATHS_NONE,
			PATHS_NONE };
	for (uint32_t n = 0; n < t->tree->tracks.count; n++) {
		uint32_t path = t->tree->tracks.ids[n];
		bool recorded = t->a->graph.tracks[path].head != PATHS_NONE;

		tree_follow(t, n);
		t->head_count += recorded;
		t->tracks[n] = (struct es__path_track){
			.unknown = tree_passes_unknown(t->a, path)
		};
		es__path_tree_go_on(t, n, 0);
	}
}

paths_status
es__path_tree_open(struct es__path_tree *t, const struct es_analysis *a,
    uint32_t number)
{
	paths_status st;

	*t = (struct es__path_tree){ .a = a, .tree = &a->graph.trees[number] };
	if (t->tree->tracks.count == 0 || t->tree->collectors.count == 0)
		return PATHS_OK;
	t->lanes = calloc((size_t)t->tree->collectors.count, sizeof(*t->lanes));
	t->tracks = calloc((size_t)t->tree->tracks.count, sizeof(*t->tracks));
	if (t->lanes == NULL || t->tracks == NULL)
		return tree_no_memory();
	st = es__waits_plan_init(&t->plan, a, t->tree, (struct es__steps){ 0 });
	if (st == PATHS_OK)
		st =
		    es__waits_work_open(&t->plan, a, t->plan.range, &t->worker);
	if (st == PATHS_OK)
		tree_follow_all(t);
	return st == PATHS_OK && t->tree->last != PATHS_NONE ?
	    es__path_release_open(&t->release, a, &t->plan) :
	    st;
}

/* ---- operations */

static void
op_free(struct es__path_op *op)
{
	if (op == NULL)
		return;
	free(op->moments);
	free(op->carriers);
	free(op->posted);
	free(op->meets);
	free(op->list);
	free(op);
}

void
es__path_tree_close(struct es__path_tree *t)
{
	for (size_t n = 0; n < t->op_count; n++)
		op_free(t->ops[n]);
	for (size_t n = 0; n < t->spare_count; n++)
		op_free(t->spare[n]);
	free(t->ops);
	free(t->spare);
	es__path_release_close(&t->release);
	es__waits_work_close(t->worker);
	es__waits_plan_fini(&t->plan);
	free(t->lanes);
	free(t->tracks);
}

/* Returns memory for an operation; NULL: there is none. */
static struct es__path_op *
tree_op_new(struct es__path_tree *t)
{
	size_t slots = (size_t)t->tree->collectors.count + 1;
	struct es__path_op *op;

	if (t->spare_count > 0)
		return t->spare[--t->spare_count];
	op = calloc(1, sizeof(*op));
	if (op == NULL)
		return NULL;
	op->moments = calloc(slots, sizeof(*op->moments));
	op->carriers = calloc(slots, sizeof(*op->carriers));
	op->posted = calloc(slots, sizeof(*op->posted));
	op->meets = calloc((size_t)t->plan.joins.count + 1, sizeof(*op->meets));
	op->list = calloc((size_t)t->plan.readers + 1, sizeof(*op->list));
	if (op->moments != NULL && op->carriers != NULL && op->posted != NULL &&
	    op->meets != NULL && op->list != NULL)
		return op;
	op_free(op);
	return NULL;
}

/* Returns the path whose thread posts the operation at a collector: below a
   join, the path that arrived last at it. */
static uint32_t
op_carrier(const struct es__path_tree *t, uint32_t slot)
{
	const struct es__path_lane *lane = &t->lanes[slot];
	uint32_t last;

	if (lane->above == PATHS_NONE)
		return lane->path;
	last = es__waits_work_last(t->worker, lane->above);
	return last < t->tree->tracks.count ? last : lane->path;
}

static void
op_meet(struct es__path_tree *t, struct es__path_op *op, uint32_t n)
{
	const struct es__waits_join *join = &t->plan.joins.joins[n];
	const struct es__waits_moment *moments =
	    es__waits_work_moments(t->worker);
	struct es__path_meet *meet = &op->meets[n];

	*meet = (struct es__path_meet){ .last_ns = INT64_MIN,
		.joined = PATHS_NONE };
	for (uint32_t i = 0; i < join->join->input_count; i++) {
		uint32_t lane = join->origins[i].lane;

		if (moments[lane].start_ns > meet->last_ns)
			meet->last_ns = moments[lane].start_ns;
		if (lane < t->tree->collectors.count &&
		    t->lanes[lane].path != PATHS_NONE)
			meet->missing++;
		else
			meet->partial = true;
	}
}

/* Copies from the worker the operations that the current one waits for at the
   element. */
static void
op_element(struct es__path_tree *t, struct es__path_op *op)
{
	uint32_t last = t->a->graph.segments[t->tree->last].slot;
	const struct es__lane *lane = &es__waits_work_lanes(t->worker)[last];

	op->self = (struct es__waits_operation){ t->tree->last, lane->at };
	op->on = *es__waits_work_on(t->worker);
	if (op->on.count > 0)
		memcpy(op->list, op->on.list, op->on.count * sizeof(*op->list));
	op->on.list = op->list;
	op->done_ns = es__path_release_ns(&t->release, lane->tuple->op,
	    op->self, &op->on, &op->moments[last]);
}

/* Copies the current operation of the worker. */
static void
op_take(struct es__path_tree *t, struct es__path_op *op)
{
	const struct es__lane *lanes = es__waits_work_lanes(t->worker);
	uint32_t slots = t->tree->collectors.count;

	op->seq = es__waits_work_seq(t->worker);
	op->left = t->head_count;
	op->kind = lanes[0].tuple->op;
	op->bytes = lanes[0].tuple->bytes;
	op->on = (struct es__waits_on){ 0 };
	memcpy(op->moments, es__waits_work_moments(t->worker),
	    slots * sizeof(*op->moments));
	for (uint32_t n = 0; n < slots; n++) {
		op->carriers[n] = op_carrier(t, n);
		op->posted[n] = PATHS_NONE;
	}
	for (uint32_t n = 0; n < t->plan.joins.count; n++)
		op_meet(t, op, n);
	if (t->tree->last != PATHS_NONE)
		op_element(t, op);
}

/* Adds the next operation of the worker.  more: out, false if there is none. */
static paths_status
tree_step(struct es__path_tree *t, bool *more)
{
	struct es__path_op *op;

	*more = es__waits_work_next(t->worker, NULL);
	if (!*more)
		return PATHS_OK;
	op = tree_op_new(t);
	if (op == NULL ||
	    !paths__array_grow(&t->ops, t->op_count, &t->op_room,
		sizeof(*t->ops)) ||
	    !paths__array_reserve(&t->spare, t->op_count + t->spare_count + 1,
		&t->spare_room, sizeof(*t->spare))) {
		op_free(op);
		return tree_no_memory();
	}
	op_take(t, op);
	t->ops[t->op_count++] = op;
	return PATHS_OK;
}

paths_status
es__path_tree_take(struct es__path_tree *t, uint64_t seq,
    struct es__path_op **op)
{
	paths_status st = PATHS_OK;
	bool more = t->worker != NULL;

	*op = NULL;
	while (st == PATHS_OK && more &&
	    (t->op_count == 0 || t->ops[t->op_count - 1]->seq < seq)) {
		if (t->plan.range.begin > seq)
			return PATHS_OK;
		st = tree_step(t, &more);
	}
	for (size_t n = t->op_count; n-- > 0 && t->ops[n]->seq >= seq;)
		if (t->ops[n]->seq == seq)
			*op = t->ops[n];
	return st;
}

/* Gives back the slots in which an operation was posted. */
static void
op_give(const struct es__path_tree *t, struct es__path_op *op,
    struct es__graph_posts *slots)
{
	for (uint32_t n = 0; n < t->tree->collectors.count; n++)
		if (op->posted[n] != PATHS_NONE)
			es__graph_slot_give(slots, op->posted[n]);
	for (uint32_t n = 0; n < t->plan.joins.count; n++)
		if (op->meets[n].joined != PATHS_NONE)
			es__graph_slot_give(slots, op->meets[n].joined);
}

void
es__path_tree_leave(struct es__path_tree *t, struct es__path_op *op,
    struct es__graph_posts *slots)
{
	size_t n = 0;

	if (--op->left > 0)
		return;
	op_give(t, op, slots);
	while (t->ops[n] != op)
		n++;
	t->op_count--;
	memmove(&t->ops[n], &t->ops[n + 1],
	    (t->op_count - n) * sizeof(*t->ops));
	t->spare[t->spare_count++] = op;
}

bool
es__path_tree_has_ended(const struct es__path_tree *t, uint64_t seq)
{
	for (uint32_t n = 0; n < t->tree->tracks.count; n++)
		if (t->tracks != NULL && t->tracks[n].next <= seq)
			return false;
	return true;
}
