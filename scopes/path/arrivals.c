/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/arrivals.c - adds up the order in which operations arrive at and
 * leave joins
 *
 * The operations of a join are divided into blocks.  Threads compute the sums
 * of blocks, which are then added up in order.
 */

#include "scopes/path/arrivals_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/doubt_private.h"
#include "scopes/clock/walk_private.h"

#include "libpaths/log.h"

#include <string.h>

/* A block of operations of a join. */
struct arrivals_block {
	uint32_t join;
	struct es__range range;
	bool last; /* the last block of its join */
};

/* The sums of a join are one array: number of operations, sums of inputs, then
   sums of pairs, if there are any. */
struct arrivals {
	struct es_analysis *a;
	es__arrivals_show *show;
	void *to;
	bool by_stop;
	struct arrivals_block *pieces;
	size_t piece_count;
	size_t result_bytes;
	void *total;
};

static uint32_t
pair_inputs(uint32_t inputs)
{
	return inputs <= ES__ARRIVALS_PAIR_INPUTS_MAX ? inputs : 0;
}

static size_t
result_bytes(uint32_t inputs)
{
	size_t pairs = pair_inputs(inputs);

	return sizeof(int64_t) + inputs * sizeof(struct es__arrivals_input) +
	    pairs * pairs * sizeof(struct es__arrivals_pair);
}

static struct es__arrivals_input *
result_inputs(void *result)
{
	return (struct es__arrivals_input *)((int64_t *)result + 1);
}

static struct es__arrivals_pair *
result_pairs(void *result, uint32_t inputs)
{
	return (struct es__arrivals_pair *)(result_inputs(result) + inputs);
}

static void
add_inputs(struct es__arrivals_input *inputs, const int64_t *ns, uint32_t count)
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

		inputs[i].wait_ns_sum += wait;
		if (wait > inputs[i].wait_ns_max)
			inputs[i].wait_ns_max = wait;
	}
}

static void
add_pairs(struct es__arrivals_pair *pairs, const int64_t *ns, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t j = i + 1; j < count; j++) {
			struct es__arrivals_pair *pair = ns[i] <= ns[j] ?
			    &pairs[i * count + j] :
			    &pairs[j * count + i];

			pair->operations++;
			pair->wait_ns_sum += llabs(ns[j] - ns[i]);
		}
	}
}

/* Returns the largest error of the difference of the times of two inputs. */
static int64_t
lanes_doubt(const struct es__walk *walk, const struct es_analysis *a,
    const int64_t *ns, uint32_t i, uint32_t j)
{
	return es__clock_doubt_between(a, walk->lanes[i].domain,
	    walk->lanes[j].domain, ns[i], ns[j]);
}

/* Adds, for each input, whether it may be the last one, and the error bound of
   its wait. */
static void
doubt_inputs(const struct es__walk *walk, const struct es_analysis *a,
    const int64_t *ns, struct es__arrivals_input *inputs)
{
	uint32_t count = walk->count, last = 0;
	bool rivals = false;

	for (uint32_t i = 1; i < count; i++)
		last = ns[i] >= ns[last] ? i : last;
	for (uint32_t i = 0; i < count; i++) {
		int64_t doubt = 0;

		for (uint32_t j = 0; j < count; j++)
			doubt = es__doubt_most(doubt,
			    lanes_doubt(walk, a, ns, i, j));
		if (doubt == ES__DOUBT_UNKNOWN)
			inputs[i].unbounded++;
		else
			inputs[i].bound_ns += doubt;
		doubt = lanes_doubt(walk, a, ns, i, last);
		if (doubt > 0 && ns[last] - ns[i] <= doubt) {
			inputs[i].undecided++;
			rivals = true;
		}
	}
	inputs[last].undecided += rivals;
}

