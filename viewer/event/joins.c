/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/joins.c - operations that meet at a join, and the last one
 *
 * All collectors that an operation passes record it with one sequence number,
 * so operations that meet at a join have the same number on all inputs.
 */

#include "viewer/event/joins.h"

#include "viewer/event/ops.h"
#include "viewer/model/read.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* The largest depth of joins; only a damaged table exceeds it. */
#define DEEPEST 64u

static paths_status
joins_optional(const struct es_rows *rows, unsigned column, uint32_t *id)
{
	struct es_value value;
	int64_t number = PATHS_NONE;
	paths_status st = PATHS_OK;

	es_rows_get(rows, column, &value);
	if (value.kind != ES_NULL)
		st = esv__read_number(rows, column, 0, UINT32_MAX - 1, &number);
	*id = (uint32_t)number;
	return st;
}

static paths_status
joins_take(void *to, const struct es_rows *rows)
{
	struct esv__joins *joins = to;
	struct esv__input input;
	paths_status st = joins_optional(rows, 0, &input.stage);

	if (st == PATHS_OK)
		st = joins_optional(rows, 1, &input.path);
	if (st == PATHS_OK)
		st = joins_optional(rows, 2, &input.above);
	if (st == PATHS_OK)
		st = joins_optional(rows, 3, &input.collector);
	if (st != PATHS_OK)
		return st;
	if (!paths__array_grow(&joins->inputs, joins->count, &joins->room,
		sizeof(*joins->inputs)))
		return paths_log_fail(PATHS_ENOMEM, "joins");
	joins->inputs[joins->count++] = input;
	return PATHS_OK;
}

paths_status
esv__joins_open(struct esv_model *model, struct esv__joins *joins)
{
	*joins = (struct esv__joins){ .model = model };
	return esv__read_each(model,
	    "SELECT stage, path, above, collector FROM join_input"
	    " ORDER BY stage, input",
	    joins_take, joins);
}

void
esv__joins_close(struct esv__joins *joins)
{
	free(joins->inputs);
	joins->inputs = NULL;
}

const struct esv__input *
esv__joins_of_path(const struct esv__joins *joins, uint32_t path)
{
	for (uint32_t n = 0; path != PATHS_NONE && n < joins->count; n++)
		if (joins->inputs[n].path == path)
			return &joins->inputs[n];
	return NULL;
}

const struct esv__input *
esv__joins_after(const struct esv__joins *joins, uint32_t stage)
{
	for (uint32_t n = 0; n < joins->count; n++)
		if (joins->inputs[n].path == PATHS_NONE &&
		    joins->inputs[n].above == stage)
			return &joins->inputs[n];
	return NULL;
}

bool
esv__joins_arrival(const struct esv__joins *joins,
    const struct esv__input *input, uint64_t seq, int64_t *ns)
{
	struct esv__ops ops;
	uint64_t n;

	if (input->collector == PATHS_NONE ||
	    !esv__ops_open(joins->model, input->collector, &ops))
		return false;
	n = es_collector_seek(ops.collector, seq);
	if (n >= ops.collector->count ||
	    es_operation_seq(ops.collector, n) != seq)
		return false;
	*ns = esv__ops_start(&ops, n);
	return true;
}

static uint32_t
path_thread(const struct esv_model *model, uint32_t path)
{
	const struct paths_map *map = es_run_map(model->run);

	if (path >= map->path_count ||
	    map->paths[path].thread >= model->thread_count)
		return PATHS_NONE;
	return map->paths[path].thread;
}

bool
esv__joins_last(const struct esv__joins *joins, uint32_t stage, uint64_t seq,
    struct esv__arrival *last)
{
	*last = (struct esv__arrival){ INT64_MIN, PATHS_NONE };
	for (unsigned depth = 0; depth < DEEPEST; depth++) {
		const struct esv__input *latest = NULL;
		int64_t latest_ns = INT64_MIN, ns;

		for (uint32_t n = 0; n < joins->count; n++) {
			if (joins->inputs[n].stage != stage)
				continue;
			if (!esv__joins_arrival(joins, &joins->inputs[n], seq,
				&ns))
				return false;
			if (latest == NULL || ns > latest_ns) {
				latest = &joins->inputs[n];
				latest_ns = ns;
			}
		}
		if (latest == NULL)
			return depth > 0;
		if (depth == 0)
			last->ns = latest_ns;
		last->thread = path_thread(joins->model, latest->path);
		if (latest->path != PATHS_NONE)
			return true;
		/* Both joins waited for the last arrival at the join above. */
		stage = latest->above;
	}
	return false;
}

/* An input enters one join, so a walk meets each input once at most. */
struct joins_walk {
	const struct esv__joins *joins;
	esv__joins_each *each;
	void *to;
	uint32_t left; /* inputs not met yet */
};

static paths_status
joins_walk(struct joins_walk *walk, uint32_t stage, unsigned depth)
{
	const struct esv__joins *joins = walk->joins;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < joins->count; n++) {
		const struct esv__input *input = &joins->inputs[n];

		if (input->stage != stage)
			continue;
		if (walk->left-- == 0 || depth == DEEPEST)
			return paths_log_fail(PATHS_EDAMAGED,
			    "%s: the joins of join_input form a cycle",
			    joins->model->file);
		st = input->path != PATHS_NONE ?
		    walk->each(walk->to, input->path) :
		    joins_walk(walk, input->above, depth + 1);
	}
	return st;
}

paths_status
esv__joins_paths(const struct esv__joins *joins, uint32_t stage,
    esv__joins_each *each, void *to)
{
	struct joins_walk walk = { joins, each, to, joins->count };

	return joins_walk(&walk, stage, 0);
}
