/* SPDX-License-Identifier: MIT */
/*
 * scopes/order.c - who wrote which tuple of an element, and when
 */

#include "scopes/order_private.h"

/* The collector nearest to an element in a tree that ends there; NONE. */
static uint32_t
tree_at(const struct es_analysis *a, const struct es__tree *tree,
    uint32_t element)
{
	return tree->last != PATHS_NONE &&
		a->forest.segments[tree->last].element == element ?
	    tree->last :
	    PATHS_NONE;
}

uint32_t
es__order_writer(const struct es_analysis *a, uint32_t element, uint32_t n)
{
	for (uint32_t t = 0; t < a->forest.tree_count; t++) {
		uint32_t last = tree_at(a, &a->forest.trees[t], element);

		if (last != PATHS_NONE &&
		    (a->overviews[last].kinds & ES__KINDS_WRITE) != 0 &&
		    n-- == 0)
			return last;
	}
	return PATHS_NONE;
}

static uint32_t
order_readers(const struct es_analysis *a, uint32_t element)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < a->forest.tree_count; t++) {
		uint32_t last = tree_at(a, &a->forest.trees[t], element);

		count += last != PATHS_NONE &&
		    (a->overviews[last].kinds & ES__KIND(PATHS_READ)) != 0;
	}
	return count;
}

/* Whether a chain may write to its element without being seen.  A collector
   that has nothing tells that nothing passed. */
static bool
chain_is_unseen(const struct es_analysis *a, uint32_t chain)
{
	const struct paths_map_chain *c = &a->map->chains[chain];

	if (c->path != PATHS_NONE &&
	    a->map->paths[c->path].use == PATHS_USE_READ)
		return false;
	for (uint32_t i = c->first; i < c->first + c->count; i++) {
		uint32_t id = a->run->by_stage[a->map->items[i].instance];

		if (id != PATHS_NONE &&
		    es__collector_counts(&a->run->collectors[id]))
			return false;
	}
	return true;
}

static bool
element_is_unseen(const struct es_analysis *a, uint32_t element)
{
	uint32_t stage = a->map->elements[element].instance;

	for (uint32_t i = 0; i < a->map->item_count; i++) {
		if (a->map->items[i].instance == stage &&
		    chain_is_unseen(a, a->map->items[i].chain))
			return true;
	}
	return false;
}

static bool
writer_counts(const struct es_analysis *a, uint32_t collector)
{
	const struct es__overview *o = &a->overviews[collector];

	return o->gaps == 0 && (o->seq_first == 0 || es__overview_pure(o));
}

const char *
es__order_usable(const struct es_analysis *a, uint32_t element)
{
	const struct paths_map_element *e = &a->map->elements[element];
	uint32_t writer;

	if (e->full == PATHS_FULL_DISCARD)
		return "it discards tuples";
	if (e->take == PATHS_TAKE_ONE && order_readers(a, element) > 1)
		return "several readers take turns";
	if (element_is_unseen(a, element))
		return "not every path to it has a collector";
	for (uint32_t n = 0;
	     (writer = es__order_writer(a, element, n)) != PATHS_NONE; n++) {
		if (!writer_counts(a, writer))
			return "some writes were not recorded";
	}
	return NULL;
}

/* The first write of a feed: how many were before it, and when it was. */
static void
order_begin_feed(struct es__order *order, const struct es__overview *o)
{
	struct es__feed *feed =
	    &order->merge.feeds[order->merge.feed_count - 1];
	const struct es_collector *collector = feed->lane.collector;

	if (o->seq_first == 0)
		return;
	order->index += o->seq_first;
	for (uint64_t n = 0; n < collector->count; n++) {
		const struct es_tuple_path *tuple =
		    es__path_tuple(collector, n);
		int64_t ns;

		if (!es__tuple_ok(tuple))
			continue;
		ns = es_time_ns(feed->lane.base, tuple->stop);
		if (ns > order->sure_ns)
			order->sure_ns = ns;
		return;
	}
}

paths_status
es__order_open(struct es__order *order, const struct es_analysis *a,
    uint32_t element)
{
	uint32_t count = 0;
	paths_status st;

	*order = (struct es__order){ .sure_ns = INT64_MIN };
	while (es__order_writer(a, element, count) != PATHS_NONE)
		count++;
	st = es__merge_open(&order->merge, count);
	if (st != PATHS_OK)
		return st;
	order->merge.by_stop = true;
	order->merge.kinds = ES__KINDS_WRITE;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t writer = es__order_writer(a, element, n);

		es__merge_add(&order->merge, a, writer)->tag = n;
		order_begin_feed(order, &a->overviews[writer]);
	}
	order->now = es__merge_next(&order->merge);
	return PATHS_OK;
}

void
es__order_close(struct es__order *order)
{
	es__merge_close(&order->merge);
}

const struct es__feed *
es__order_find(struct es__order *order, uint64_t index)
{
	while (order->now != NULL && order->index < index) {
		order->now = es__merge_next(&order->merge);
		order->index++;
	}
	if (order->now == NULL || order->index != index ||
	    order->now->key < order->sure_ns)
		return NULL;
	return order->now;
}
