/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/search.c - several methods in turn, and the best result
 *
 * Each start is refined.  The best one is annealed with the rest of the budget,
 * in several runs, because some patterns need more heat than others.  On few or
 * unequal slots, one of them begins without Scotch.
 */

#include "scopes/place/search_private.h"

#include "scopes/place/anneal_private.h"
#include "scopes/place/growth_private.h"
#include "scopes/place/matching_private.h"
#include "scopes/place/refine_private.h"
#include "scopes/place/repair_private.h"
#include "scopes/place/scotch_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Starts have this share of the budget. */
#define SEARCH_STARTS 0.6
/* Refinement ends at this share. */
#define SEARCH_REFINE 0.2
/* Work in a second of CPU time, at least. */
#define SEARCH_RATE 500e6
/* Slots that are few. */
#define SEARCH_FEW 128u

enum search_method {
	SEARCH_CURRENT, /* refined */
	SEARCH_PACKED,
	SEARCH_MATCHING,
	SEARCH_GROWTH_LIGHT,
	SEARCH_GROWTH_HEAVY,
	SEARCH_SCOTCH, /* the first of its strategies */
};

static const struct search_start {
	const char *name;
	enum search_method method;
	enum es__scotch_strategy strategy;
} search_starts[] = {
	{ "scotch", SEARCH_SCOTCH, ES__SCOTCH_DEFAULT },
	{ "matching", SEARCH_MATCHING, ES__SCOTCH_DEFAULT },
	{ "scotch", SEARCH_SCOTCH, ES__SCOTCH_QUALITY },
	{ "scotch", SEARCH_SCOTCH, ES__SCOTCH_RECURSIVE },
	{ "scotch", SEARCH_SCOTCH, ES__SCOTCH_PLAIN },
	{ "current", SEARCH_CURRENT, ES__SCOTCH_DEFAULT },
	{ "packed", SEARCH_PACKED, ES__SCOTCH_DEFAULT },
	{ "growth", SEARCH_GROWTH_LIGHT, ES__SCOTCH_DEFAULT },
	{ "growth", SEARCH_GROWTH_HEAVY, ES__SCOTCH_DEFAULT },
};

double
es__search_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

