/* SPDX-License-Identifier: MIT */
/*
 * scopes/waits_work.c - the inner loop of scopes/waits.c
 */

#include "scopes/waits_plan_private.h"

#include "libpaths/log.h"

/* The last arrival at a join. */
struct arrival {
	int64_t ns;
	uint32_t culprit; /* whose it was */
};

struct worker {
	const struct es_analysis *a;
	const struct es__plan *plan;
	struct es__walk walk;	  /* all collectors of the tree, by slot */
	struct arrival *arrivals; /* of each join of the tree */
	struct es__order order;	  /* of the element that is read */
	struct es__order own;	  /* of the element that is written */
	struct es__readers readers;
	uint32_t tag;	   /* of the tree's writes in `own` */
	uint64_t reads;	   /* of the tree's last collector, so far */
	uint64_t reads_at; /* number of the tuple up to which they count */
	int64_t *sums;
};

/* A wait that was found, of one slot. */
struct found {
	int64_t ns;
	uint32_t culprit;
};

/* Who came along a chain: the path's thread, or the last to arrive at the
   join that the chain is the tail of. */
static uint32_t
worker_origin(const struct worker *w, uint32_t chain)
{
	const struct paths_map_chain *c = &w->a->map->chains[chain];
	const struct es__forest *f = &w->a->forest;

	if (c->path != PATHS_NONE)
		return f->tracks[c->path].slot;
	if (c->stage != PATHS_NONE && f->join_of[c->stage] != PATHS_NONE &&
	    f->joins[f->join_of[c->stage]].observed)
		return w->arrivals[f->joins[f->join_of[c->stage]].slot].culprit;
	return es__plan_unknown(w->plan);
}

static void
worker_arrive(struct worker *w, const struct es__join *join)
{
	struct arrival *last = &w->arrivals[join->slot];

	last->ns = INT64_MIN;
	for (uint32_t i = 0; i < join->input_count; i++) {
		const struct es__input *input = &join->inputs[i];
		uint32_t slot = w->a->forest.segments[input->collector].slot;
		const struct es__lane *lane = &w->walk.lanes[slot];
		int64_t ns = es_time_ns(lane->base, lane->tuple->start);

		/* Of two at once the higher input is the later. */
		if (ns >= last->ns)
			*last = (struct arrival){ ns,
				worker_origin(w, input->chain) };
	}
}

static struct found
worker_join_wait(const struct worker *w, const struct es__lane *lane,
    uint32_t join)
{
	const struct es__join *j =
	    &w->a->forest.joins[w->a->forest.join_of[join]];
	const struct arrival *last = &w->arrivals[j->slot];

	return (struct found){ last->ns -
		    es_time_ns(lane->base, lane->tuple->start),
		last->culprit };
}

/* How many reads there were before this one. */
static uint64_t
worker_read_index(struct worker *w, const struct es__lane *lane)
{
	if (es__overview_pure(&w->a->overviews[w->plan->tree->last]))
		return lane->tuple->seq;
	for (; w->reads_at < lane->at; w->reads_at++) {
		const struct es_tuple_path *tuple =
		    es__path_tuple(lane->collector, w->reads_at);

		w->reads += es__tuple_ok(tuple) && tuple->op == PATHS_READ;
	}
	return w->reads;
}

static struct found
worker_read_wait(struct worker *w, const struct es__lane *lane)
{
	const struct es__feed *written;

	written = es__order_find(&w->order, worker_read_index(w, lane));
	if (written == NULL)
		return (struct found){ 0, 0 };
	return (struct found){ written->key -
		    es_time_ns(lane->base, lane->tuple->start),
		es__plan_unknown(w->plan) + 1 + written->tag };
}

/* A full element takes tuple k when tuple k - keep is read by all. */
static struct found
worker_write_wait(struct worker *w, const struct es__lane *lane)
{
	uint64_t keep = w->a->map->elements[w->plan->element].keep;
	int64_t read_ns;
	uint32_t reader;

	if (!es__order_number(&w->own, w->tag, lane->at) || w->own.index < keep)
		return (struct found){ 0, 0 };
	reader = es__readers_find(&w->readers, w->own.index - keep, &read_ns);
	if (reader == PATHS_NONE)
		return (struct found){ 0, 0 };
	return (
	    struct found){ read_ns - es_time_ns(lane->base, lane->tuple->start),
		es__plan_unknown(w->plan) + 1 + w->plan->writers + reader };
}

