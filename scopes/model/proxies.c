/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/proxies.c - operations through proxies under a model
 */

#include "scopes/model_run.h"

#include "scopes/clock/walk_private.h"
#include "scopes/model/model_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The operation of a proxy that began last. */
struct proxy_last {
	uint64_t start, stop; /* ticks of the process */
	double bytes_s;	      /* time of its bytes */
};

/* The collectors on both sides of a proxy, and its operations one by one. */
struct proxy_lane {
	uint32_t collectors[2];
	size_t row; /* in the list */
	uint32_t via;
	struct es__walk walk;
	bool open, on; /* on: the walk is at an operation */
	struct proxy_last last;
};

struct proxies {
	struct es_analysis *a;
	const struct es_model *model;
	enum es_model_fit fit;
	struct es_model_proxies *found;
	size_t row_room;
	struct proxy_lane *lanes; /* by processes and means */
	size_t lane_count, lane_room;
};

void
es_model_proxies_close(struct es_model_proxies *proxies)
{
	if (proxies == NULL)
		return;
	free(proxies->list);
	free(proxies);
}

static const char *
process_host(const struct proxies *p, uint32_t process)
{
	const struct paths_map *map = p->a->map;

	return map->hosts[map->processes[process].host].name;
}

/* Returns the first locality inside of hosts or between them; the last one of
   the model if there is none. */
static uint32_t
locality_any(const struct es_model *model, bool between, bool *known)
{
	for (size_t n = 0; n < model->locality_count; n++)
		if (model->localities[n].between_hosts == between) {
			*known = true;
			return (uint32_t)n;
		}
	*known = false;
	return (uint32_t)model->locality_count - 1;
}

/* Sets the locality of a proxy: the one that was measured for its hosts, or the
   one with the name of its means, or any of its kind. */
static void
proxy_place(const struct proxies *p, enum paths_map_via via,
    struct es_model_proxy *row)
{
	const char *hosts[2] = { process_host(p, row->from),
		process_host(p, row->to) };
	bool between = p->a->map->processes[row->from].host !=
	    p->a->map->processes[row->to].host;
	const char *name = between ? NULL : es__model_via(via);

	row->locality = es_model_find_pair(p->model, name, hosts[0], hosts[1]);
	if (row->locality == PATHS_NONE && !between)
		row->locality = es_model_find_locality(p->model, name);
	row->placed = row->locality != PATHS_NONE;
	if (!row->placed)
		row->locality = locality_any(p->model, between, &row->placed);
}

/* Returns the item of a proxy that is the only stage below a collector; NULL:
   there is none. */
static const struct paths_map_item *
proxy_below(const struct proxies *p, uint32_t collector)
{
	const struct es__segment *s = &p->a->graph.segments[collector];
	const struct paths_map *map = p->a->map;

	if (s->tree == PATHS_NONE || s->stages != 1)
		return NULL;
	for (uint32_t n = 0; n < map->item_count; n++)
		if (map->items[n].instance == s->stage)
			return map->items[n].target == PATHS_NONE ?
			    NULL :
			    &map->items[n];
	return NULL;
}

static paths_status
proxies_add(struct proxies *p, uint32_t collector,
    const struct paths_map_item *item)
{
	const struct es__segment *s = &p->a->graph.segments[collector];
	struct es_model_proxy row = { .stage = s->stage,
		.path = p->a->run->collectors[collector].path,
		.from = item->process,
		.to = item->target };
	struct proxy_lane lane = { .collectors = { collector, s->below },
		.row = p->found->count,
		.via = item->via };

	if (!paths__array_grow(&p->found->list, p->found->count, &p->row_room,
		sizeof(*p->found->list)) ||
	    !paths__array_grow(&p->lanes, p->lane_count, &p->lane_room,
		sizeof(*p->lanes)))
		return es__model_no_memory();
	proxy_place(p, item->via, &row);
	p->found->list[p->found->count++] = row;
	p->lanes[p->lane_count++] = lane;
	return PATHS_OK;
}

/* Lists the proxies with a collector on both sides, and counts the others. */
static paths_status
proxies_find(struct proxies *p)
{
	const struct paths_map *map = p->a->map;
	uint64_t all = 0;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < map->item_count; n++)
		all += map->items[n].target != PATHS_NONE &&
		    map->items[n].target != map->items[n].process;
	for (uint32_t n = 0; st == PATHS_OK && n < p->a->run->collector_count;
	     n++) {
		const struct paths_map_item *item = proxy_below(p, n);

		if (item != NULL && item->target != item->process &&
		    p->a->graph.segments[n].below != PATHS_NONE)
			st = proxies_add(p, n, item);
	}
	p->found->hidden = all > p->found->count ? all - p->found->count : 0;
	return st;
}

/* Returns the costs of an operation without a queue. */
static struct es_model_cost
operation_cost(const struct proxies *p, const struct es_model_proxy *row,
    const struct es_tuple_path *tuple)
{
	struct es_model_question question = { p->fit, ES_MODEL_NODE_AWARE,
		row->locality, tuple->bytes, 1 };
	struct es_model_cost sum = es_model_message(p->model, question), answer;

	if (tuple->op != PATHS_EXCHANGE)
		question.bytes = 0;
	answer = es_model_message(p->model, question);
	sum.latency_s += answer.latency_s;
	sum.bandwidth_s += answer.bandwidth_s;
	return sum;
}

