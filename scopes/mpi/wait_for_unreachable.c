/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_unreachable.c - who can never go on
 */

#include "scopes/mpi/wait_for_unreachable_private.h"

#include "libpaths/map.h"

/* A target that cannot go on; NONE: what is needed can come. */
static uint32_t
need_in_vain(const struct es__knot *k, const struct es__knot_need *need)
{
	uint32_t vain = PATHS_NONE;

	for (uint32_t n = 0; n < need->count; n++) {
		uint32_t target = k->targets[need->first + n];

		if (!k->stuck[target] && need->targets == ES__KNOT_ANY)
			return PATHS_NONE;
		if (k->stuck[target] && vain == PATHS_NONE)
			vain = target;
	}
	return vain;
}

/* Likewise, of all that a thread needs. */
static uint32_t
thread_in_vain(const struct es__knot *k, const struct es__knot_thread *t)
{
	uint32_t vain = PATHS_NONE;

	for (uint32_t n = 0; n < t->count; n++) {
		uint32_t target = need_in_vain(k, &k->needs[t->first + n]);

		if (target == PATHS_NONE && t->needs == ES__KNOT_ANY)
			return PATHS_NONE;
		if (vain == PATHS_NONE)
			vain = target;
	}
	return vain;
}

/* Let go on who can; false: nobody did. */
static bool
knot_sweep(struct es__knot *k)
{
	bool moved = false;

	for (uint32_t n = 0; n < k->thread_count; n++) {
		struct es__knot_thread *t = &k->threads[n];

		if (!t->stuck ||
		    (t->needs != ES__KNOT_NOTHING &&
			thread_in_vain(k, t) != PATHS_NONE))
			continue;
		t->stuck = false;
		k->stuck[t->rank] = false;
		moved = true;
	}
	return moved;
}

void
es__knot_solve(struct es__knot *k)
{
	for (uint32_t r = 0; r < k->rank_count; r++) {
		k->stuck[r] = k->gone[r];
		k->next[r] = PATHS_NONE;
	}
	for (uint32_t n = 0; n < k->thread_count; n++) {
		k->threads[n].stuck = !k->gone[k->threads[n].rank];
		if (k->threads[n].stuck)
			k->stuck[k->threads[n].rank] = true;
	}
	while (knot_sweep(k))
		;
	for (uint32_t n = 0; n < k->thread_count; n++) {
		struct es__knot_thread *t = &k->threads[n];

		if (t->stuck && k->next[t->rank] == PATHS_NONE)
			k->next[t->rank] = thread_in_vain(k, t);
	}
}

uint32_t
es__knot_cycle(const struct es__knot *k, uint32_t rank, uint32_t *seen,
    uint32_t mark, uint32_t *start)
{
	uint32_t count = 1;

	while (k->next[rank] != PATHS_NONE && seen[rank] == PATHS_NONE) {
		seen[rank] = mark;
		rank = k->next[rank];
	}
	*start = rank;
	if (seen[rank] == PATHS_NONE) { /* it is gone */
		seen[rank] = mark;
		return 0;
	}
	if (seen[rank] != mark) {
		*start = PATHS_NONE;
		return 0;
	}
	for (uint32_t r = k->next[rank]; r != rank; r = k->next[r])
		count++;
	return count;
}
