/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/place.c - finds placements
 */

#include "scopes/place.h"

#include "scopes/place/keep_private.h"
#include "scopes/place/relabel_private.h"
#include "scopes/place/search_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The work of a move, and the least work by default. */
#define PLACE_MOVE 32u
#define PLACE_LEAST UINT64_C(86000000)

/* Checks the current placement and makes places of its slots. */
static paths_status
place_slots(const struct es_machine *m, uint32_t count, const uint32_t *current,
    uint32_t *places)
{
	uint32_t *user = malloc(m->slot_count * sizeof(*user));
	paths_status st = PATHS_OK;

	if (user == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a placement");
	memset(user, 0xff, m->slot_count * sizeof(*user));
	for (uint32_t p = 0; p < count && st == PATHS_OK; p++) {
		uint32_t slot = current == NULL ? p : current[p];

		if (slot == ES_PLACE_NOWHERE)
			places[p] = ES__SWAP_EMPTY;
		else if (slot >= m->slot_count)
			st = paths_log_fail(PATHS_EINVAL,
			    "process %u is on slot %u: there are %u slots", p,
			    slot, m->slot_count);
		else if (user[slot] != UINT32_MAX)
			st = paths_log_fail(PATHS_EINVAL,
			    "processes %u and %u are both on slot %u",
			    user[slot], p, slot);
		else
			places[p] = m->place[user[slot] = p, slot];
	}
	free(user);
	return st;
}

/* Finds the place of each process now.  Those without a slot get a free one. */
static paths_status
place_current(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *current, uint64_t seed, uint32_t *places)
{
	paths_status st = place_slots(m, t->count, current, places);

	for (uint32_t p = 0; p < t->count && st == PATHS_OK; p++)
		if (places[p] == ES__SWAP_EMPTY)
			return es__keep_place(m, t, seed, places);
	return st;
}

static paths_status
place_check(const struct es_machine *m, const struct es_traffic *t,
    const struct es_place_options *options)
{
	if (t->count > m->slot_count)
		return paths_log_fail(PATHS_ERANGE,
		    "%u processes do not fit on a machine of %u slots",
		    t->count, m->slot_count);
	if (es__traffic_fits(t, m->level_count) != PATHS_OK)
		return PATHS_EINVAL;
	if (!isfinite(options->seconds) || options->seconds < 0)
		return paths_log_fail(PATHS_EINVAL,
		    "a budget of %g s: not a number from 0 up",
		    options->seconds);
	return PATHS_OK;
}

/* Returns the work by default.  tests/bench/place_bench shows which goals of
   costs and of time it holds. */
static uint64_t
place_work(const struct es_traffic *t)
{
	uint64_t work = 58000000 + UINT64_C(95000) * t->count;

	return work < PLACE_LEAST ? PLACE_LEAST : work;
}

/* Searches, if there is anything to find. */
static paths_status
place_search(struct es__search *s, const struct es_place_options *options)
{
	const struct es_machine *m = s->swap.m;

	s->seed = options->seed;
	s->work = place_work(s->swap.t);
	if (options->moves > 0)
		s->work = options->moves > UINT64_MAX / PLACE_MOVE ?
		    UINT64_MAX :
		    options->moves * PLACE_MOVE;
	else if (options->seconds > 0)
		s->work = UINT64_MAX;
	s->seconds = options->seconds;
	s->asked = options->moves > 0 || options->seconds > 0;
	s->scotch = !options->without_scotch;
	if (s->best_cost <= 0 || !es__pair_differs(m, s->swap.t))
		return PATHS_OK;
	return es__search(s);
}

/* Makes the best placement one of those of its cost in which few move. */
static paths_status
place_settle(struct es__search *s)
{
	uint32_t count = s->swap.t->count;
	paths_status st;

	if (memcmp(s->best, s->current, count * sizeof(*s->best)) == 0)
		return PATHS_OK;
	st = es__relabel(s->swap.m, count, s->current, s->best);
	if (st == PATHS_OK)
		es__keep_return(&s->swap, s->current, s->best);
	return st;
}

/* Fills the result; the current placement stays unless another is better. */
static paths_status
place_result(const struct es__search *s, struct es_place_result *r)
{
	const struct es_machine *m = s->swap.m;
	uint32_t *before = malloc(r->process_count * sizeof(*before));
	paths_status st;

	if (before == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a placement");
	for (uint32_t p = 0; p < r->process_count; p++) {
		before[p] = m->slot[s->current[p]];
		r->slots[p] = m->slot[s->best[p]];
	}
	st = es_place_evaluate(m, s->swap.t, before, &r->before);
	if (st == PATHS_OK)
		st = es_place_evaluate(m, s->swap.t, r->slots, &r->after);
	r->improved = r->after.total < r->before.total;
	if (!r->improved) {
		memcpy(r->slots, before, r->process_count * sizeof(*before));
		r->after = r->before;
	}
	free(before);
	r->start = r->improved ? s->best_start : "current";
	r->moves = s->swap.work / PLACE_MOVE;
	r->seconds = es__search_time() - s->began;
	r->repeatable = s->seconds == 0;
	return st;
}

static paths_status
place_run(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *current, const struct es_place_options *options,
    struct es_place_result *r)
{
	struct es__search s;
	uint32_t *places = malloc(t->count * sizeof(*places));
	paths_status st;

	r->slots = malloc(t->count * sizeof(*r->slots));
	if (r->slots == NULL || places == NULL) {
		free(places);
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a placement");
	}
	st = place_current(m, t, current, options->seed, places);
	if (st == PATHS_OK) {
		st = es__search_init(&s, m, t, places);
		if (st == PATHS_OK)
			st = place_search(&s, options);
		if (st == PATHS_OK)
			st = place_settle(&s);
		if (st == PATHS_OK)
			st = place_result(&s, r);
		es__search_fini(&s);
	}
	free(places);
	return st;
}

paths_status
es_place(const struct es_machine *machine, const struct es_traffic *traffic,
    const uint32_t *current, const struct es_place_options *options,
    struct es_place_result *result)
{
	static const struct es_place_options defaults;
	struct es_place_result r = { .process_count = traffic->count };
	paths_status st;

	if (options == NULL)
		options = &defaults;
	st = place_check(machine, traffic, options);
	if (st == PATHS_OK)
		st = place_run(machine, traffic, current, options, &r);
	if (st == PATHS_OK)
		*result = r;
	else
		es_place_fini(&r);
	return st;
}

void
es_place_fini(struct es_place_result *result)
{
	free(result->slots);
	result->slots = NULL;
}

bool
es_place_has_scotch(void)
{
#ifdef ES_SCOTCH
	return true;
#else
	return false;
#endif
}
