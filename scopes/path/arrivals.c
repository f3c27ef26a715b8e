/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/arrivals.c - in which order operations come to and leave joins
 */

#include "scopes/path/arrivals_private.h"

#include "scopes/path/walk_private.h"

#include "libpaths/log.h"

#include <string.h>

struct piece {
	uint32_t join;
	struct es__range range;
	bool last; /* of its join */
};

/* Sums of one input. */
struct input {
	int64_t first, last, wait_sum, wait_max;
};

/* Sums of one input before another. */
struct pair {
	int64_t operations, wait_sum;
};

/* A result is: operations, inputs, then pairs, if there are any. */
struct effort {
	struct es_analysis *a;
	struct es_sink *sink;
	const struct es_table *one, *pair;
	bool by_stop;
	struct piece *pieces;
	size_t piece_count;
	size_t result_bytes;
	void *total;
};

static uint32_t
pair_inputs(uint32_t inputs)
{
	return inputs <= ES__PAIR_INPUTS_MAX ? inputs : 0;
}

static size_t
result_bytes(uint32_t inputs)
{
	size_t pairs = pair_inputs(inputs);

	return sizeof(int64_t) + inputs * sizeof(struct input) +
	    pairs * pairs * sizeof(struct pair);
}

static struct input *
result_inputs(void *result)
{
	return (struct input *)((int64_t *)result + 1);
}

static struct pair *
result_pairs(void *result, uint32_t inputs)
{
	return (struct pair *)(result_inputs(result) + inputs);
}

static void
add_inputs(struct input *inputs, const int64_t *ns, uint32_t count)
{
	uint32_t first = 0, last = 0;

	for (uint32_t i = 1; i < count; i++) {
		if (ns[i] < ns[first])
			first = i;
		if (ns[i] >= ns[last])
			last = i;
	}
	inputs[first].first++;
	inputs[last].last++;
	for (uint32_t i = 0; i < count; i++) {
		int64_t wait = ns[last] - ns[i];

		inputs[i].wait_sum += wait;
		if (wait > inputs[i].wait_max)
			inputs[i].wait_max = wait;
	}
}

static void
add_pairs(struct pair *pairs, const int64_t *ns, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t j = i + 1; j < count; j++) {
			struct pair *pair = ns[i] <= ns[j] ?
			    &pairs[i * count + j] :
			    &pairs[j * count + i];

			pair->operations++;
			pair->wait_sum += llabs(ns[j] - ns[i]);
		}
	}
}

static void
walk_add(struct es__walk *walk, bool by_stop, int64_t *ns, void *result)
{
	uint32_t count = walk->count;
	struct pair *pairs = result_pairs(result, count);

	while (es__walk_next(walk)) {
		for (uint32_t i = 0; i < count; i++) {
			const struct es__lane *lane = &walk->lanes[i];

			ns[i] = es_time_ns(lane->base,
			    by_stop ? lane->tuple->stop : lane->tuple->start);
		}
		++*(int64_t *)result;
		add_inputs(result_inputs(result), ns, count);
		add_pairs(pairs, ns, pair_inputs(count));
	}
}

/* The collectors above a join's inputs; NULL: no memory. */
static uint32_t *
join_collectors(const struct es__join *join)
{
	uint32_t *ids = calloc(join->input_count + 1, sizeof(*ids));

	for (uint32_t i = 0; ids && i < join->input_count; i++)
		ids[i] = join->inputs[i].collector;
	return ids;
}

static paths_status
effort_work(void *context, size_t item, void *result)
{
	struct effort *e = context;
	const struct piece *piece = &e->pieces[item];
	const struct es__join *join = &e->a->forest.joins[piece->join];
	int64_t *ns = calloc(join->input_count + 1, sizeof(*ns));
	uint32_t *ids = join_collectors(join);
	paths_status st = PATHS_ENOMEM;

	memset(result, 0, result_bytes(join->input_count));
	if (ns != NULL && ids != NULL) {
		struct es__walk walk;

		st = es__walk_open(&walk, e->a, ids, join->input_count,
		    piece->range);
		if (st == PATHS_OK)
			walk_add(&walk, e->by_stop, ns, result);
		es__walk_close(&walk);
	}
	free(ids);
	free(ns);
	return st;
}

static paths_status
emit_inputs(struct effort *e, const struct es__join *join)
{
	int64_t operations = *(int64_t *)e->total;
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; st == PATHS_OK && i < join->input_count; i++) {
		const struct input *input = &result_inputs(e->total)[i];

		st = e->sink->row(e->sink, e->one,
		    (struct es_value[]){ ES_INT(join->stage), ES_INT(i),
			ES_INT(operations), ES_INT(input->first),
			ES_INT(input->last), ES_INT(input->wait_sum),
			ES_INT(input->wait_max) });
	}
	return st;
}

