/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/order.c - finds the writer and the reader of each tuple of an
 * element, and the times of both
 */

#include "scopes/path/order_private.h"

#include "libpaths/log.h"

/* Returns the n-th collector directly above an element that recorded operations
   of some kinds; PATHS_NONE: there are not so many. */
static uint32_t
order_user(const struct es_analysis *a, uint32_t element, uint64_t kinds,
    uint32_t n)
{
	const struct es__list *users = &a->graph.users[element];

	for (uint32_t u = 0; u < users->count; u++) {
		uint32_t last = a->graph.trees[users->ids[u]].last;

		if (last != PATHS_NONE &&
		    (a->overviews[last].kinds & kinds) != 0 && n-- == 0)
			return last;
	}
	return PATHS_NONE;
}

uint32_t
es__order_writer(const struct es_analysis *a, uint32_t element, uint32_t n)
{
	return order_user(a, element, ES__KINDS_WRITE, n);
}

uint32_t
es__order_reader(const struct es_analysis *a, uint32_t element, uint32_t n)
{
	return order_user(a, element, ES__KIND(PATHS_READ), n);
}

/* Returns whether operations can reach the element through a chain without a
   collector.  Paths that the map declares for the use `unrelated` do not
   count. */
static bool
chain_is_unseen(const struct es_analysis *a, uint32_t chain,
    enum paths_map_use unrelated)
{
	const struct paths_map_chain *c = &a->map->chains[chain];

	if (c->path != PATHS_NONE && a->map->paths[c->path].use == unrelated)
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
element_is_unseen(const struct es_analysis *a, uint32_t element,
    enum paths_map_use unrelated)
{
	const struct es__list *users = &a->graph.users[element];

	for (uint32_t u = 0; u < users->count; u++) {
		if (chain_is_unseen(a, a->graph.trees[users->ids[u]].root,
			unrelated))
			return true;
	}
	return false;
}

static bool
user_is_numbered(const struct es_analysis *a, uint32_t collector)
{
	const struct es__overview *o = &a->overviews[collector];

	return o->gaps == 0 && (o->seq_first == 0 || es__overview_is_pure(o));
}

bool
es__order_is_taken(const struct es_analysis *a, uint32_t element)
{
	return a->map->elements[element].take == PATHS_TAKE_ONE;
}

/* Returns the reason why the reads of some reader of an element cannot be
   numbered; NULL: all can. */
static const char *
order_reads(const struct es_analysis *a, uint32_t element)
{
	uint32_t reader;

	if (element_is_unseen(a, element, PATHS_USE_WRITE))
		return "not every path to it has a collector";
	if (order_user(a, element, ES__KIND(PATHS_DELETE), 0) != PATHS_NONE)
		return "tuples were deleted";
	for (uint32_t n = 0;
	     (reader = es__order_reader(a, element, n)) != PATHS_NONE; n++) {
		if (!user_is_numbered(a, reader))
			return "some reads were not recorded";
	}
	return NULL;
}

const char *
es__order_usable(const struct es_analysis *a, uint32_t element)
{
	const struct paths_map_element *e = &a->map->elements[element];
	uint32_t writer;

	if (e->full == PATHS_FULL_DISCARD)
		return "it discards tuples";
	if (element_is_unseen(a, element, PATHS_USE_READ))
		return "not every path to it has a collector";
	for (uint32_t n = 0;
	     (writer = es__order_writer(a, element, n)) != PATHS_NONE; n++) {
		if (!user_is_numbered(a, writer))
			return "some writes were not recorded";
	}
	/* A single reader needs no numbers: it takes the tuples in the order of
	   its own reads. */
	return es__order_is_taken(a, element) &&
		es__order_reader(a, element, 1) != PATHS_NONE ?
	    order_reads(a, element) :
	    NULL;
}

const char *
es__order_writes_wait(const struct es_analysis *a, uint32_t element)
{
	const struct paths_map_element *e = &a->map->elements[element];
	const char *why;

	if (e->full != PATHS_FULL_BLOCK ||
	    es__order_reader(a, element, 0) == PATHS_NONE)
		return "";
	why = es__order_usable(a, element);
	return why != NULL ? why : order_reads(a, element);
}

/* If the oldest n operations of the feed that was added last were discarded,
   adds n to the index, and raises sure_ns to the time of the first retained
   operation. */
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
    uint32_t element, enum es__order_of of)
{
	uint64_t kinds =
	    of == ES__ORDER_TAKES ? ES__KIND(PATHS_READ) : ES__KINDS_WRITE;
	uint32_t count = 0;
	paths_status st;

	*order = (struct es__order){ .sure_ns = INT64_MIN };
	while (order_user(a, element, kinds, count) != PATHS_NONE)
		count++;
	st = es__merge_open(&order->merge, count);
	if (st != PATHS_OK)
		return st;
	order->merge.by_stop = true;
	order->merge.kinds = (uint32_t)kinds;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t user = order_user(a, element, kinds, n);

		es__merge_add(&order->merge, a, user)->tag = n;
		order_begin_feed(order, &a->overviews[user]);
	}
	order->current = es__merge_next(&order->merge);
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
	while (order->current != NULL && order->index < index) {
		order->current = es__merge_next(&order->merge);
		order->index++;
	}
	if (order->current == NULL || order->index != index ||
	    order->current->key < order->sure_ns)
		return NULL;
	return order->current;
}

bool
es__order_number(struct es__order *order, uint32_t tag, uint64_t at)
{
	while (order->current != NULL &&
	    (order->current->tag != tag || order->current->lane.at < at)) {
		order->current = es__merge_next(&order->merge);
		order->index++;
	}
	return order->current != NULL && order->current->lane.at == at &&
	    order->current->key >= order->sure_ns;
}