static void
doubt_pairs(const struct es__walk *walk, const struct es_analysis *a,
    const int64_t *ns, struct es__arrivals_pair *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t j = i + 1; j < count; j++) {
			int64_t doubt = lanes_doubt(walk, a, ns, i, j);

			if (doubt > 0 && llabs(ns[j] - ns[i]) <= doubt)
				pairs[ns[i] <= ns[j] ? i * count + j :
						       j * count + i]
				    .undecided++;
		}
	}
}

/* Returns whether the collectors of the inputs have several clocks. */
static bool
walk_is_mixed(const struct es__walk *walk)
{
	for (uint32_t i = 1; i < walk->count; i++)
		if (walk->lanes[i].domain != walk->lanes[0].domain)
			return true;
	return false;
}

static void
walk_add(struct es__walk *walk, const struct arrivals *e, int64_t *ns,
    void *result)
{
	uint32_t count = walk->count;
	struct es__arrivals_pair *pairs = result_pairs(result, count);
	bool mixed = walk_is_mixed(walk);

	while (es__walk_next(walk)) {
		for (uint32_t i = 0; i < count; i++) {
			const struct es__lane *lane = &walk->lanes[i];

			ns[i] = es_time_ns(lane->base,
			    e->by_stop ? lane->tuple->stop :
					 lane->tuple->start);
		}
		++*(int64_t *)result;
		add_inputs(result_inputs(result), ns, count);
		add_pairs(pairs, ns, pair_inputs(count));
		if (!mixed)
			continue;
		doubt_inputs(walk, e->a, ns, result_inputs(result));
		doubt_pairs(walk, e->a, ns, pairs, pair_inputs(count));
	}
}

/* Returns the collectors above the inputs of a join; NULL: no memory.  The
   caller frees them. */
static uint32_t *
join_collectors(const struct es__join *join)
{
	uint32_t *ids = calloc(join->input_count + 1, sizeof(*ids));

	for (uint32_t i = 0; ids && i < join->input_count; i++)
		ids[i] = join->inputs[i].collector;
	return ids;
}

static paths_status
arrivals_work(void *context, size_t item, void *result)
{
	struct arrivals *e = context;
	const struct arrivals_block *piece = &e->pieces[item];
	const struct es__join *join = &e->a->graph.joins[piece->join];
	int64_t *ns = calloc(join->input_count + 1, sizeof(*ns));
	uint32_t *ids = join_collectors(join);
	paths_status st = PATHS_ENOMEM;

	memset(result, 0, result_bytes(join->input_count));
	if (ns != NULL && ids != NULL) {
		struct es__walk walk;

		st = es__walk_open(&walk, e->a, ids, join->input_count,
		    piece->range);
		if (st == PATHS_OK)
			walk_add(&walk, e, ns, result);
		es__walk_close(&walk);
	}
	free(ids);
	free(ns);
	return st;
}

/* Returns the address of tuples of one of the inputs, another one for each
   item, for es__work_run. */
static const void *
arrivals_reads(const void *context, size_t item)
{
	const struct arrivals *e = context;
	const struct es__join *join = &e->a->graph.joins[e->pieces[item].join];

	return es__work_tuples(
	    &e->a->run->collectors[join->inputs[item % join->input_count]
				       .collector]);
}

static void
total_add(void *total, const void *result, uint32_t inputs)
{
	const struct es__arrivals_input *from = result_inputs((void *)result);
	const struct es__arrivals_pair *pair =
	    result_pairs((void *)result, inputs);
	uint32_t pairs = pair_inputs(inputs) * pair_inputs(inputs);

	*(int64_t *)total += *(const int64_t *)result;
	for (uint32_t i = 0; i < inputs; i++) {
		struct es__arrivals_input *to = &result_inputs(total)[i];

		to->first += from[i].first;
		to->last += from[i].last;
		to->wait_ns_sum += from[i].wait_ns_sum;
		to->undecided += from[i].undecided;
		to->bound_ns += from[i].bound_ns;
		to->unbounded += from[i].unbounded;
		if (from[i].wait_ns_max > to->wait_ns_max)
			to->wait_ns_max = from[i].wait_ns_max;
	}
	for (uint32_t n = 0; n < pairs; n++) {
		struct es__arrivals_pair *to = &result_pairs(total, inputs)[n];

		to->operations += pair[n].operations;
		to->wait_ns_sum += pair[n].wait_ns_sum;
		to->undecided += pair[n].undecided;
	}
}

