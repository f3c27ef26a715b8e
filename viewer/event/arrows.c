/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/arrows.c - arrows to the operations that others release
 *
 * At a join, the last operation to arrive releases all others.  At an element
 * that one path writes and one path reads, write number k releases read number
 * k.
 */

#include "viewer/event/arrows.h"

#include "viewer/event/joins.h"
#include "viewer/event/messages.h"
#include "viewer/event/ops.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/op.h"

#include <math.h>
#include <stdlib.h>

struct arrows {
	struct esv_model *model;
	struct esv_links *links;
	size_t most;
	int64_t t0_ns, t1_ns;
	struct esv__joins joins;

	/* The operation that releases others. */
	uint64_t seq;
	uint32_t from_row;
	int64_t from_ns;
};

/* Sets [*first, *end) to the tuples that start in the window. */
static void
arrows_range(const struct arrows *a, const struct esv__ops *ops,
    uint64_t *first, uint64_t *end)
{
	*first = es_collector_seek_start(ops->collector,
	    es_time_ticks(ops->base, a->t0_ns));
	*end = es_collector_seek_start(ops->collector,
	    es_time_ticks(ops->base, a->t1_ns));
}

/* Opens the first collector of a path. */
static bool
arrows_head(const struct arrows *a, uint32_t path, struct esv__ops *ops)
{
	const struct esv_model *model = a->model;
	uint32_t thread, heads;

	if (path >= es_run_map(model->run)->path_count)
		return false;
	thread = es_run_map(model->run)->paths[path].thread;
	if (thread >= model->thread_count)
		return false;
	heads = model->head_of[thread + 1];
	for (uint32_t h = model->head_of[thread]; h < heads; h++)
		if (esv__ops_open(model, model->heads[h], ops) &&
		    ops->collector->path == path)
			return true;
	return false;
}

/* Adds an arrow to operation seq of a collector, if it has returned. */
static paths_status
arrows_to(struct arrows *a, const struct esv__ops *ops)
{
	uint64_t n = es_collector_seek(ops->collector, a->seq);
	uint32_t row = a->model->thread_rows[ops->collector->thread];
	int64_t stop;

	if (n >= ops->collector->count || row == a->from_row ||
	    es_operation_seq(ops->collector, n) != a->seq)
		return PATHS_OK;
	stop = esv__ops_stop(ops, n);
	if (stop < esv__ops_start(ops, n))
		return PATHS_OK;
	return esv_links_add(a->links, a->most,
	    &(struct esv_link){ a->from_row, row, a->from_ns, stop });
}

static paths_status
arrows_released(void *to, uint32_t path)
{
	struct arrows *a = to;
	struct esv__ops ops;

	return arrows_head(a, path, &ops) ? arrows_to(a, &ops) : PATHS_OK;
}

/* Adds the arrows of a join for the operations that arrive at its first input
   in the window. */
static paths_status
arrows_join(struct arrows *a, const struct esv__input *input)
{
	struct esv__ops ops;
	uint64_t n, end;
	paths_status st = PATHS_OK;

	if (input->collector == PATHS_NONE ||
	    !esv__ops_open(a->model, input->collector, &ops))
		return PATHS_OK;
	arrows_range(a, &ops, &n, &end);
	for (; st == PATHS_OK && n < end; n++) {
		struct esv__arrival last;

		/* Arrows beyond the limit are only counted. */
		if (a->links->count >= a->most) {
			a->links->all += end - n;
			break;
		}
		a->seq = es_operation_seq(ops.collector, n);
		if (!esv__joins_last(&a->joins, input->stage, a->seq, &last) ||
		    last.thread == PATHS_NONE)
			continue;
		a->from_row = a->model->thread_rows[last.thread];
		a->from_ns = last.ns;
		st = esv__joins_paths(&a->joins, input->stage, arrows_released,
		    a);
	}
	return st;
}

/* Visits the joins that no other join follows, each by its first input. */
static paths_status
arrows_joins(struct arrows *a)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < a->joins.count; n++) {
		const struct esv__input *input = &a->joins.inputs[n];

		if ((n == 0 || input[-1].stage != input->stage) &&
		    esv__joins_after(&a->joins, input->stage) == NULL)
			st = arrows_join(a, input);
	}
	return st;
}

/* Returns the path that does operations of a kind at an element, without a join
   between; NONE: there is no such path, or there are several. */
static uint32_t
arrows_only(const struct arrows *a, uint32_t element, uint32_t kind)
{
	const struct paths_map *map = es_run_map(a->model->run);
	uint32_t found = PATHS_NONE;
	struct esv__ops ops;

	for (uint32_t p = 0; p < map->path_count; p++) {
		if (map->paths[p].element != element ||
		    esv__joins_of_path(&a->joins, p) != NULL ||
		    !arrows_head(a, p, &ops) || ops.collector->count == 0 ||
		    es_operation_get(ops.collector, 0)->op != kind)
			continue;
		if (found != PATHS_NONE)
			return PATHS_NONE;
		found = p;
	}
	return found;
}

/* Adds arrows from writes in the window to their reads. */
static paths_status
arrows_element(struct arrows *a, uint32_t writer, uint32_t reader)
{
	struct esv__ops from, to;
	uint64_t n, end;
	paths_status st = PATHS_OK;

	if (!arrows_head(a, writer, &from) || !arrows_head(a, reader, &to))
		return PATHS_OK;
	a->from_row = a->model->thread_rows[from.collector->thread];
	arrows_range(a, &from, &n, &end);
	for (; st == PATHS_OK && n < end; n++) {
		if (a->links->count >= a->most) {
			a->links->all += end - n;
			break;
		}
		a->seq = es_operation_seq(from.collector, n);
		a->from_ns = esv__ops_start(&from, n);
		st = arrows_to(a, &to);
	}
	return st;
}

static paths_status
arrows_elements(struct arrows *a)
{
	const struct paths_map *map = es_run_map(a->model->run);
	paths_status st = PATHS_OK;

	for (uint32_t e = 0; st == PATHS_OK && e < map->element_count; e++) {
		uint32_t writer = arrows_only(a, e, PATHS_WRITE);
		uint32_t reader = arrows_only(a, e, PATHS_READ);

		if (writer != PATHS_NONE && reader != PATHS_NONE)
			st = arrows_element(a, writer, reader);
	}
	return st;
}

paths_status
esv_event_arrows(struct esv_model *model, const struct esv_window *window,
    size_t most, struct esv_links *links)
{
	struct arrows a = { .model = model, .links = links, .most = most };
	paths_status st = esv__ops_check(model);

	*links = (struct esv_links){ NULL, 0, 0, 0 };
	if (st != PATHS_OK)
		return st;
	a.t0_ns = (int64_t)fmin(fmax(floor(window->t0_ns), -0x1p60), 0x1p60);
	a.t1_ns =
	    (int64_t)fmin(fmax(ceil(window->t0_ns + window->span_ns), -0x1p60),
		0x1p60);
	if (model->mpi) {
		st = esv__messages_find(model, a.t0_ns, a.t1_ns, most, links);
	} else {
		st = esv__joins_open(model, &a.joins);
		if (st == PATHS_OK)
			st = arrows_joins(&a);
		if (st == PATHS_OK)
			st = arrows_elements(&a);
		esv__joins_close(&a.joins);
	}
	if (st != PATHS_OK)
		esv_links_fini(links);
	return st;
}
