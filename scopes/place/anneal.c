/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/anneal.c - simulated annealing
 *
 * All numbers come from additions, multiplications, divisions and square roots,
 * whose results are the same on all machines; exp and log are not.
 */

#include "scopes/place/anneal_private.h"

#include <math.h>

/* The temperature falls in this many steps; 1 << STEPS_LOG of them. */
#define ANNEAL_STEPS_LOG 8u
#define ANNEAL_LIMITS 4096u

/* Returns the natural logarithm of x, 0 < x <= 1, to 1e-9. */
static double
anneal_log(double x)
{
	double sum = 0, power, y;
	int halved = 0;

	for (; x < 0.7; halved++)
		x *= 2;
	y = (x - 1) / (x + 1);
	power = y;
	for (int n = 1; n < 20; n += 2) {
		sum += power / n;
		power *= y * y;
	}
	return 2 * sum - halved * 0.69314718055994531;
}

/* Chooses a place: mostly beside a partner of the process, seldom any. */
static uint32_t
anneal_place(struct es__swap *s, uint32_t p)
{
	const struct es_machine *m = s->m;
	const struct es_traffic *t = s->t;
	uint64_t bits = es__random_next(&s->random);
	uint32_t degree = (uint32_t)(t->row[p + 1] - t->row[p]);
	uint32_t level = m->level_count, group, first, partner;

	if ((bits & 7) == 0 || degree == 0)
		return es__random_below(&s->random, m->slot_count);
	partner = t->partner[t->row[p] + (((bits >> 32) * degree) >> 32)];
	bits >>= 3;
	while (level > 0 && (bits & 3) == 0) {
		level--;
		bits >>= 2;
	}
	if (level == 0)
		return es__random_below(&s->random, m->slot_count);
	level--;
	group = m->group[(size_t)level * m->slot_count + s->at[partner]];
	first = m->first[level][group];
	return first +
	    es__random_below(&s->random, m->first[level][group + 1] - first);
}

static void
anneal_step(struct es__swap *s, uint64_t work, double heat,
    const double *limits)
{
	for (uint64_t end = s->work + work; s->work < end;) {
		uint32_t p = es__random_below(&s->random, s->t->count);
		uint32_t place = anneal_place(s, p);
		double limit =
		    heat * limits[es__random_next(&s->random) % ANNEAL_LIMITS];

		if (place == s->at[p]) {
			s->work += ES__SWAP_WORK;
			continue;
		}
		if (es__swap_delta(s, p, place, limit) < limit)
			es__swap_make(s, p, place);
	}
}

void
es__anneal(struct es__swap *s, uint64_t work, double hot, double cold)
{
	double limits[ANNEAL_LIMITS], sum = 0, fall = cold / hot, heat;
	size_t pairs = es_traffic_pairs(s->t);

	for (uint32_t p = 0; p < s->t->count; p++)
		sum += s->t->sum[p] / 2;
	if (pairs == 0 || s->m->slot_count < 2)
		return;
	heat = s->t->cost != NULL ? s->t->spread / 2 / (double)pairs * hot :
				    sum / (double)pairs * hot *
		(s->m->distance[0] - s->m->distance[s->m->level_count]);
	for (unsigned n = 0; n < ANNEAL_LIMITS; n++)
		limits[n] = -anneal_log((n + 0.5) / ANNEAL_LIMITS);
	for (unsigned n = 0; n < ANNEAL_STEPS_LOG; n++)
		fall = sqrt(fall);
	for (unsigned n = 0; n < 1u << ANNEAL_STEPS_LOG; n++) {
		anneal_step(s, work >> ANNEAL_STEPS_LOG, heat, limits);
		heat *= fall;
	}
}