/* Returns the time of the bytes of other operations that are still under way
   when an operation begins. */
static double
operation_queue(const struct proxy_lane *lanes, size_t count, size_t self,
    uint64_t start, const struct es_timebase *base)
{
	double sum = 0;

	for (size_t n = 0; n < count; n++) {
		const struct proxy_last *last = &lanes[n].last;
		double gone_s;

		if (n == self || last->stop <= start)
			continue;
		gone_s = (double)(es_time_ns(base, start) -
			     es_time_ns(base, last->start)) /
		    1e9;
		sum += fmax(last->bytes_s - gone_s, 0);
	}
	return sum;
}

/* Adds the operation at which a lane is, and goes to the next one. */
static void
lane_step(struct proxies *p, struct proxy_lane *lanes, size_t count,
    size_t self)
{
	struct proxy_lane *lane = &lanes[self];
	struct es_model_proxy *row = &p->found->list[lane->row];
	const struct es__lane *above = &lane->walk.lanes[0];
	const struct es__lane *below = &lane->walk.lanes[1];
	const struct es_tuple_path *outer = above->tuple;
	const struct es_tuple_path *inner = below->tuple;
	struct es_model_cost cost = operation_cost(p, row, outer);
	int64_t ns = (es_time_ns(above->base, outer->stop) -
			 es_time_ns(above->base, outer->start)) -
	    (es_time_ns(below->base, inner->stop) -
		es_time_ns(below->base, inner->start));

	row->operations++;
	row->bytes +=
	    (uint64_t)outer->bytes * (outer->op == PATHS_EXCHANGE ? 2 : 1);
	row->measured_s += (double)ns / 1e9;
	row->cost.latency_s += cost.latency_s;
	row->cost.bandwidth_s += cost.bandwidth_s;
	row->cost.queue_s +=
	    operation_queue(lanes, count, self, outer->start, above->base);
	lane->last =
	    (struct proxy_last){ outer->start, outer->stop, cost.bandwidth_s };
	lane->on = es__walk_next(&lane->walk);
}

static paths_status
lane_open(struct proxies *p, struct proxy_lane *lane)
{
	paths_status st;

	lane->open = true;
	st = es__walk_open(&lane->walk, p->a, lane->collectors, 2,
	    es__walk_range(p->a, lane->collectors, 2));
	if (st == PATHS_OK)
		lane->on = es__walk_next(&lane->walk);
	return st;
}

/* Adds the operations of all lanes between two processes, in the order in which
   they begin. */
static paths_status
lanes_add(struct proxies *p, struct proxy_lane *lanes, size_t count)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		st = lane_open(p, &lanes[n]);
	while (st == PATHS_OK) {
		size_t next = count;

		for (size_t n = 0; n < count; n++)
			if (lanes[n].on &&
			    (next == count ||
				lanes[n].walk.lanes[0].tuple->start <
				    lanes[next].walk.lanes[0].tuple->start))
				next = n;
		if (next == count)
			break;
		lane_step(p, lanes, count, next);
	}
	for (size_t n = 0; n < count; n++)
		if (lanes[n].open)
			es__walk_close(&lanes[n].walk);
	return st;
}

/* Compares lanes by processes and means; `to` is the list of rows. */
static int
lane_compare(const void *a, const void *b, void *to)
{
	const struct proxy_lane *x = a, *y = b;
	const struct es_model_proxies *found = to;
	const struct es_model_proxy *r = &found->list[x->row];
	const struct es_model_proxy *s = &found->list[y->row];

	if (r->from != s->from)
		return r->from < s->from ? -1 : 1;
	if (r->to != s->to)
		return r->to < s->to ? -1 : 1;
	if (x->via != y->via)
		return x->via < y->via ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static bool
lane_same(const struct proxies *p, const struct proxy_lane *x,
    const struct proxy_lane *y)
{
	const struct es_model_proxy *r = &p->found->list[x->row];
	const struct es_model_proxy *s = &p->found->list[y->row];

	return r->from == s->from && r->to == s->to && x->via == y->via;
}

static paths_status
proxies_do(struct proxies *p)
{
	paths_status st = proxies_find(p);

	if (st == PATHS_OK && p->lane_count > 0)
		qsort_r(p->lanes, p->lane_count, sizeof(*p->lanes),
		    lane_compare, p->found);
	for (size_t n = 0, end; st == PATHS_OK && n < p->lane_count; n = end) {
		for (end = n + 1; end < p->lane_count &&
		     lane_same(p, &p->lanes[n], &p->lanes[end]);
		     end++)
			;
		st = lanes_add(p, &p->lanes[n], end - n);
	}
	return st;
}

paths_status
es_model_proxies_open(struct es_analysis *analysis,
    const struct es_model *model, enum es_model_fit fit,
    struct es_model_proxies **proxies)
{
	struct proxies p = { .a = analysis,
		.model = model,
		.fit = fit,
		.found = calloc(1, sizeof(*p.found)) };
	paths_status st = p.found == NULL ? es__model_no_memory() : PATHS_OK;

	if (st == PATHS_OK && model->locality_count == 0)
		st = paths_log_fail(PATHS_EINVAL, "the model has no locality");
	if (st == PATHS_OK)
		st = proxies_do(&p);
	free(p.lanes);
	if (st == PATHS_OK)
		*proxies = p.found;
	else
		es_model_proxies_close(p.found);
	return st;
}
