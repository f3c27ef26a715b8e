/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/slowest.c - makes the process whose pairs cost most cheaper
 *
 * A descent: only the slowest process, and then its partners, try other slots,
 * because no other change makes it cheaper.
 */

#include "scopes/placement/slowest_private.h"

#include "scopes/place/traffic_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A process and the slot that it takes. */
struct slowest_move {
	uint32_t process, slot;
	double worst; /* largest cost of a process that it changes */
	double sum;   /* change of the sum over all pairs */
};

struct slowest {
	const struct es_place_slowest *of;
	uint32_t *at;	/* lent */
	uint32_t *who;	/* process on each slot, or PATHS_NONE */
	double *cost;	/* of each process */
	double *change; /* of each process, by a move; 0 between moves */
	uint32_t
	    *changed; /* processes that a move changes, some of them twice */
	size_t changed_count;
	double most; /* cost of the slowest process */
	double sum;
	uint64_t work; /* that is left */
};

/* Returns the cost of an entry between two slots. */
static double
pair_cost(const struct es_place_slowest *of, size_t entry, uint32_t a,
    uint32_t b)
{
	return of->traffic->cost[entry * of->traffic->depths +
	    es_machine_depth(of->machine, a, b)];
}

double
es_place_slowest_cost(const struct es_place_slowest *of, const uint32_t *at,
    double *cost)
{
	const struct es_traffic *t = of->traffic;
	double most = 0;

	for (uint32_t p = 0; p < t->count; p++) {
		cost[p] = 0;
		for (size_t n = t->row[p]; n < t->row[p + 1]; n++)
			cost[p] += pair_cost(of, n, at[p], at[t->partner[n]]);
		most = fmax(most, cost[p]);
	}
	return most;
}

static void
slowest_fini(struct slowest *s)
{
	free(s->who);
	free(s->cost);
	free(s->change);
	free(s->changed);
}

static paths_status
slowest_init(struct slowest *s, const struct es_place_slowest *of, uint32_t *at)
{
	const struct es_traffic *t = of->traffic;
	uint32_t slots = es_machine_slots(of->machine);

	*s = (struct slowest){ .of = of, .at = at, .work = of->work };
	s->who = malloc(slots * sizeof(*s->who));
	s->cost = calloc(t->count, sizeof(*s->cost));
	s->change = calloc(t->count, sizeof(*s->change));
	s->changed = calloc((size_t)2 * t->count, sizeof(*s->changed));
	if (s->who == NULL || s->cost == NULL || s->change == NULL ||
	    s->changed == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a placement");
	memset(s->who, 0xff, slots * sizeof(*s->who));
	for (uint32_t p = 0; p < t->count; p++)
		s->who[at[p]] = p;
	es_place_slowest_cost(of, at, s->cost);
	for (uint32_t p = 0; p < t->count; p++)
		s->sum += s->cost[p] / 2;
	return PATHS_OK;
}

/* Adds the changes of costs if a process moves to a slot.  Returns that of the
   sum.

   swapped	process that takes its slot, as far from it as before; or
		PATHS_NONE */
static double
move_end(struct slowest *s, uint32_t process, uint32_t slot, uint32_t swapped)
{
	const struct es_traffic *t = s->of->traffic;
	double sum = 0;

	for (size_t n = t->row[process]; n < t->row[process + 1]; n++) {
		uint32_t other = t->partner[n], there = s->at[other];
		double by;

		if (other == swapped)
			continue;
		by = pair_cost(s->of, n, slot, there) -
		    pair_cost(s->of, n, s->at[process], there);
		s->change[other] += by;
		s->changed[s->changed_count++] = other;
		sum += by;
	}
	s->change[process] += sum;
	s->changed[s->changed_count++] = process;
	return sum;
}

/* Returns the largest cost of the processes that a move changes; clears the
   changes, after `keep` has added them. */
static double
move_worst(struct slowest *s, bool keep)
{
	double worst = 0;

	for (size_t n = 0; n < s->changed_count; n++) {
		uint32_t p = s->changed[n];

		worst = fmax(worst, s->cost[p] + s->change[p]);
	}
	for (size_t n = 0; n < s->changed_count; n++) {
		uint32_t p = s->changed[n];

		if (keep)
			s->cost[p] += s->change[p];
		s->change[p] = 0;
	}
	s->changed_count = 0;
	return worst;
}

/* Finds the costs after a move, or keeps them. */
static void
move_try(struct slowest *s, struct slowest_move *move, bool keep)
{
	uint32_t other = s->who[move->slot];

	move->sum = move_end(s, move->process, move->slot, other);
	if (other != PATHS_NONE)
		move->sum +=
		    move_end(s, other, s->at[move->process], move->process);
	s->work -= s->changed_count < s->work ? s->changed_count : s->work;
	move->worst = move_worst(s, keep);
}

static void
move_make(struct slowest *s, struct slowest_move move)
{
	uint32_t from = s->at[move.process], other = s->who[move.slot];

	move_try(s, &move, true);
	s->sum += move.sum;
	s->at[move.process] = move.slot;
	s->who[move.slot] = move.process;
	s->who[from] = other;
	if (other != PATHS_NONE)
		s->at[other] = from;
}

/* Returns whether a move may be made: the processes concerned have to gain
   more, relative to the slowest one, than the sum loses. */
static bool
move_pays(const struct slowest *s, const struct slowest_move *move)
{
	double sum = s->sum + move->sum;

	return sum <= s->of->sum_most * (1 + ES_PLACE_COST_ERROR) &&
	    move->worst * sum < s->most * s->sum * (1 - ES_PLACE_COST_ERROR);
}

/* Tries all slots for a process, as long as work is left.  Keeps in `best` the
   move after which the processes concerned cost least, and at equal costs all
   pairs. */
static void
slots_try(struct slowest *s, uint32_t process, struct slowest_move *best)
{
	for (uint32_t n = 0; s->work > 0 && n < s->of->usable_count; n++) {
		struct slowest_move move = { .process = process,
			.slot = s->of->usable[n] };

		if (move.slot == s->at[process])
			continue;
		move_try(s, &move, false);
		if (!move_pays(s, &move))
			continue;
		if (move.worst < best->worst * (1 - ES_PLACE_COST_ERROR) ||
		    (move.worst <= best->worst && move.sum < best->sum))
			*best = move;
	}
}

/* Returns the process whose pairs cost most. */
static uint32_t
slowest_find(const struct slowest *s)
{
	uint32_t most = 0;

	for (uint32_t p = 1; p < s->of->traffic->count; p++)
		if (s->cost[p] > s->cost[most])
			most = p;
	return most;
}

/* Makes a move that makes the slowest process cheaper, and nothing else as
   expensive.  Returns false if there is none. */
static bool
slowest_step(struct slowest *s)
{
	const struct es_traffic *t = s->of->traffic;
	uint32_t slowest = slowest_find(s);
	struct slowest_move best = { .process = PATHS_NONE,
		.worst = s->cost[slowest],
		.sum = -INFINITY };

	s->most = s->cost[slowest];
	slots_try(s, slowest, &best);
	for (size_t n = t->row[slowest];
	     best.process == PATHS_NONE && n < t->row[slowest + 1]; n++)
		slots_try(s, t->partner[n], &best);
	if (best.process == PATHS_NONE)
		return false;
	move_make(s, best);
	return true;
}

paths_status
es_place_slowest_lower(const struct es_place_slowest *of, uint32_t *at)
{
	struct slowest s;
	paths_status st = slowest_init(&s, of, at);

	while (st == PATHS_OK && slowest_step(&s))
		;
	slowest_fini(&s);
	return st;
}
