/* SPDX-License-Identifier: MIT */
/*
 * scopes/minimum.c - waiting estimated from profiles, without a trace
 */

#include "scopes/minimum_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *
es__minimum_name(enum es__minimum_method method)
{
	static const char *const names[ES__MINIMUM_METHODS] = {
		[ES__MINIMUM_PLAIN] = "plain",
		[ES__MINIMUM_QUANTILE] = "quantile",
		[ES__MINIMUM_READY] = "ready",
		[ES__MINIMUM_LOCAL_GLOBAL] = "local_global",
	};

	return names[method];
}

/* The least duration that goes to a bin. */
static double
bin_ticks(uint32_t bin)
{
	return ldexp(4 + bin % 4, (int)(bin / 4 + ES_MPI_BIN_FIRST) - 2);
}

double
es__minimum_quantile(const uint64_t *bins, uint64_t least, uint64_t most,
    double part)
{
	uint64_t count = 0, below = 0;
	double wanted, from, to;
	uint32_t bin = 0;

	for (uint32_t n = 0; n < ES_MPI_BINS; n++)
		count += bins[n];
	wanted = ceil(part * (double)count);
	if (wanted <= 1)
		return (double)least;
	while (bin < ES_MPI_BINS - 1 && (double)(below + bins[bin]) < wanted)
		below += bins[bin++];
	from = bin == 0 ? 0 : bin_ticks(bin);
	to = bin == ES_MPI_BINS - 1 ? (double)most : bin_ticks(bin + 1);
	from = fmax(from, (double)least);
	to = fmin(to, (double)most);
	return bins[bin] == 0 ?
	    from :
	    from + (to - from) * (wanted - (double)below) / (double)bins[bin];
}

/*
 * What calls have in common that should take equally long.  Of those that
 * complete requests, sends and receives are kept apart, and so are those that
 * complete many.
 */
static uint32_t
minimum_category(const struct es__minimum *m)
{
	return (uint32_t)m->row->function << 16 |
	    (uint32_t)m->row->size_class << 8 |
	    (m->row->flags & (ES_MPI_ROOT | ES_MPI_SENT | ES_MPI_MANY));
}

static int
minimum_compare(const void *a, const void *b)
{
	const struct es__minimum *const *x = a, *const *y = b;
	uint32_t one = minimum_category(*x), other = minimum_category(*y);

	if (one != other)
		return one < other ? -1 : 1;
	return ((*x)->rank > (*y)->rank) - ((*x)->rank < (*y)->rank);
}

/* Rows of one category, and of one rank or of all. */
struct group {
	struct es__minimum **rows;
	size_t count;
};

static double
group_minimum(const struct group *g, uint32_t without)
{
	double least = INFINITY;

	for (size_t n = 0; n < g->count; n++) {
		const struct es__minimum *m = g->rows[n];

		if (!(m->row->flags & without))
			least = fmin(least,
			    (double)m->row->min_ticks * m->ns_per_tick);
	}
	return least;
}

static double
group_quantile(const struct group *g)
{
	uint64_t bins[ES_MPI_BINS] = { 0 };
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t n = 0; n < g->count; n++) {
		const struct es_mpi_profile *row = g->rows[n]->row;
		uint64_t min = row->min_ticks, max = row->max_ticks;

		least = min < least ? min : least;
		most = max > most ? max : most;
		for (uint32_t b = 0; b < ES_MPI_BINS; b++)
			bins[b] += row->bins[b];
	}
	/* One rank, one clock. */
	return g->rows[0]->ns_per_tick *
	    es__minimum_quantile(bins, least, most, ES__MINIMUM_QUANTILE_OF);
}

/* All rows of a rank in a category: its own minima. */
static void
group_local(const struct group *g)
{
	double plain = group_minimum(g, 0), quantile = group_quantile(g);
	double ready = group_minimum(g, ES_MPI_READY);

	for (size_t n = 0; n < g->count; n++) {
		double *base = g->rows[n]->base_ns;

		base[ES__MINIMUM_PLAIN] = plain;
		base[ES__MINIMUM_QUANTILE] = quantile;
		base[ES__MINIMUM_READY] = ready;
		base[ES__MINIMUM_LOCAL_GLOBAL] = plain;
	}
}

/* All rows of a category: the least of the ranks' minima, where it counts. */
static void
group_global(const struct group *g)
{
	for (int m = 0; m < ES__MINIMUM_METHODS; m++) {
		double least = INFINITY;

		for (size_t n = 0; n < g->count; n++)
			least = fmin(least, g->rows[n]->base_ns[m]);
		for (size_t n = 0; n < g->count; n++) {
			struct es__minimum *row = g->rows[n];

			if (m == ES__MINIMUM_LOCAL_GLOBAL ||
			    es__wait_pattern_collective(row->pattern))
				row->base_ns[m] = least;
		}
	}
}

static void
group_wait(const struct group *g)
{
	for (size_t n = 0; n < g->count; n++) {
		struct es__minimum *m = g->rows[n];
		double calls = (double)m->row->calls;
		double time_ns = (double)m->row->sum_ticks * m->ns_per_tick;

		for (int i = 0; i < ES__MINIMUM_METHODS; i++)
			m->wait_ns[i] =
			    fmax(0, time_ns - calls * m->base_ns[i]);
		if (m->row->flags & ES_MPI_READY)
			m->wait_ns[ES__MINIMUM_READY] = 0;
	}
}

static void
group_compute(const struct group *g)
{
	size_t from = 0;

	for (size_t n = 1; n <= g->count; n++) {
		struct group rank = { g->rows + from, n - from };

		if (n < g->count && g->rows[n]->rank == g->rows[from]->rank)
			continue;
		group_local(&rank);
		from = n;
	}
	group_global(g);
	group_wait(g);
}

paths_status
es__minimum_compute(struct es__minimum *rows, size_t count)
{
	struct group all = { calloc(count + 1, sizeof(*all.rows)), 0 };
	size_t from = 0;

	if (all.rows == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %zu profile rows", count);
	for (size_t n = 0; n < count; n++) {
		memset(rows[n].base_ns, 0, sizeof(rows[n].base_ns));
		memset(rows[n].wait_ns, 0, sizeof(rows[n].wait_ns));
		if (rows[n].pattern != ES__WAIT_NONE)
			all.rows[all.count++] = &rows[n];
	}
	qsort(all.rows, all.count, sizeof(*all.rows), minimum_compare);
	for (size_t n = 1; n <= all.count; n++) {
		struct group category = { all.rows + from, n - from };

		if (n < all.count &&
		    minimum_category(all.rows[n]) ==
			minimum_category(all.rows[from]))
			continue;
		group_compute(&category);
		from = n;
	}
	free(all.rows);
	return PATHS_OK;
}
