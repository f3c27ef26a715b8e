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
	size_t count;
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
}

static paths_status
entries_init(struct traffic_entries *e, size_t room)
{
	*e = (struct traffic_entries){ .count = 0 };
	e->from = calloc(room + 1, sizeof(*e->from));
	e->to = calloc(room + 1, sizeof(*e->to));
	e->weight = calloc(room + 1, sizeof(*e->weight));
	if (e->from != NULL && e->to != NULL && e->weight != NULL)
		return PATHS_OK;
	entries_fini(e);
	return paths_log_fail(PATHS_ENOMEM, "no memory for %zu entries", room);
}

static void
entries_add(struct traffic_entries *e, uint32_t from, uint32_t to,
    double weight)
{
	e->from[e->count] = from;
	e->to[e->count] = to;
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
	}
	sorted->count = e->count;
}

/* Adds up the entries of the same pair, and ends each row. */
static paths_status
traffic_rows(struct es_traffic *t, const struct traffic_entries *e)
{
	size_t to = 0, n = 0;
	double total = 0;

	for (uint32_t p = 0; p < t->count; p++) {
		t->row[p] = to;
		for (; n < e->count && e->from[n] == p; n++) {
			if (to == t->row[p] || t->partner[to - 1] != e->to[n])
				t->partner[to++] = e->to[n];
			t->weight[to - 1] += e->weight[n];
			t->sum[p] += e->weight[n];
		}
		total += t->sum[p];
	}
	t->row[t->count] = to;
	if (!isfinite(total))
		return paths_log_fail(PATHS_ERANGE,
		    "the sum of all traffic is not finite");
	return PATHS_OK;
}

static paths_status
traffic_allocate(struct es_traffic *t, size_t entries)
{
	t->row = calloc((size_t)t->count + 1, sizeof(*t->row));
	t->partner = calloc(entries + 1, sizeof(*t->partner));
	t->weight = calloc(entries + 1, sizeof(*t->weight));
	t->sum = calloc(t->count, sizeof(*t->sum));
	if (t->row == NULL || t->partner == NULL || t->weight == NULL ||
	    t->sum == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %zu entries",
		    entries);
	return PATHS_OK;
}

/* Sorts the entries, of which both directions are there, into rows. */
static paths_status
traffic_fill(struct es_traffic *t, struct traffic_entries *e)
{
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
	return traffic_rows(t, e);
}

static paths_status
traffic_make(uint32_t processes, struct traffic_entries *e,
    struct es_traffic **traffic)
{
	struct es_traffic *t = calloc(1, sizeof(*t));
	paths_status st;

	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for traffic");
	t->count = processes;
	st = traffic_fill(t, e);
	if (st == PATHS_OK)
		*traffic = t;
	else
		es_traffic_destroy(t);
	return st;
}

paths_status
es_traffic_create(uint32_t processes, const struct es_traffic_edge *edges,
    size_t count, struct es_traffic **traffic)
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
	for (size_t n = 0; n < count && st == PATHS_OK; n++) {
		const struct es_traffic_edge *edge = &edges[n];

		st = traffic_check(processes, edge);
		if (st != PATHS_OK || edge->weight == 0 ||
		    edge->from == edge->to)
			continue;
		entries_add(&e, edge->from, edge->to, edge->weight);
		entries_add(&e, edge->to, edge->from, edge->weight);
	}
	if (st == PATHS_OK)
		st = traffic_make(processes, &e, traffic);
	entries_fini(&e);
	return st;
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
