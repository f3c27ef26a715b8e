/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/keep.c - placements in which processes stay
 */

#include "scopes/place/keep_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Placements to begin with, and the work for all of them: 0.05 s. */
#define KEEP_STARTS 32u
#define KEEP_WORK UINT64_C(50000000)

struct keep {
	struct es__swap swap;
	uint32_t *moving; /* processes without a place */
	uint32_t *open;	  /* places that no other process has */
	uint32_t moving_count, open_count;
};

/* Lists the processes without a place and the free places, and gives the first
   ones to the others. */
static paths_status
keep_list(struct keep *k, const struct es_machine *m,
    const struct es_traffic *t, uint32_t *places)
{
	bool *taken = calloc(m->slot_count, sizeof(*taken));

	k->moving = malloc(t->count * sizeof(*k->moving));
	k->open = malloc(m->slot_count * sizeof(*k->open));
	if (taken == NULL || k->moving == NULL || k->open == NULL) {
		free(taken);
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a placement");
	}
	for (uint32_t p = 0; p < t->count; p++) {
		if (places[p] == ES__SWAP_EMPTY)
			k->moving[k->moving_count++] = p;
		else
			taken[places[p]] = true;
	}
	for (uint32_t at = 0; at < m->slot_count; at++)
		if (!taken[at])
			k->open[k->open_count++] = at;
	free(taken);
	for (uint32_t n = 0; n < k->moving_count; n++)
		places[k->moving[n]] = k->open[n];
	return PATHS_OK;
}

/* Makes the best swap of a process.  Returns true if there is one. */
static bool
keep_swap(struct keep *k, uint32_t process)
{
	double least = -k->swap.scale;
	uint32_t best = ES__SWAP_EMPTY;

	for (uint32_t n = 0; n < k->open_count; n++) {
		double delta =
		    es__swap_delta(&k->swap, process, k->open[n], least);

		if (delta < least) {
			least = delta;
			best = k->open[n];
		}
	}
	if (best == ES__SWAP_EMPTY)
		return false;
	es__swap_make(&k->swap, process, best);
	return true;
}

/* Swaps while that gains. */
static void
keep_descend(struct keep *k)
{
	bool again = true;

	while (again) {
		again = false;
		for (uint32_t n = 0; n < k->moving_count; n++) {
			if (k->swap.work >= KEEP_WORK)
				return;
			again = keep_swap(k, k->moving[n]) || again;
		}
	}
}

/* Gives each process that moves an open place at random. */
static void
keep_shuffle(struct keep *k)
{
	for (uint32_t n = 0; n < k->moving_count; n++)
		es__swap_make(&k->swap, k->moving[n],
		    k->open[es__random_below(&k->swap.random, k->open_count)]);
}

static void
keep_search(struct keep *k, uint32_t *places)
{
	size_t bytes = k->swap.t->count * sizeof(*places);
	double least = es__swap_cost(&k->swap);

	for (uint32_t n = 0; n < KEEP_STARTS && k->swap.work < KEEP_WORK; n++) {
		double cost;

		if (n > 0)
			keep_shuffle(k);
		keep_descend(k);
		cost = es__swap_cost(&k->swap);
		if (cost < least - k->swap.scale) {
			least = cost;
			memcpy(places, k->swap.at, bytes);
		}
	}
}

paths_status
es__keep_place(const struct es_machine *m, const struct es_traffic *t,
    uint64_t seed, uint32_t *places)
{
	struct keep k = { .moving_count = 0 };
	paths_status st = keep_list(&k, m, t, places);

	if (st == PATHS_OK)
		st = es__swap_init(&k.swap, m, t, places);
	k.swap.random.state = seed;
	if (st == PATHS_OK)
		keep_search(&k, places);
	es__swap_fini(&k.swap);
	free(k.moving);
	free(k.open);
	return st;
}

void
es__keep_return(struct es__swap *s, const uint32_t *current, uint32_t *places)
{
	bool again = true;
	double cost;

	es__swap_set(s, places);
	cost = es__swap_cost(s);
	while (again) {
		again = false;
		for (uint32_t p = 0; p < s->t->count; p++) {
			if (s->at[p] == current[p] ||
			    es__swap_delta(s, p, current[p], s->scale) >=
				s->scale)
				continue;
			es__swap_make(s, p, current[p]);
			again = true;
		}
	}
	/* Changes below the scale may add up. */
	if (es__swap_cost(s) <= cost)
		memcpy(places, s->at, s->t->count * sizeof(*places));
}
