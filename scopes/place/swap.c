/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/swap.c - finds and makes swaps of processes
 */

#include "scopes/place/swap_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Tables are worth their updates from this many partners of a process on, and
   may take this much memory. */
#define SWAP_TABLE_DEGREE 40u
#define SWAP_TABLE_BYTES (UINT64_C(32) << 20)
/* Updates of a table that is larger than this wait for memory. */
#define SWAP_TABLE_CACHE (UINT64_C(1) << 20)

/* Makes the table of columns: levels without effect on distances have none. */
static paths_status
swap_columns(struct es__swap *s)
{
	const struct es_machine *m = s->m;
	size_t slots = m->slot_count;

	s->column = calloc(slots * (m->level_count + 1), sizeof(*s->column));
	if (s->column == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for tables");
	for (uint32_t level = 0; level < m->level_count; level++) {
		for (size_t at = 0; at < slots; at++)
			s->column[at * m->level_count + level] =
			    (uint32_t)s->width + m->group[level * slots + at];
		s->width += m->group_count[level];
		s->saved[level] = es__pair_scale(m, s->t, level);
	}
	s->levels = m->level_count;
	return PATHS_OK;
}

static bool
swap_wants_tables(const struct es__swap *s)
{
	uint64_t width = 0;

	for (uint32_t level = 0; level < s->m->level_count; level++)
		width += s->m->group_count[level];
	return s->t->row[s->t->count] >
	    (size_t)s->t->count * SWAP_TABLE_DEGREE &&
	    width * s->t->count * sizeof(*s->pull) <= SWAP_TABLE_BYTES;
}

/* Adds the weights of a process, which is at a place, to its partners. */
static void
swap_pull(struct es__swap *s, uint32_t p)
{
	const struct es_traffic *t = s->t;
	const uint32_t *column = s->column + (size_t)s->at[p] * s->levels;

	for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
		double *row = s->pull + t->partner[n] * s->width;

		for (uint32_t level = 0; level < s->levels; level++)
			row[column[level]] += es__pair_saves(t, n, level);
	}
}

void
es__swap_set(struct es__swap *s, const uint32_t *places)
{
	memset(s->who, 0xff, s->m->slot_count * sizeof(*s->who));
	for (uint32_t p = 0; p < s->t->count; p++) {
		s->at[p] = places[p];
		s->who[places[p]] = p;
		s->code[p] = s->m->code[places[p]];
	}
	if (s->pull == NULL)
		return;
	memset(s->pull, 0, s->t->count * s->width * sizeof(*s->pull));
	for (uint32_t p = 0; p < s->t->count; p++)
		swap_pull(s, p);
}

paths_status
es__swap_init(struct es__swap *s, const struct es_machine *m,
    const struct es_traffic *t, const uint32_t *places)
{
	double sum = 0;

	*s = (struct es__swap){ .m = m, .t = t };
	s->at = calloc(t->count, sizeof(*s->at));
	s->who = calloc(m->slot_count, sizeof(*s->who));
	s->code = calloc(t->count, sizeof(*s->code));
	if (s->at == NULL || s->who == NULL || s->code == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a placement");
	if (swap_wants_tables(s)) {
		if (swap_columns(s) != PATHS_OK)
			return PATHS_ENOMEM;
		s->update =
		    t->count * s->width * sizeof(*s->pull) > SWAP_TABLE_CACHE ?
		    8 :
		    2;
		s->pull = calloc(t->count * s->width, sizeof(*s->pull));
		if (s->pull == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for tables");
	}
	for (uint32_t p = 0; p < t->count; p++)
		sum += t->sum[p];
	s->scale = 1e-13 * (t->cost == NULL ? sum * m->distance[0] : t->most);
	es__swap_set(s, places);
	return PATHS_OK;
}

void
es__swap_fini(struct es__swap *s)
{
	free(s->at);
	free(s->who);
	free(s->code);
	free(s->pull);
	free(s->column);
}

/* Adds up the changes of a row whose pairs have costs of their own. */
static double
swap_row_costs(const struct es__swap *s, uint32_t p, uint32_t other,
    uint64_t from, uint64_t to)
{
	const struct es_traffic *t = s->t;
	double sum = 0;

	for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
		uint64_t code = s->code[t->partner[n]];

		if (t->partner[n] != other)
			sum += es__pair_cost(s->m, t, n,
				   es__machine_differ(to, code)) -
			    es__pair_cost(s->m, t, n,
				es__machine_differ(from, code));
	}
	return sum;
}

/* Returns the change of the cost of a process's row, without its pair with
   `other`, if it goes from one place to another. */
static double
swap_row(const struct es__swap *s, uint32_t p, uint32_t other, uint64_t from,
    uint64_t to)
{
	const struct es_traffic *t = s->t;
	double sum = 0;

	if (t->cost != NULL)
		return swap_row_costs(s, p, other, from, to);
	for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
		uint32_t q = t->partner[n];
		uint64_t code = s->code[q];

		if (q == other)
			continue;
		sum += t->weight[n] *
		    (es__machine_between(s->m, to, code) -
			es__machine_between(s->m, from, code));
	}
	return sum;
}