paths_status
es__search_init(struct es__search *s, const struct es_machine *m,
    const struct es_traffic *t, const uint32_t *places)
{
	size_t bytes = t->count * sizeof(*s->best);
	paths_status st;

	*s = (struct es__search){ .best_start = "current", .current = places };
	s->began = es__search_time();
	st = es__swap_init(&s->swap, m, t, places);
	if (st != PATHS_OK)
		return st;
	if (t->cost != NULL && es__pair_differs(m, t) &&
	    es__rough_make(m, t, &s->rough) != PATHS_OK)
		return PATHS_ENOMEM;
	s->trial = malloc(bytes);
	s->best = malloc(bytes);
	s->twin = malloc(bytes);
	if (s->trial == NULL || s->best == NULL || s->twin == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a search");
	memcpy(s->best, places, bytes);
	memcpy(s->twin, places, bytes);
	s->best_cost = s->twin_cost = es__swap_cost(&s->swap);
	s->twin_start = s->best_start;
	return PATHS_OK;
}

void
es__search_fini(struct es__search *s)
{
	es__swap_fini(&s->swap);
	es__rough_fini(&s->rough);
	free(s->trial);
	free(s->best);
	free(s->twin);
}

/* Keeps the placement at hand if it is better. */
static void
search_keep(struct es__search *s, const char *start, bool twin)
{
	size_t bytes = s->swap.t->count * sizeof(*s->best);
	double cost = es__swap_cost(&s->swap);

	if (cost < s->best_cost - s->swap.scale) {
		memcpy(s->best, s->swap.at, bytes);
		s->best_cost = cost;
		s->best_start = start;
	}
	if (twin && cost < s->twin_cost - s->swap.scale) {
		memcpy(s->twin, s->swap.at, bytes);
		s->twin_cost = cost;
		s->twin_start = start;
	}
}

/* Returns the work that is left: in time, at the speed of the work so far. */
static uint64_t
search_left(const struct es__search *s)
{
	double used = es__search_time() - s->began;
	double rate = (double)s->swap.work / used;

	if (s->seconds > 0)
		return used >= s->seconds ?
		    0 :
		    (uint64_t)((rate < SEARCH_RATE ? SEARCH_RATE : rate) *
			(s->seconds - used));
	return s->swap.work >= s->work ? 0 : s->work - s->swap.work;
}

/* Returns the work of Scotch, which is measured and not counted. */
static uint64_t
search_scotch_work(const struct es_traffic *t)
{
	return (uint64_t)(700 * t->count * sqrt(t->count)) +
	    400 * es_traffic_pairs(t);
}

/* Returns the work of a start, which is estimated. */
static uint64_t
search_work(const struct es__search *s, enum search_method method)
{
	if (method == SEARCH_SCOTCH)
		return search_scotch_work(s->swap.t);
	return method == SEARCH_MATCHING ? 250 * es_traffic_pairs(s->swap.t) :
					   0;
}

/* Makes a start.  Returns PATHS_ENOENT if it is left out: a budget that was
   asked for does not have its work. */
static paths_status
search_place(struct es__search *s, const struct search_start *start)
{
	bool rough = s->rough.traffic != NULL;
	const struct es_machine *m = rough ? s->rough.machine : s->swap.m;
	const struct es_traffic *t = rough ? s->rough.traffic : s->swap.t;
	uint64_t work = search_work(s, start->method), left = search_left(s);

	if (s->asked && work > left)
		return PATHS_ENOENT;
	s->swap.work += work;
	switch (start->method) {
	case SEARCH_MATCHING:
		return es__matching(m, t, s->trial);
	case SEARCH_GROWTH_LIGHT:
	case SEARCH_GROWTH_HEAVY:
		return es__growth(m, t, start->method == SEARCH_GROWTH_HEAVY,
		    left, s->trial);
	case SEARCH_SCOTCH:
		if (!s->scotch)
			return PATHS_ENOENT;
		return es__scotch(m, t, start->strategy,
		    (uint32_t)s->seed + start->strategy, s->trial);
	case SEARCH_CURRENT:
		memcpy(s->trial, s->current, t->count * sizeof(*s->trial));
		return PATHS_OK;
	case SEARCH_PACKED:
		break;
	}
	for (uint32_t p = 0; p < t->count; p++)
		s->trial[p] = s->swap.m->place[p];
	return PATHS_OK;
}

/* Tells if a share of the budget is left. */
static bool
search_has(const struct es__search *s, double share)
{
	if (s->seconds > 0)
		return es__search_time() - s->began < share * s->seconds;
	return (double)s->swap.work < share * (double)s->work;
}

/* Refines the placement at hand with a share of the budget. */
static paths_status
search_refine(struct es__search *s)
{
	double work = (double)(s->seconds > 0 ? search_left(s) : s->work);

	return es__refine(&s->swap,
	    s->swap.work + (uint64_t)(SEARCH_REFINE * work));
}

/* Makes a start and refines it. */
static paths_status
search_start(struct es__search *s, const struct search_start *start)
{
	paths_status st = search_place(s, start);

	if (st == PATHS_ENOENT)
		return PATHS_OK;
	if (st == PATHS_OK)
		st = es__repair(s->swap.m, s->swap.t, s->trial);
	if (st != PATHS_OK)
		return st;
	es__swap_set(&s->swap, s->trial);
	search_keep(s, start->name, start->method != SEARCH_SCOTCH);
	st = search_refine(s);
	search_keep(s, start->name, start->method != SEARCH_SCOTCH);
	return st;
}

/* A run of annealing. */
struct search_run {
	double hot, cold;
	bool twin; /* from the best without Scotch */
};

/* Anneals from a placement with some work, and refines the result. */
static paths_status
search_anneal(struct es__search *s, const struct search_run *run, uint64_t work)
{
	const char *start = run->twin ? s->twin_start : s->best_start;
	paths_status st;

	es__swap_set(&s->swap, run->twin ? s->twin : s->best);
	es__anneal(&s->swap, work, run->hot, run->cold);
	st = search_refine(s);
	search_keep(s, start, false);
	return st;
}

/* Tells if all groups are full and of the same size. */
static bool
search_regular(const struct es__search *s)
{
	const struct es_machine *m = s->swap.m;
	uint64_t slots = 1;

	for (uint32_t level = 0; level <= m->level_count; level++) {
		uint32_t most = 0;

		for (uint32_t at = 0; at < m->slot_count; at++)
			if (es__machine_child(m, level, at) > most)
				most = es__machine_child(m, level, at);
		slots *= most + 1;
	}
	return slots == m->slot_count && s->swap.t->count == m->slot_count;
}

/* Chooses the runs of annealing; the last one is all zeros. */
static const struct search_run *
search_plan(const struct es__search *s)
{
	/* Groups of unequal sizes are exchanged when it is hot only. */
	static const struct search_run unequal[] = { { 3, 0.4, false },
		{ 1.5, 0.2, true }, { 0.3, 0.02, false }, { 0, 0, false } };
	static const struct search_run few[] = { { 0.2, 0.01, false },
		{ 0.6, 0.01, false }, { 1, 0.01, true }, { 0, 0, false } };
	static const struct search_run many[] = { { 0.8, 0.1, false },
		{ 0.1, 0.01, false }, { 0, 0, false } };

	if (!search_regular(s))
		return unequal;
	return s->swap.m->slot_count <= SEARCH_FEW ? few : many;
}

static paths_status
search_anneals(struct es__search *s)
{
	const struct search_run *plan = search_plan(s);
	uint64_t left = search_left(s);
	uint32_t count = 0;
	paths_status st = PATHS_OK;

	while (plan[count].hot > 0)
		count++;
	for (uint32_t n = 0; left > 0 && n < count && st == PATHS_OK; n++)
		st = search_anneal(s, &plan[n], left / count);
	return st;
}

paths_status
es__search(struct es__search *s)
{
	const size_t count = sizeof(search_starts) / sizeof(*search_starts);
	paths_status st = PATHS_OK;

	s->swap.random.state = s->seed;
	for (size_t n = 0; n < count && st == PATHS_OK; n++)
		if (search_has(s, SEARCH_STARTS))
			st = search_start(s, &search_starts[n]);
	if (st == PATHS_OK)
		st = search_anneals(s);
	return st;
}
