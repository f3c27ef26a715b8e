/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits.c - finds where the time of operations goes
 *
 * The operations of a tree are divided into blocks, whose sums are added up.
 * Each thread with a path through the tree then gets its part of the sums.
 */

#include "scopes/path/waits_private.h"

#include "scopes/path/waits_sums_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* A block of operations of a tree. */
struct waits_block {
	uint32_t tree;
	uint64_t block;
};

struct waits {
	struct es_analysis *a;
	struct es__waits_plan *plans; /* of each tree */
	struct waits_block *pieces;
	size_t piece_count, piece_room;
	size_t numbers; /* of the largest plan */
	int64_t *total; /* sums of the tree that is being finished */
	struct es__waits *waits;
	size_t cost_room, blame_room;
};

static paths_status
waits_add_cost(struct waits *e, struct es__waits_cost cost)
{
	struct es__waits *w = e->waits;

	if (!paths__array_grow(&w->costs, w->cost_count, &e->cost_room,
		sizeof(*w->costs)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for costs");
	w->costs[w->cost_count++] = cost;
	return PATHS_OK;
}

static paths_status
waits_add_blame(struct waits *e, struct es__waits_blame blame)
{
	struct es__waits *w = e->waits;

	if (!paths__array_grow(&w->blames, w->blame_count, &e->blame_room,
		sizeof(*w->blames)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	w->blames[w->blame_count++] = blame;
	return PATHS_OK;
}

static paths_status
waits_give_blames(struct waits *e, const struct es__waits_plan *plan,
    uint32_t thread, uint32_t row)
{
	for (uint32_t c = 0; c < plan->culprits; c++) {
		const struct es__waits_sum *sum =
		    es__waits_plan_blame(plan, e->total, row, c);
		paths_status st = PATHS_OK;

		if (sum->count > 0)
			st = waits_add_blame(e,
			    (struct es__waits_blame){ thread,
				es__waits_plan_thread(plan, e->a, c),
				(uint64_t)sum->count, sum->wait_ns,
				(uint64_t)sum->undecided, sum->bound_ns });
		if (st != PATHS_OK)
			return st;
	}
	return PATHS_OK;
}

static paths_status
waits_give_track(struct waits *e, const struct es__waits_plan *plan,
    const struct es__track *track)
{
	uint32_t thread = e->a->map->paths[track->path].thread;
	uint32_t c = track->head;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && c != PATHS_NONE) {
		const struct es__segment *s = &e->a->graph.segments[c];
		const int64_t *cost = es__waits_plan_cost(e->total, s->slot);
		uint32_t row = plan->blame_of[s->slot];

		st = waits_add_cost(e,
		    (struct es__waits_cost){ thread, s->stage,
			(uint64_t)e->total[0], cost[0], cost[1] });
		if (st == PATHS_OK && row != PATHS_NONE)
			st = waits_give_blames(e, plan, thread, row);
		c = s->below;
	}
	return st;
}

static void
waits_give_steps(struct waits *e, const struct es__waits_plan *plan, uint32_t n)
{
	uint32_t path = plan->tree->tracks.ids[n];
	int64_t *to = e->waits->step_wait_ns +
	    (size_t)e->a->map->paths[path].thread * plan->steps.bins;
	const int64_t *from = es__waits_plan_steps(plan, e->total, n);

	for (uint32_t bin = 0; bin < plan->steps.bins; bin++)
		to[bin] += from[bin];
}

static paths_status
waits_give(struct waits *e, const struct es__waits_plan *plan)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < plan->tree->tracks.count;
	     n++) {
		st = waits_give_track(e, plan,
		    &e->a->graph.tracks[plan->tree->tracks.ids[n]]);
		if (plan->blame_rows > 0)
			waits_give_steps(e, plan, n);
	}
	return st;
}

static paths_status
waits_work(void *context, size_t item, void *result)
{
	struct waits *e = context;
	const struct waits_block *piece = &e->pieces[item];

	return es__waits_sums(&e->plans[piece->tree], e->a, piece->block,
	    result);
}

/* Returns the address of tuples of one of the paths of the tree, another one
   for each item, for es__work_run. */
static const void *
waits_reads(const void *context, size_t item)
{
	const struct waits *e = context;
	const struct es__list *tracks =
	    &e->plans[e->pieces[item].tree].tree->tracks;
	uint32_t head = PATHS_NONE;

	if (tracks->count > 0)
		head =
		    e->a->graph.tracks[tracks->ids[item % tracks->count]].head;
	return head == PATHS_NONE ?
	    NULL :
	    es__work_tuples(&e->a->run->collectors[head]);
}

static paths_status
waits_done(void *context, size_t item, void *result)
{
	struct waits *e = context;
	const struct waits_block *piece = &e->pieces[item];
	const struct es__waits_plan *plan = &e->plans[piece->tree];
	const int64_t *sums = result;

	for (size_t n = 0; n < es__waits_plan_numbers(plan); n++)
		e->total[n] = (piece->block > 0 ? e->total[n] : 0) + sums[n];
	if (piece->block + 1 < plan->blocks || e->total[0] == 0)
		return PATHS_OK;
	return waits_give(e, plan);
}

static paths_status
waits_cut(struct waits *e, uint32_t tree)
{
	const struct es__waits_plan *plan = &e->plans[tree];
	size_t numbers = es__waits_plan_numbers(plan);

	for (uint64_t block = 0; block < plan->blocks; block++) {
		if (!paths__array_grow(&e->pieces, e->piece_count,
			&e->piece_room, sizeof(*e->pieces)))
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for operations");
		e->pieces[e->piece_count++] =
		    (struct waits_block){ tree, block };
	}
	if (numbers > e->numbers)
		e->numbers = numbers;
	return PATHS_OK;
}

/* Reports operations that the first collector of a path retains, but another
   collector of its tree does not. */
static void
waits_diagnose(const struct waits *e, const struct es__waits_plan *plan)
{
	const struct es_analysis *a = e->a;
	uint64_t common = plan->range.end - plan->range.begin;

	for (uint32_t n = 0; n < plan->tree->tracks.count; n++) {
		const struct es__track *track =
		    &a->graph.tracks[plan->tree->tracks.ids[n]];
		uint64_t own;

		if (track->head == PATHS_NONE)
			continue;
		own = a->overviews[track->head].ok;
		if (own > common)
			es_run_diagnose(a->run, ES_WARNING,
			    a->map->threads[a->map->paths[track->path].thread]
				.name,
			    "%llu of %llu operations to %s count in views of "
			    "stages: tuples of the others are missing",
			    (unsigned long long)common, (unsigned long long)own,
			    a->map->paths[track->path].element_name);
	}
}

static paths_status
waits_prepare(struct waits *e, struct es__steps steps)
{
	const struct es__stage_graph *f = &e->a->graph;
	paths_status st = PATHS_OK;

	e->plans = calloc(f->tree_count + 1, sizeof(*e->plans));
	if (e->plans == NULL)
		return PATHS_ENOMEM;
	for (uint32_t t = 0; st == PATHS_OK && t < f->tree_count; t++) {
		st = es__waits_plan_init(&e->plans[t], e->a, &f->trees[t],
		    steps);
		if (st == PATHS_OK)
			st = waits_cut(e, t);
		if (st == PATHS_OK)
			waits_diagnose(e, &e->plans[t]);
	}
	if (st != PATHS_OK)
		return st;
	e->total = calloc(e->numbers + 1, sizeof(*e->total));
	return e->total ? PATHS_OK : PATHS_ENOMEM;
}

static int
cost_order(const void *left, const void *right)
{
	const struct es__waits_cost *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->stage < b->stage ? -1 : a->stage > b->stage;
}

static int
blame_order(const void *left, const void *right)
{
	const struct es__waits_blame *a = left, *b = right;

	if (a->waiter != b->waiter)
		return a->waiter < b->waiter ? -1 : 1;
	return a->culprit < b->culprit ? -1 : a->culprit > b->culprit;
}

static void
costs_merge(struct es__waits *w)
{
	size_t kept = 0;

	qsort(w->costs, w->cost_count, sizeof(*w->costs), cost_order);
	for (size_t n = 0; n < w->cost_count; n++) {
		struct es__waits_cost *last =
		    &w->costs[kept > 0 ? kept - 1 : 0];

		if (kept == 0 || cost_order(last, &w->costs[n]) != 0) {
			w->costs[kept++] = w->costs[n];
			continue;
		}
		last->operations += w->costs[n].operations;
		last->own_ns += w->costs[n].own_ns;
		last->wait_ns += w->costs[n].wait_ns;
	}
	w->cost_count = kept;
}

static void
blames_merge(struct es__waits *w)
{
	size_t kept = 0;

	qsort(w->blames, w->blame_count, sizeof(*w->blames), blame_order);
	for (size_t n = 0; n < w->blame_count; n++) {
		struct es__waits_blame *last =
		    &w->blames[kept > 0 ? kept - 1 : 0];

		if (kept == 0 || blame_order(last, &w->blames[n]) != 0) {
			w->blames[kept++] = w->blames[n];
			continue;
		}
		last->operations += w->blames[n].operations;
		last->wait_ns += w->blames[n].wait_ns;
		last->undecided += w->blames[n].undecided;
		last->bound_ns += w->blames[n].bound_ns;
	}
	w->blame_count = kept;
}

static void
waits_fini(struct waits *e)
{
	for (uint32_t t = 0; e->plans && t < e->a->graph.tree_count; t++)
		es__waits_plan_fini(&e->plans[t]);
	free(e->plans);
	free(e->pieces);
	free(e->total);
}

static paths_status
waits_compute(struct es_analysis *a, struct es__waits *waits)
{
	struct waits e = { .a = a, .waits = waits };
	struct es__work work = { .context = &e,
		.work = waits_work,
		.done = waits_done,
		.reads = waits_reads };
	struct es__steps steps = es__steps_shape(a, a->map->thread_count);
	paths_status st = waits_prepare(&e, steps);

	waits->step_wait_ns =
	    calloc((size_t)a->map->thread_count * steps.bins + 1,
		sizeof(*waits->step_wait_ns));
	if (st == PATHS_OK && waits->step_wait_ns == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for steps");
	work.count = e.piece_count;
	work.result_bytes = e.numbers * sizeof(int64_t);
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	waits_fini(&e);
	if (st != PATHS_OK)
		return st;
	if (waits->cost_count > 0)
		costs_merge(waits);
	if (waits->blame_count > 0)
		blames_merge(waits);
	return PATHS_OK;
}

static void
waits_destroy(struct es__kept *kept)
{
	struct es__waits *waits = (struct es__waits *)kept;

	free(waits->costs);
	free(waits->blames);
	free(waits->step_wait_ns);
	free(waits);
}

paths_status
es__waits_get(struct es_analysis *a, const struct es__waits **waits)
{
	struct es__waits *fresh;
	paths_status st;

	*waits = (const struct es__waits *)es__analysis_kept(a, waits_destroy);
	if (*waits != NULL)
		return PATHS_OK;
	fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	st = waits_compute(a, fresh);
	if (st != PATHS_OK) {
		waits_destroy(&fresh->kept);
		return st;
	}
	es__analysis_keep(a, &fresh->kept, waits_destroy);
	*waits = fresh;
	return PATHS_OK;
}
