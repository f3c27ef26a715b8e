/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path.c - makes the program activity graph of a run of paths
 *
 * Takes the operations of all threads in the order of time.  If an operation
 * waits for a post that does not exist yet, its thread is put back until the
 * time at which the wait ended.
 */

#include "scopes/graph/path_private.h"

#include "scopes/graph/path_moves_private.h"
#include "scopes/graph/path_posts_private.h"
#include "scopes/path/merge_private.h"

#include "libpaths/base/heap.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* A thread in the middle of its operations. */
struct actor {
	uint32_t thread; /* of the map */
	struct es__merge merge;
	/* Has the current operation; NULL: there is none. */
	struct es__feed *feed;
	/* Actors take turns by time, and at equal times in the order in which
	   they asked. */
	int64_t turn_ns;
	uint64_t order;
	int64_t ns; /* current time of the thread */
	/* The current operation. */
	bool inside, unknown;
	bool missing; /* it goes on without a post that it waits for */
	struct es__path_tree *tree;
	struct es__path_op *op; /* NULL: it is not divided */
	uint32_t path, before;	/* before: path of the previous operation */
	int64_t stop_ns;
	struct es__path_moves moves;
	size_t next; /* move */
	/* The current part. */
	bool open, waits;
	bool part;	  /* it is not the first one */
	bool choice;	  /* it could have got another tuple */
	int64_t until_ns; /* end of its wait */
};

struct builder {
	const struct es_analysis *a;
	struct es__graph *graph;
	struct es__path_posts posts;
	struct es__path_tree *trees;
	struct actor *actors;
	uint32_t actor_count;
	uint32_t *path_of; /* of each collector: path that begins with it */
	uint32_t *heap;	   /* of actors, by their turns */
	size_t heap_count;
	uint64_t order;
	size_t idle; /* number of turns since a thread last went on */
};

/* ---- turns */

static bool
turn_before(const void *context, const void *left, const void *right)
{
	const struct actor *actors = context;
	const struct actor *a = &actors[*(const uint32_t *)left];
	const struct actor *b = &actors[*(const uint32_t *)right];

	return a->turn_ns != b->turn_ns ? a->turn_ns < b->turn_ns :
					  a->order < b->order;
}

static const struct paths__heap_kind turn_kind = { sizeof(uint32_t),
	turn_before };

static struct paths__heap
builder_heap(struct builder *b, uint32_t *spare)
{
	return (struct paths__heap){ b->heap, b->heap_count, spare, b->actors };
}

static void
builder_put(struct builder *b, struct actor *actor, int64_t turn_ns)
{
	uint32_t spare;
	struct paths__heap heap;

	actor->turn_ns = turn_ns;
	actor->order = b->order++;
	b->heap[b->heap_count++] = (uint32_t)(actor - b->actors);
	heap = builder_heap(b, &spare);
	paths__heap_rise(&heap, &turn_kind, b->heap_count - 1);
}

static struct actor *
builder_take(struct builder *b)
{
	uint32_t spare;
	struct actor *first = &b->actors[b->heap[0]];
	struct paths__heap heap;

	b->heap[0] = b->heap[--b->heap_count];
	heap = builder_heap(b, &spare);
	if (b->heap_count > 0)
		paths__heap_sink(&heap, &turn_kind, 0);
	return first;
}

/* Puts back a thread that waits for a post that does not exist yet, until the
   measured end of the wait.  If clocks contradict each other, the post may come
   later than that; then the thread takes its turn after the next one. */
static void
builder_put_back(struct builder *b, struct actor *actor, int64_t until_ns)
{
	int64_t turn_ns = until_ns > actor->turn_ns ? until_ns : actor->turn_ns;

	if (until_ns <= actor->turn_ns && b->heap_count > 0 &&
	    b->actors[b->heap[0]].turn_ns > turn_ns)
		turn_ns = b->actors[b->heap[0]].turn_ns;
	/* If no thread can go on, this one goes on without waiting. */
	if (b->idle++ > b->heap_count) {
		actor->missing = true;
		b->graph->account.cycles++;
		b->idle = 0;
	}
	builder_put(b, actor, turn_ns);
}

/* ---- steps */

static uint32_t
actor_number(const struct builder *b, const struct actor *actor)
{
	return (uint32_t)(actor - b->actors);
}

static uint32_t
actor_flags(const struct actor *actor, enum es__graph_kind kind)
{
	if (kind == ES__GRAPH_ENTER)
		return actor->part ? ES__GRAPH_PART : 0;
	return actor->choice ? ES__GRAPH_ANY : 0;
}

