/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/traffic.c - makes communication matrices
 *
 * Entries are put into rows by two counting sorts, first by the partner, then
 * by the process, so that time and memory are linear in the entries.
 */

#include "scopes/place/traffic_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries in columns. */
struct traffic_entries {
	uint32_t *from, *to;
	double *weight;
	size_t *edge; /* of the caller */
	size_t count;
};

/* A matrix under construction. */
struct traffic_making {
	struct es_traffic *t;
	const struct es_traffic_costs *costs; /* NULL: none */
};

static paths_status
traffic_check(uint32_t processes, const struct es_traffic_edge *edge)
{
	if (edge->from >= processes || edge->to >= processes)
		return paths_log_fail(PATHS_ERANGE,
		    "traffic from process %u to %u: there are %u processes",
		    edge->from, edge->to, processes);
	if (!isfinite(edge->weight) || edge->weight < 0)
		return paths_log_fail(PATHS_EINVAL,
		    "traffic from process %u to %u is %g: not a number from "
		    "0 up",
		    edge->from, edge->to, edge->weight);
	return PATHS_OK;
}

static void
entries_fini(struct traffic_entries *e)
{
	free(e->from);
	free(e->to);
	free(e->weight);
	free(e->edge);
}

static paths_status
entries_init(struct traffic_entries *e, size_t room)
{
	*e = (struct traffic_entries){ .count = 0 };
	e->from = calloc(room + 1, sizeof(*e->from));
	e->to = calloc(room + 1, sizeof(*e->to));
	e->weight = calloc(room + 1, sizeof(*e->weight));
	e->edge = calloc(room + 1, sizeof(*e->edge));
	if (e->from != NULL && e->to != NULL && e->weight != NULL &&
	    e->edge != NULL)
		return PATHS_OK;
	entries_fini(e);
	return paths_log_fail(PATHS_ENOMEM, "no memory for %zu entries", room);
}

static void
entries_add(struct traffic_entries *e, uint32_t from, uint32_t to,
    double weight, size_t edge)
{
	e->from[e->count] = from;
	e->to[e->count] = to;
	e->edge[e->count] = edge;
	e->weight[e->count++] = weight;
}

/* Sorts entries by `key`, a column of theirs; entries of the same key keep
   their order.  Leaves the end of each key in `end`. */
static void
entries_sort(const struct traffic_entries *e, const uint32_t *key, size_t *end,
    uint32_t processes, struct traffic_entries *sorted)
{
	size_t sum = 0;

	memset(end, 0, processes * sizeof(*end));
	for (size_t n = 0; n < e->count; n++)
		end[key[n]]++;
	for (uint32_t p = 0; p < processes; p++) {
		size_t count = end[p];

		end[p] = sum;
		sum += count;
	}
	for (size_t n = 0; n < e->count; n++) {
		size_t at = end[key[n]]++;

		sorted->from[at] = e->from[n];
		sorted->to[at] = e->to[n];
		sorted->weight[at] = e->weight[n];
		sorted->edge[at] = e->edge[n];
	}
	sorted->count = e->count;
}

/* Adds the costs of an entry of the caller to those of a pair. */
static void
traffic_add_costs(const struct traffic_making *making, size_t edge, size_t at)
{
	uint32_t depths = making->t->depths;
	double *cost = making->t->cost + at * depths;

	for (uint32_t depth = 0; depth < depths; depth++)
		cost[depth] += making->costs->list[edge * depths + depth];
}

/* Sums up the largest costs, and their excess over the smallest. */
static paths_status
traffic_sum_costs(struct es_traffic *t)
{
	for (size_t n = 0; t->cost != NULL && n < t->row[t->count]; n++) {
		const double *cost = t->cost + n * t->depths;
		double least = cost[0], most = cost[0];

		for (uint32_t depth = 1; depth < t->depths; depth++) {
			least = fmin(least, cost[depth]);
			most = fmax(most, cost[depth]);
		}
		t->most += most;
		t->spread += most - least;
	}
	return isfinite(t->most) ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ERANGE, "the sum of all costs is not finite");
}

/* Adds up the entries of the same pair, and ends each row. */
static paths_status
traffic_rows(const struct traffic_making *making,
    const struct traffic_entries *e)
{
	struct es_traffic *t = making->t;
	size_t to = 0, n = 0;
	double total = 0;

	for (uint32_t p = 0; p < t->count; p++) {
		t->row[p] = to;
		for (; n < e->count && e->from[n] == p; n++) {
			if (to == t->row[p] || t->partner[to - 1] != e->to[n])
				t->partner[to++] = e->to[n];
			t->weight[to - 1] += e->weight[n];
			t->sum[p] += e->weight[n];
			if (t->cost != NULL)
				traffic_add_costs(making, e->edge[n], to - 1);
		}
		total += t->sum[p];
	}
	t->row[t->count] = to;
	if (!isfinite(total))
		return paths_log_fail(PATHS_ERANGE,
		    "the sum of all traffic is not finite");
	return traffic_sum_costs(t);
}

static paths_status
traffic_allocate(struct es_traffic *t, size_t entries)
{
	t->row = calloc((size_t)t->count + 1, sizeof(*t->row));
	t->partner = calloc(entries + 1, sizeof(*t->partner));
	t->weight = calloc(entries + 1, sizeof(*t->weight));
	t->sum = calloc(t->count, sizeof(*t->sum));
	if (t->depths > 0)
		t->cost = calloc((entries + 1) * t->depths, sizeof(*t->cost));
	if (t->row == NULL || t->partner == NULL || t->weight == NULL ||
	    t->sum == NULL || (t->depths > 0 && t->cost == NULL))
		return paths_log_fail(PATHS_ENOMEM, "no memory for %zu entries",
		    entries);
	return PATHS_OK;
}