static double
swap_delta_rows(const struct es__swap *s, uint32_t p, uint32_t place)
{
	uint32_t q = s->who[place];
	uint64_t from = s->code[p], to = s->m->code[place];
	double sum = swap_row(s, p, q, from, to);

	if (q != ES__SWAP_EMPTY)
		sum += swap_row(s, q, p, to, from);
	return sum;
}

static double
swap_delta_tables(const struct es__swap *s, uint32_t p, uint32_t place,
    double limit)
{
	uint32_t q = s->who[place];
	unsigned depth =
	    s->m->depth[es__machine_differ(s->code[p], s->m->code[place])];
	const uint32_t *from = s->column + (size_t)s->at[p] * s->levels;
	const uint32_t *to = s->column + (size_t)place * s->levels;
	const double *one = s->pull + p * s->width;
	const double *two = q == ES__SWAP_EMPTY ? NULL : s->pull + q * s->width;
	double sum = 0;
	size_t at;

	for (uint32_t n = depth; n < s->levels; n++) {
		double pull = one[from[n]] - one[to[n]];

		if (two != NULL)
			pull += two[to[n]] - two[from[n]];
		sum += s->saved[n] * pull;
	}
	/* Their own pair, whose distance stays, was taken for a gain; costs of
	   pairs need not fall with the depth, so it may have been a loss. */
	if (two != NULL && (sum < limit || s->t->cost != NULL) &&
	    es__traffic_find(s->t, p, q, &at))
		sum += 2 *
		    (es__pair_at(s->m, s->t, at, depth) -
			es__pair_at(s->m, s->t, at, s->levels));
	return sum;
}

/* Returns the number of partners of a process and of the one at a place. */
static size_t
swap_partners(const struct es__swap *s, uint32_t p, uint32_t place)
{
	const size_t *row = s->t->row;
	uint32_t q = s->who[place];
	size_t count = row[p + 1] - row[p];

	return q == ES__SWAP_EMPTY ? count : count + row[q + 1] - row[q];
}

double
es__swap_delta(struct es__swap *s, uint32_t process, uint32_t place,
    double limit)
{
	s->work += ES__SWAP_WORK;
	if (s->pull != NULL)
		return swap_delta_tables(s, process, place, limit);
	s->work += swap_partners(s, process, place);
	return swap_delta_rows(s, process, place);
}

/* Moves the weights of a process at its partners from one place to another. */
static void
swap_push(struct es__swap *s, uint32_t p, uint32_t from, uint32_t to)
{
	const struct es_traffic *t = s->t;
	const uint32_t *old = s->column + (size_t)from * s->levels;
	const uint32_t *new = s->column + (size_t)to * s->levels;
	unsigned depth =
	    s->m->depth[es__machine_differ(s->m->code[from], s->m->code[to])];

	for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
		double *row = s->pull + t->partner[n] * s->width;

		for (uint32_t level = depth; level < s->levels; level++) {
			double saves = es__pair_saves(t, n, level);

			row[old[level]] -= saves;
			row[new[level]] += saves;
		}
	}
}

void
es__swap_make(struct es__swap *s, uint32_t process, uint32_t place)
{
	uint32_t from = s->at[process], q = s->who[place];

	if (s->pull != NULL) {
		s->work += s->update * swap_partners(s, process, place);
		swap_push(s, process, from, place);
		if (q != ES__SWAP_EMPTY)
			swap_push(s, q, place, from);
	}
	s->who[from] = q;
	if (q != ES__SWAP_EMPTY) {
		s->at[q] = from;
		s->code[q] = s->m->code[from];
	}
	s->who[place] = process;
	s->at[process] = place;
	s->code[process] = s->m->code[place];
}

double
es__swap_cost(const struct es__swap *s)
{
	const struct es_traffic *t = s->t;
	double sum = 0;

	for (uint32_t p = 0; p < t->count; p++)
		for (size_t n = t->row[p]; n < t->row[p + 1]; n++)
			if (t->partner[n] > p)
				sum += es__pair_cost(s->m, t, n,
				    es__machine_differ(s->code[p],
					s->code[t->partner[n]]));
	return sum;
}