static paths_status
actor_step(struct builder *b, const struct actor *actor,
    enum es__graph_kind kind, struct es__graph_activity activity, int64_t ns)
{
	struct es__graph_step step = { .kind = kind,
		.flags = actor_flags(actor, kind),
		.thread = actor_number(b, actor),
		.ns = ns };

	activity.thread = step.thread;
	step.at = es__graph_names_put(&b->graph->names, &activity);
	return step.at != PATHS_NONE ?
	    es__graph_add(b->graph, step) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
}

/* Opens a part of the operation. */
static paths_status
actor_open(struct builder *b, struct actor *actor)
{
	if (actor->open)
		return PATHS_OK;
	actor->open = true;
	return actor_step(b, actor, ES__GRAPH_ENTER,
	    (struct es__graph_activity){ .from = actor->path,
		.site = actor->path },
	    0);
}

/* Ends the current part of the operation, which spent time at a stage. */
static paths_status
actor_leave(struct builder *b, struct actor *actor, uint32_t stage,
    int64_t spent_ns)
{
	const struct es_tuple_path *tuple = (const void *)actor->feed->tuple;
	paths_status st;

	actor->ns = (actor->waits ? actor->until_ns : actor->ns) + spent_ns;
	actor->open = actor->waits = false;
	actor->part = true;
	b->graph->account.choices += actor->choice;
	st = actor_step(b, actor, ES__GRAPH_LEAVE,
	    (struct es__graph_activity){ .from = actor->path,
		.site = b->a->map->path_count + stage,
		.function = tuple->op },
	    spent_ns);
	actor->choice = false;
	return st;
}

/* Makes a move SPEND: time at a stage until ns. */
static paths_status
actor_spend(struct builder *b, struct actor *actor, uint32_t stage, int64_t ns)
{
	int64_t from_ns = actor->waits ? actor->until_ns : actor->ns;
	paths_status st;

	/* Errors of clocks must not make the part longer than the operation. */
	ns = ns < from_ns ? from_ns : ns;
	ns = ns > actor->stop_ns ? actor->stop_ns : ns;
	if (!actor->waits && ns == from_ns)
		return PATHS_OK;
	b->graph->account.contradictions += ns < from_ns;
	st = actor_open(b, actor);
	return st == PATHS_OK ? actor_leave(b, actor, stage, ns - from_ns) : st;
}

/* Ends the current part if it has waited, so that the next step begins another
   part. */
static paths_status
actor_ends_wait(struct builder *b, struct actor *actor, uint32_t stage)
{
	return actor->waits ? actor_spend(b, actor, stage, actor->until_ns) :
			      PATHS_OK;
}

/* ---- what an operation waits for */

/* Lets the current part wait at least until the time of a slot. */
static void
actor_awaits(struct builder *b, struct actor *actor, uint32_t slot)
{
	int64_t ns = b->posts.slots.slot_ns[slot];

	if (!actor->waits)
		actor->until_ns = actor->ns;
	actor->waits = true;
	if (ns > actor->until_ns)
		actor->until_ns = ns;
}

static paths_status
actor_await(struct builder *b, struct actor *actor, enum es__graph_kind kind,
    uint32_t flags, uint32_t slot)
{
	return es__graph_add(b->graph,
	    (struct es__graph_step){ .kind = kind,
		.flags = flags,
		.thread = actor_number(b, actor),
		.at = slot,
		.ns = actor->op->bytes });
}

static paths_status
actor_waited(struct builder *b, struct actor *actor)
{
	if (actor->until_ns <= actor->ns)
		return PATHS_OK;
	return es__graph_add(b->graph,
	    (struct es__graph_step){ .kind = ES__GRAPH_WAITED,
		.thread = actor_number(b, actor),
		.ns = actor->until_ns - actor->ns });
}