/* Sorts the entries, of which both directions are there, into rows. */
static paths_status
traffic_fill(const struct traffic_making *making, struct traffic_entries *e)
{
	struct es_traffic *t = making->t;
	struct traffic_entries other;
	paths_status st = traffic_allocate(t, e->count);

	if (st != PATHS_OK)
		return st;
	st = entries_init(&other, e->count);
	if (st != PATHS_OK)
		return st;
	entries_sort(e, e->to, t->row, t->count, &other);
	entries_sort(&other, other.from, t->row, t->count, e);
	entries_fini(&other);
	return traffic_rows(making, e);
}

static paths_status
traffic_make(uint32_t processes, const struct es_traffic_costs *costs,
    struct traffic_entries *e, struct es_traffic **traffic)
{
	struct traffic_making making = { calloc(1, sizeof(*making.t)), costs };
	paths_status st;

	if (making.t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for traffic");
	making.t->count = processes;
	making.t->depths = costs == NULL ? 0 : costs->depths;
	st = traffic_fill(&making, e);
	if (st == PATHS_OK)
		*traffic = making.t;
	else
		es_traffic_destroy(making.t);
	return st;
}

/* Checks the costs of an entry.  Sets *nothing if all are 0. */
static paths_status
traffic_check_costs(const struct es_traffic_costs *costs, size_t edge,
    bool *nothing)
{
	*nothing = true;
	for (uint32_t depth = 0; costs != NULL && depth < costs->depths;
	     depth++) {
		double cost = costs->list[edge * costs->depths + depth];

		if (!isfinite(cost) || cost < 0)
			return paths_log_fail(PATHS_EINVAL,
			    "a cost of depth %u is %g: not a number from 0 up",
			    depth, cost);
		*nothing = *nothing && cost == 0;
	}
	return PATHS_OK;
}

/* Adds both directions of an entry. */
static paths_status
traffic_add(uint32_t processes, const struct es_traffic_edge *edges,
    const struct es_traffic_costs *costs, size_t n, struct traffic_entries *e)
{
	const struct es_traffic_edge *edge = &edges[n];
	bool nothing;
	paths_status st = traffic_check(processes, edge);

	if (st == PATHS_OK)
		st = traffic_check_costs(costs, n, &nothing);
	if (st != PATHS_OK || edge->from == edge->to ||
	    (edge->weight == 0 && nothing))
		return st;
	entries_add(e, edge->from, edge->to, edge->weight, n);
	entries_add(e, edge->to, edge->from, edge->weight, n);
	return PATHS_OK;
}

static paths_status
traffic_create(uint32_t processes, const struct es_traffic_edge *edges,
    size_t count, const struct es_traffic_costs *costs,
    struct es_traffic **traffic)
{
	struct traffic_entries e;
	paths_status st;

	if (processes == 0)
		return paths_log_fail(PATHS_EINVAL, "there are no processes");
	if (processes > ES_MACHINE_SLOTS)
		return paths_log_fail(PATHS_ERANGE, "%u processes: at most %u",
		    processes, ES_MACHINE_SLOTS);
	st = entries_init(&e, 2 * count);
	if (st != PATHS_OK)
		return st;
	for (size_t n = 0; n < count && st == PATHS_OK; n++)
		st = traffic_add(processes, edges, costs, n, &e);
	if (st == PATHS_OK)
		st = traffic_make(processes, costs, &e, traffic);
	entries_fini(&e);
	return st;
}

paths_status
es_traffic_create(uint32_t processes, const struct es_traffic_edge *edges,
    size_t count, struct es_traffic **traffic)
{
	return traffic_create(processes, edges, count, NULL, traffic);
}

paths_status
es_traffic_create_costs(uint32_t processes, const struct es_traffic_edge *edges,
    size_t count, const struct es_traffic_costs *costs,
    struct es_traffic **traffic)
{
	if (costs->depths == 0 || costs->depths > ES_MACHINE_LEVELS + 1)
		return paths_log_fail(PATHS_EINVAL,
		    "costs of %u depths: 1 to %u are possible", costs->depths,
		    ES_MACHINE_LEVELS + 1);
	return traffic_create(processes, edges, count, costs, traffic);
}

void
es_traffic_destroy(struct es_traffic *t)
{
	if (t == NULL)
		return;
	free(t->row);
	free(t->partner);
	free(t->weight);
	free(t->sum);
	free(t->cost);
	free(t);
}

uint32_t
es_traffic_processes(const struct es_traffic *t)
{
	return t->count;
}

size_t
es_traffic_pairs(const struct es_traffic *t)
{
	return t->row[t->count] / 2;
}

paths_status
es__traffic_fits(const struct es_traffic *t, uint32_t levels)
{
	if (t->cost == NULL || t->depths == levels + 1)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "pairs have costs of %u depths, and the machine has %u", t->depths,
	    levels + 1);
}

bool
es__traffic_find(const struct es_traffic *t, uint32_t a, uint32_t b, size_t *at)
{
	size_t low = t->row[a], high = t->row[a + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->partner[middle] < b)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return low < t->row[a + 1] && t->partner[low] == b;
}

double
es_traffic_weight(const struct es_traffic *t, uint32_t a, uint32_t b)
{
	size_t at;

	return es__traffic_find(t, a, b, &at) ? t->weight[at] : 0;
}