static struct found
worker_element_wait(struct worker *w, const struct es__lane *lane)
{
	if (lane->tuple->op == PATHS_READ && w->plan->reads)
		return worker_read_wait(w, lane);
	if ((lane->tuple->op == PATHS_WRITE ||
		lane->tuple->op == PATHS_EXCHANGE) &&
	    w->plan->fills)
		return worker_write_wait(w, lane);
	return (struct found){ 0, 0 };
}

static void
worker_blame(const struct worker *w, uint32_t row, const struct found *found)
{
	int64_t *blame;

	if (found->ns <= 0 || w->plan->culprits == 0)
		return;
	blame = es__plan_blame(w->plan, w->sums, row, found->culprit);
	blame[0] += found->ns;
	blame[1]++;
}

static void
worker_add(struct worker *w, uint32_t slot)
{
	const struct es__lane *lane = &w->walk.lanes[slot];
	uint32_t collector = w->plan->tree->collectors.ids[slot];
	const struct es__segment *s = &w->a->forest.segments[collector];
	uint32_t row = w->plan->blame_of[slot];
	int64_t *cost = es__plan_cost(w->plan, w->sums, slot);
	int64_t ns = es__tuple_ns(lane->base, lane->tuple);
	struct found found = { 0, 0 };

	if (s->below != PATHS_NONE) {
		const struct es__lane *below =
		    &w->walk.lanes[w->a->forest.segments[s->below].slot];

		ns -= es__tuple_ns(below->base, below->tuple);
	}
	if (row != PATHS_NONE && s->join != PATHS_NONE)
		found = worker_join_wait(w, lane, s->join);
	else if (row != PATHS_NONE)
		found = worker_element_wait(w, lane);
	/* Clocks that are not quite one may say more than there was. */
	if (found.ns > ns)
		found.ns = ns;
	if (found.ns < 0)
		found.ns = 0;
	cost[0] += ns - found.ns;
	cost[1] += found.ns;
	if (row != PATHS_NONE)
		worker_blame(w, row, &found);
}

static void
worker_run(struct worker *w)
{
	const struct es__tree *tree = w->plan->tree;

	while (es__walk_next(&w->walk)) {
		for (uint32_t n = 0; n < tree->joins.count; n++) {
			const struct es__join *join =
			    &w->a->forest.joins[tree->joins.ids[n]];

			if (join->observed)
				worker_arrive(w, join);
		}
		for (uint32_t slot = 0; slot < tree->collectors.count; slot++)
			worker_add(w, slot);
		w->sums[0]++;
	}
}

/* What is needed to match reads and writes. */
static paths_status
worker_open_element(struct worker *w)
{
	uint32_t element = w->plan->element;
	paths_status st = PATHS_OK;

	if (w->plan->reads)
		st = es__order_open(&w->order, w->a, element);
	if (st != PATHS_OK || !w->plan->fills)
		return st;
	while (es__order_writer(w->a, element, w->tag) != w->plan->tree->last)
		w->tag++;
	st = es__order_open(&w->own, w->a, element);
	return st == PATHS_OK ? es__readers_open(&w->readers, w->a, element) :
				st;
}

paths_status
es__plan_work(const struct es__plan *plan, const struct es_analysis *a,
    uint64_t block, int64_t *sums)
{
	const struct es__list *collectors = &plan->tree->collectors;
	struct es__range range = plan->blocks > 1 ?
	    es__range_block(plan->range, block) :
	    plan->range;
	struct worker w = { .a = a, .plan = plan, .sums = sums };
	paths_status st;

	w.arrivals = calloc(plan->tree->joins.count + 1, sizeof(*w.arrivals));
	if (w.arrivals == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for joins");
	st = worker_open_element(&w);
	if (st == PATHS_OK) {
		st = es__walk_open(&w.walk, a, collectors->ids,
		    collectors->count, range);
		if (st == PATHS_OK)
			worker_run(&w);
		es__walk_close(&w.walk);
	}
	es__readers_close(&w.readers);
	es__order_close(&w.own);
	es__order_close(&w.order);
	free(w.arrivals);
	return st;
}