/* Joins the arrivals at a join that were posted. */
static paths_status
meet_join(struct builder *b, const struct actor *actor, uint32_t n)
{
	const struct es__path_op *op = actor->op;
	const struct es__waits_join *join = &actor->tree->plan.joins.joins[n];
	struct es__path_meet *meet = &op->meets[n];
	uint32_t group = 2 * (uint32_t)(join->join - b->a->graph.joins);
	int64_t *slot_ns;
	bool first = true;
	paths_status st = PATHS_OK;

	meet->joined = es__graph_slot_take(&b->posts.slots);
	if (meet->joined == PATHS_NONE)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	slot_ns = b->posts.slots.slot_ns;
	slot_ns[meet->joined] = INT64_MIN;
	for (uint32_t i = 0; st == PATHS_OK && i < join->join->input_count;
	     i++) {
		uint32_t lane = join->origins[i].lane, slot;

		if (lane >= actor->tree->tree->collectors.count ||
		    op->posted[lane] == PATHS_NONE)
			continue;
		slot = op->posted[lane];
		if (slot_ns[slot] > slot_ns[meet->joined])
			slot_ns[meet->joined] = slot_ns[slot];
		st = es__graph_add(b->graph,
		    (struct es__graph_step){ .kind = ES__GRAPH_JOIN,
			.flags = first ? ES__GRAPH_NEW : 0,
			.thread = group,
			.at = meet->joined,
			.ns = slot });
		first = false;
	}
	return st;
}

/* Waits at a join. */
static paths_status
actor_meet(struct builder *b, struct actor *actor,
    const struct es__path_move *move, bool *ready)
{
	struct es__path_meet *meet = &actor->op->meets[move->at];
	paths_status st = PATHS_OK;

	*ready = meet->missing == 0 || actor->missing;
	if (!*ready)
		return PATHS_OK;
	st = actor_ends_wait(b, actor, move->stage);
	if (st == PATHS_OK)
		st = actor_open(b, actor);
	actor->unknown |= meet->partial || actor->missing;
	if (st == PATHS_OK && meet->joined == PATHS_NONE && meet->posted > 0)
		st = meet_join(b, actor, move->at);
	if (st != PATHS_OK || meet->joined == PATHS_NONE)
		return st;
	b->graph->account.collectives++;
	actor_awaits(b, actor, meet->joined);
	st = actor_await(b, actor, ES__GRAPH_AWAIT_MEMBER,
	    actor->until_ns > actor->ns ? ES__GRAPH_BINDS : 0, meet->joined);
	return st == PATHS_OK ? actor_waited(b, actor) : st;
}

/* Returns whether an operation on an element has been posted or will never
   be. */
static bool
operation_ready(const struct builder *b, struct es__waits_operation operation)
{
	const struct es_collector *c =
	    &b->a->run->collectors[operation.collector];
	uint32_t tree = b->a->graph.segments[operation.collector].tree;

	return es__path_post_find(&b->posts, operation) != NULL ||
	    es__path_tree_has_ended(&b->trees[tree],
		es_operation_seq(c, operation.at));
}

/* Returns the post of the n-th operation on the element that an operation waits
   for; NULL: it is not known, or the waiting operation ended before it.  In the
   second case, the two were matched wrongly because of stamps that were taken
   late. */
static const struct es__path_post *
actor_post(const struct builder *b, const struct actor *actor, uint32_t n)
{
	const struct es__path_post *post =
	    es__path_post_find(&b->posts, actor->op->on.list[n]);

	return post != NULL &&
		b->posts.slots.slot_ns[post->slot] <= actor->stop_ns ?
	    post :
	    NULL;
}

/* Waits for the posts of operations on the element. */
static paths_status
actor_element_awaits(struct builder *b, struct actor *actor)
{
	const struct es__waits_on *on = &actor->op->on;
	bool reads = actor->op->kind == PATHS_READ;
	const struct es__path_post *last = NULL, *post;
	paths_status st = PATHS_OK;

	actor->choice =
	    reads ? actor->tree->release.shared : actor->tree->release.taken;
	for (uint32_t n = 0; n < on->count; n++) {
		post = actor_post(b, actor, n);
		if (post == NULL) {
			b->graph->account.contradictions +=
			    es__path_post_find(&b->posts, on->list[n]) != NULL;
			actor->unknown = true;
			continue;
		}
		actor_awaits(b, actor, post->slot);
		if (actor->until_ns > actor->ns &&
		    b->posts.slots.slot_ns[post->slot] == actor->until_ns)
			last = post;
	}
	for (uint32_t n = 0; st == PATHS_OK && n < on->count; n++) {
		post = actor_post(b, actor, n);
		if (post == NULL)
			continue;
		b->graph->account.messages++;
		if (!reads)
			b->graph->coupled_bytes = UINT64_MAX;
		st = actor_await(b, actor,
		    reads ? ES__GRAPH_AWAIT_SEND : ES__GRAPH_AWAIT_RECEIVE,
		    (post == last ? ES__GRAPH_BINDS : 0) |
			(reads ? 0 : ES__GRAPH_SURE),
		    post->slot);
	}
	return st;
}