static paths_status
emit_pairs(struct effort *e, const struct es__join *join)
{
	uint32_t count = pair_inputs(join->input_count);
	const struct pair *pair = result_pairs(e->total, join->input_count);
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count * count; n++, pair++) {
		if (n / count == n % count)
			continue;
		st = e->sink->row(e->sink, e->pair,
		    (struct es_value[]){ ES_INT(join->stage), ES_INT(n / count),
			ES_INT(n % count), ES_INT(pair->operations),
			ES_INT(pair->wait_sum) });
	}
	return st;
}

static void
total_add(void *total, const void *result, uint32_t inputs)
{
	const struct input *from = result_inputs((void *)result);
	const struct pair *pair = result_pairs((void *)result, inputs);
	uint32_t pairs = pair_inputs(inputs) * pair_inputs(inputs);

	*(int64_t *)total += *(const int64_t *)result;
	for (uint32_t i = 0; i < inputs; i++) {
		struct input *to = &result_inputs(total)[i];

		to->first += from[i].first;
		to->last += from[i].last;
		to->wait_sum += from[i].wait_sum;
		if (from[i].wait_max > to->wait_max)
			to->wait_max = from[i].wait_max;
	}
	for (uint32_t n = 0; n < pairs; n++) {
		struct pair *to = &result_pairs(total, inputs)[n];

		to->operations += pair[n].operations;
		to->wait_sum += pair[n].wait_sum;
	}
}

static paths_status
effort_done(void *context, size_t item, void *result)
{
	struct effort *e = context;
	const struct piece *piece = &e->pieces[item];
	const struct es__join *join = &e->a->forest.joins[piece->join];
	paths_status st = PATHS_OK;

	total_add(e->total, result, join->input_count);
	if (!piece->last)
		return PATHS_OK;
	if (*(int64_t *)e->total > 0)
		st = emit_inputs(e, join);
	if (st == PATHS_OK && *(int64_t *)e->total > 0)
		st = emit_pairs(e, join);
	memset(e->total, 0, e->result_bytes);
	return st;
}

/* What a reader of a join's rows should know. */
static void
join_diagnose(struct es_analysis *a, const struct es__join *join)
{
	const char *name = a->map->instances[join->stage].name;

	if (!join->observed) {
		es_run_diagnose(a->run, ES_WARNING, name,
		    "not each of its inputs has a collector: who comes first "
		    "is not known");
		return;
	}
	if (join->input_count > ES__PAIR_INPUTS_MAX)
		es_run_diagnose(a->run, ES_NOTE, name,
		    "it has %u inputs: pairs of them are not compared",
		    join->input_count);
	for (uint32_t i = 0; i < join->input_count; i++) {
		if (join->inputs[i].stages > 0)
			es_run_diagnose(a->run, ES_NOTE, name,
			    "%u stages lie between its input %u and the "
			    "collector above",
			    join->inputs[i].stages, i);
	}
}

/* How many pieces a join is worked on in, and over which operations. */
static paths_status
join_range(const struct es_analysis *a, const struct es__join *join,
    struct es__range *range)
{
	uint32_t *ids;

	*range = (struct es__range){ 0, 0 };
	if (!join->observed)
		return PATHS_OK;
	ids = join_collectors(join);
	if (ids == NULL)
		return PATHS_ENOMEM;
	*range = es__walk_range(a, ids, join->input_count);
	free(ids);
	return PATHS_OK;
}

static paths_status
effort_add_join(struct effort *e, uint32_t j)
{
	const struct es__join *join = &e->a->forest.joins[j];
	struct es__range range;
	paths_status st = join_range(e->a, join, &range);
	uint64_t blocks = es__range_blocks(range);
	void *pieces;

	if (st != PATHS_OK || blocks == 0)
		return st;
	pieces =
	    realloc(e->pieces, (e->piece_count + blocks) * sizeof(*e->pieces));
	if (pieces == NULL)
		return PATHS_ENOMEM;
	e->pieces = pieces;
	for (uint64_t block = 0; block < blocks; block++)
		e->pieces[e->piece_count++] = (struct piece){ j,
			es__range_block(range, block), block + 1 == blocks };
	if (result_bytes(join->input_count) > e->result_bytes)
		e->result_bytes = result_bytes(join->input_count);
	return PATHS_OK;
}

paths_status
es__arrivals_compute(struct es_analysis *a, struct es_sink *sink,
    const struct es_table *one, const struct es_table *pair, bool by_stop)
{
	struct effort e = { .a = a,
		.sink = sink,
		.one = one,
		.pair = pair,
		.by_stop = by_stop };
	struct es__work work = { .context = &e,
		.work = effort_work,
		.done = effort_done };
	paths_status st = PATHS_OK;

	for (uint32_t j = 0; st == PATHS_OK && j < a->forest.join_count; j++) {
		join_diagnose(a, &a->forest.joins[j]);
		st = effort_add_join(&e, j);
	}
	work.count = e.piece_count;
	work.result_bytes = e.result_bytes;
	e.total = calloc(1, e.result_bytes + 1);
	if (e.total == NULL)
		st = PATHS_ENOMEM;
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	free(e.total);
	free(e.pieces);
	return st == PATHS_ENOMEM ?
	    paths_log_fail(st, "no memory for the joins") :
	    st;
}