static paths_status
arrivals_show(const struct arrivals *e, const struct es__join *join)
{
	struct es__arrivals_join sums = { .stage = join->stage,
		.input_count = join->input_count,
		.operations = *(int64_t *)e->total,
		.inputs = result_inputs(e->total),
		.pairs = result_pairs(e->total, join->input_count),
		.pair_inputs = pair_inputs(join->input_count) };

	return e->show(e->to, &sums);
}

static paths_status
arrivals_done(void *context, size_t item, void *result)
{
	struct arrivals *e = context;
	const struct arrivals_block *piece = &e->pieces[item];
	const struct es__join *join = &e->a->graph.joins[piece->join];
	paths_status st = PATHS_OK;

	total_add(e->total, result, join->input_count);
	if (!piece->last)
		return PATHS_OK;
	if (*(int64_t *)e->total > 0)
		st = arrivals_show(e, join);
	memset(e->total, 0, e->result_bytes);
	return st;
}

/* Returns whether there is a collector for the operations of an input, even if
   it has no records because the path was never opened. */
static bool
input_has_collector(const struct es_run *run,
    const struct es__join_input *input)
{
	const struct es_collector *c = es_run_collector(run, input->silent);
	struct es_space_collector now;

	if (input->collector != PATHS_NONE)
		return true;
	return c != NULL && c->type != NULL &&
	    es_space_collector(es_run_space(run, c->process), c->entry, &now) ==
	    PATHS_OK &&
	    now.count == 0 && (now.mode & ES_MODE_TRACE) != 0;
}

static bool
join_has_collectors(const struct es_run *run, const struct es__join *join)
{
	for (uint32_t n = 0; n < join->input_count; n++)
		if (!input_has_collector(run, &join->inputs[n]))
			return false;
	return join->input_count > 0;
}

/* Diagnoses a join whose order of inputs is not known or not exact, or whose
   pairs of inputs are not compared. */
static void
join_diagnose(struct es_analysis *a, const struct es__join *join)
{
	const char *name = a->map->instances[join->stage].name;

	if (!join->observed) {
		if (!join_has_collectors(a->run, join))
			es_run_diagnose(a->run, ES_WARNING, name,
			    "an input has no collector, so the order of its "
			    "inputs is not known");
		return;
	}
	if (join->input_count > ES__ARRIVALS_PAIR_INPUTS_MAX)
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

/* Finds the operations that all inputs of a join retain. */
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
arrivals_add_join(struct arrivals *e, uint32_t j)
{
	const struct es__join *join = &e->a->graph.joins[j];
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
		e->pieces[e->piece_count++] = (struct arrivals_block){ j,
			es__range_block(range, block), block + 1 == blocks };
	if (result_bytes(join->input_count) > e->result_bytes)
		e->result_bytes = result_bytes(join->input_count);
	return PATHS_OK;
}

paths_status
es__arrivals_compute(struct es_analysis *a, bool by_stop,
    es__arrivals_show *show, void *to)
{
	struct arrivals e = { .a = a,
		.by_stop = by_stop,
		.show = show,
		.to = to };
	struct es__work work = { .context = &e,
		.work = arrivals_work,
		.done = arrivals_done,
		.reads = arrivals_reads };
	paths_status st = PATHS_OK;

	for (uint32_t j = 0; st == PATHS_OK && j < a->graph.join_count; j++) {
		join_diagnose(a, &a->graph.joins[j]);
		st = arrivals_add_join(&e, j);
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