/* Waits at the element. */
static paths_status
actor_element(struct builder *b, struct actor *actor,
    const struct es__path_move *move, bool *ready)
{
	const struct es__waits_on *on = &actor->op->on;
	paths_status st = PATHS_OK;

	*ready = true;
	for (uint32_t n = 0; !actor->missing && n < on->count; n++)
		*ready &= operation_ready(b, on->list[n]);
	if (!*ready)
		return PATHS_OK;
	st = actor_ends_wait(b, actor, move->stage);
	if (st == PATHS_OK)
		st = actor_open(b, actor);
	if (st == PATHS_OK)
		st = actor_element_awaits(b, actor);
	return st == PATHS_OK && actor->waits ? actor_waited(b, actor) : st;
}

/* ---- posts */

static paths_status
actor_arrives(struct builder *b, struct actor *actor,
    const struct es__path_move *move)
{
	struct es__path_op *op = actor->op;
	struct es__path_meet *meet =
	    &op->meets[actor->tree->lanes[move->at].join];
	paths_status st = actor_ends_wait(b, actor, move->stage);

	if (st == PATHS_OK)
		st = actor_open(b, actor);
	if (st != PATHS_OK)
		return st;
	meet->missing--;
	meet->posted++;
	return es__path_post(&b->posts, actor_number(b, actor), actor->ns,
	    &op->posted[move->at]);
}

static paths_status
actor_done(struct builder *b, struct actor *actor,
    const struct es__path_move *move)
{
	const struct es__path_op *op = actor->op;
	struct es__path_tree *tree = actor->tree;
	/* The element holds `keep` tuples, so nothing waits for older
	   operations.  Another operation of the same collector may be under
	   way. */
	uint64_t held = b->a->map->elements[tree->plan.element].keep + 2;
	paths_status st = actor_ends_wait(b, actor, move->stage);

	if (st == PATHS_OK)
		st = actor_open(b, actor);
	if (op->self.at > held)
		es__path_posts_expire(&b->posts, op->self.collector,
		    &tree->expired, op->self.at - held);
	return st == PATHS_OK ?
	    es__path_post_operation(&b->posts, op->self,
		es__path_release_uses(&tree->release, op->kind),
		actor_number(b, actor), actor->ns) :
	    st;
}

/* Counts down the uses of the posts that an operation has waited for.  Below a
   join, all threads wait for the same posts, so only the last one to leave
   counts. */
static void
actor_used(struct builder *b, const struct actor *actor)
{
	const struct es__waits_on *on = &actor->op->on;

	if (actor->op->left > 1)
		return;
	for (uint32_t n = 0; n < on->count; n++) {
		struct es__path_post *post =
		    es__path_post_find(&b->posts, on->list[n]);

		if (post != NULL)
			es__path_post_use(&b->posts, post);
	}
}

/* ---- operations */

/* Enters an operation.  If this is the oldest operation of its path that is
   retained, and older ones were discarded, the measured interval does not begin
   before it. */
static paths_status
actor_enter(struct builder *b, struct actor *actor, int64_t start_ns)
{
	struct es__graph *g = b->graph;
	int64_t ns = start_ns > actor->ns ? start_ns - actor->ns : 0;
	bool begins = actor->feed->lane.at == 0 &&
	    actor->feed->lane.collector->discarded > 0;

	actor->ns += ns;
	if (begins && actor->ns > g->from_ns)
		g->from_ns = actor->ns;
	actor->open = true;
	actor->part = false;
	return actor_step(b, actor, ES__GRAPH_ENTER,
	    (struct es__graph_activity){ .from = actor->before,
		.site = actor->path,
		.edge = begins ? ES__GRAPH_BEGINS : ES__GRAPH_INSIDE },
	    ns);
}

/* Makes the moves of an operation that has returned. */
static paths_status
actor_moves(struct builder *b, struct actor *actor)
{
	const struct es__feed *feed = actor->feed;
	const struct es_tuple_path *tuple = (const void *)feed->tuple;
	const struct es__track *track = &b->a->graph.tracks[actor->path];
	paths_status st = PATHS_OK;

	actor->op = NULL;
	if (es__tuple_ok(tuple))
		st = es__path_tree_take(actor->tree,
		    es_operation_seq(feed->lane.collector, feed->lane.at),
		    &actor->op);
	if (st != PATHS_OK)
		return st;
	if (actor->op == NULL) {
		actor->unknown = true;
		return es__path_moves_whole(&actor->moves,
		    b->a->graph.segments[track->head].stage, actor->stop_ns);
	}
	actor->unknown =
	    actor->tree->tracks[track->slot].unknown || actor->op->on.unknown;
	return es__path_moves_make(&actor->moves, actor->tree, track->slot,
	    actor->op);
}

static paths_status
actor_begin(struct builder *b, struct actor *actor)
{
	const struct es__feed *feed = actor->feed;
	const struct es_collector *c = feed->lane.collector;
	paths_status st;

	actor->path = b->path_of[c - b->a->run->collectors];
	actor->tree = &b->trees[b->a->graph.tracks[actor->path].tree];
	actor->inside = true;
	actor->next = 0;
	st = actor_enter(b, actor, feed->key);
	actor->stop_ns = feed->tuple->stop == 0 ?
	    actor->ns :
	    es_time_ns(feed->lane.base, feed->tuple->stop);
	if (actor->stop_ns < actor->ns)
		actor->stop_ns = actor->ns;
	if (st == PATHS_OK && feed->tuple->stop != 0)
		st = actor_moves(b, actor);
	else
		actor->moves.count = 0;
	return st;
}

/* Ends an operation, and goes to the next one. */
static paths_status
actor_end(struct builder *b, struct actor *actor)
{
	const struct es__feed *feed = actor->feed;
	const struct es__track *track = &b->a->graph.tracks[actor->path];
	paths_status st = PATHS_OK;

	if (feed->tuple->stop != 0) {
		if (actor->open)
			st = actor_leave(b, actor,
			    b->a->graph.segments[track->head].stage, 0);
		b->graph->account.operations++;
		b->graph->account.unknown += actor->unknown;
		if (actor->op != NULL) {
			actor_used(b, actor);
			es__path_tree_leave(actor->tree, actor->op,
			    &b->posts.slots);
		}
	}
	es__path_tree_go_on(actor->tree, track->slot, feed->lane.at + 1);
	actor->op = NULL;
	actor->inside = actor->unknown = actor->open = false;
	actor->before = actor->path;
	actor->feed = es__merge_next(&actor->merge);
	return st;
}

static paths_status
actor_move(struct builder *b, struct actor *actor,
    const struct es__path_move *move, bool *ready)
{
	switch (move->kind) {
	case ES__PATH_SPEND:
		return actor_spend(b, actor, move->at, move->ns);
	case ES__PATH_ARRIVE:
		return actor_arrives(b, actor, move);
	case ES__PATH_MEET:
		return actor_meet(b, actor, move, ready);
	case ES__PATH_ELEMENT:
		return actor_element(b, actor, move, ready);
	case ES__PATH_DONE:
		return actor_done(b, actor, move);
	}
	return PATHS_OK;
}

/* Takes the turn of a thread: one operation, or as much of it as it can. */
static paths_status
actor_turn(struct builder *b, struct actor *actor)
{
	bool ready = true;
	paths_status st = PATHS_OK;

	if (!actor->inside)
		st = actor_begin(b, actor);
	while (st == PATHS_OK && actor->next < actor->moves.count) {
		const struct es__path_move *move =
		    &actor->moves.list[actor->next];

		st = actor_move(b, actor, move, &ready);
		if (!ready) {
			builder_put_back(b, actor, move->ns);
			return st;
		}
		b->idle = 0;
		actor->missing = false;
		actor->next++;
	}
	b->idle = 0;
	if (st == PATHS_OK)
		st = actor_end(b, actor);
	if (st == PATHS_OK && actor->feed != NULL)
		builder_put(b, actor,
		    actor->feed->key > actor->ns ? actor->feed->key :
						   actor->ns);
	return st;
}

/* ---- the whole run */

/* Merges the operations of a thread on all of its paths. */
static paths_status
actor_start(struct builder *b, struct actor *actor)
{
	const struct es__list *heads = &b->a->graph.heads[actor->thread];
	paths_status st = es__merge_open(&actor->merge, heads->count);

	if (st != PATHS_OK)
		return st;
	actor->merge.inside = true;
	actor->before = PATHS_NONE;
	for (uint32_t n = 0; n < heads->count; n++)
		if (b->path_of[heads->ids[n]] != PATHS_NONE)
			es__merge_add(&actor->merge, b->a, heads->ids[n]);
	actor->feed = es__merge_next(&actor->merge);
	return PATHS_OK;
}

/* Finds the threads with operations. */
static paths_status
builder_actors(struct builder *b, int64_t *start_ns)
{
	paths_status st = PATHS_OK;

	*start_ns = INT64_MAX;
	for (uint32_t t = 0; st == PATHS_OK && t < b->a->map->thread_count;
	     t++) {
		struct actor *actor = &b->actors[b->actor_count];

		actor->thread = t;
		st = actor_start(b, actor);
		if (st != PATHS_OK || actor->feed == NULL) {
			es__merge_close(&actor->merge);
			*actor = (struct actor){ 0 };
			continue;
		}
		b->actor_count++;
		if (actor->feed->key < *start_ns)
			*start_ns = actor->feed->key;
	}
	return st;
}

static bool
builder_alloc(struct builder *b)
{
	size_t threads = (size_t)b->a->map->thread_count + 1;
	const struct es__stage_graph *g = &b->a->graph;

	b->trees = calloc((size_t)g->tree_count + 1, sizeof(*b->trees));
	b->actors = calloc(threads, sizeof(*b->actors));
	b->heap = calloc(threads, sizeof(*b->heap));
	b->path_of = malloc(
	    ((size_t)b->a->run->collector_count + 1) * sizeof(*b->path_of));
	if (b->trees == NULL || b->actors == NULL || b->heap == NULL ||
	    b->path_of == NULL)
		return false;
	for (uint32_t c = 0; c < b->a->run->collector_count; c++)
		b->path_of[c] = PATHS_NONE;
	for (uint32_t p = 0; p < b->a->map->path_count; p++)
		if (g->tracks[p].head != PATHS_NONE)
			b->path_of[g->tracks[p].head] = p;
	return true;
}

static void
builder_fini(struct builder *b)
{
	for (uint32_t n = 0; b->trees != NULL && n < b->a->graph.tree_count;
	     n++)
		es__path_tree_close(&b->trees[n]);
	for (uint32_t n = 0; n < b->actor_count; n++) {
		es__merge_close(&b->actors[n].merge);
		free(b->actors[n].moves.list);
	}
	es__path_posts_fini(&b->posts);
	free(b->trees);
	free(b->actors);
	free(b->heap);
	free(b->path_of);
}

static paths_status
builder_run(struct builder *b)
{
	struct es__graph *g = b->graph;
	paths_status st = PATHS_OK;

	b->posts.slots.graph = g;
	for (uint32_t c = 0; c < b->a->run->collector_count; c++)
		if (b->path_of[c] != PATHS_NONE)
			g->account.missing += b->a->overviews[c].gaps;
	for (uint32_t n = 0; n < b->actor_count; n++) {
		b->actors[n].ns = g->start_ns;
		builder_put(b, &b->actors[n], b->actors[n].feed->key);
	}
	while (st == PATHS_OK && b->heap_count > 0)
		st = actor_turn(b, builder_take(b));
	g->to_ns = g->start_ns;
	for (uint32_t n = 0; n < b->actor_count; n++) {
		g->end_ns[n] = b->actors[n].ns;
		if (g->end_ns[n] > g->to_ns)
			g->to_ns = g->end_ns[n];
	}
	return st == PATHS_OK ? es__graph_finish(g) : st;
}

/* Makes the graph of the threads that were found. */
static paths_status
builder_make(struct builder *b, const char *dir, int64_t start_ns,
    struct es__graph_path *of)
{
	paths_status st;

	of->threads = calloc((size_t)b->actor_count + 1, sizeof(*of->threads));
	if (of->threads == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t n = 0; n < b->actor_count; n++)
		of->threads[n] = b->actors[n].thread;
	st = es__graph_create(dir, b->actor_count,
	    b->actor_count > 0 ? start_ns : 0, &b->graph);
	for (uint32_t n = 0; st == PATHS_OK && n < b->a->graph.tree_count; n++)
		st = es__path_tree_open(&b->trees[n], b->a, n);
	if (st == PATHS_OK)
		st = builder_run(b);
	of->graph = b->graph;
	if (st == PATHS_OK)
		return PATHS_OK;
	es__graph_close(b->graph);
	free(of->threads);
	return st;
}

paths_status
es__graph_path(struct es_analysis *a, const char *dir,
    struct es__graph_path *of)
{
	struct builder b = { .a = a };
	int64_t start_ns = 0;
	paths_status st = builder_alloc(&b) ?
	    builder_actors(&b, &start_ns) :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph");

	if (st == PATHS_OK)
		st = builder_make(&b, dir, start_ns, of);
	builder_fini(&b);
	return st;
}
