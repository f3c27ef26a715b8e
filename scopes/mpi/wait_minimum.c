/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_minimum.c - estimates waiting from profiles by the minimum
 * method
 */

#include "scopes/mpi/wait_minimum_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *
es__wait_minimum_name(enum es__wait_minimum_method method)
{
	static const char *const names[ES__WAIT_MINIMUM_METHODS] = {
		[ES__WAIT_MINIMUM_PLAIN] = "plain",
		[ES__WAIT_MINIMUM_QUANTILE] = "quantile",
		[ES__WAIT_MINIMUM_READY] = "ready",
		[ES__WAIT_MINIMUM_LOCAL_GLOBAL] = "local_global",
	};

	return names[method];
}

/* Returns the least duration in a bin. */
static double
bin_ticks(uint32_t bin)
{
	return ldexp(4 + bin % 4, (int)(bin / 4 + ES_MPI_BIN_FIRST) - 2);
}

double
es__wait_minimum_quantile(const uint64_t *bins, uint64_t least, uint64_t most,
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
 * Returns a key of calls that should take equally long.  Calls that complete
 * sends, receives, or many requests have different keys.
 */
static uint32_t
minimum_category(const struct es__wait_minimum *m)
{
	return (uint32_t)m->function << 16 | (uint32_t)m->size_class << 8 |
	    (m->flags & (ES_MPI_ROOT | ES_MPI_SENT | ES_MPI_MANY));
}

/* A row and its profile. */
struct entry {
	struct es__wait_minimum *m;
	const struct es_mpi_profile *profile;
};

static int
entry_order(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	uint32_t one = minimum_category(a->m), other = minimum_category(b->m);

	return (one > other) - (one < other);
}

/* Entries of one category. */
struct minimum_group {
	const struct entry *entries;
	size_t count;
	double ns_per_tick;
};

typedef void group_do(const struct minimum_group *group);

/* Calls `each` for each category of rows that may wait. */
static paths_status
minimum_group(struct es__wait_minimum *rows,
    const struct es_mpi_profile *profiles, size_t count, double ns_per_tick,
    group_do *each)
{
	struct entry *entries = calloc(count + 1, sizeof(*entries));
	size_t used = 0, from = 0;

	if (entries == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %zu profile rows", count);
	for (size_t n = 0; n < count; n++)
		if (rows[n].pattern != ES__WAIT_NONE)
			entries[used++] = (struct entry){ &rows[n],
				profiles == NULL ? NULL : &profiles[n] };
	qsort(entries, used, sizeof(*entries), entry_order);
	for (size_t n = 1; n <= used; n++) {
		if (n < used && entry_order(&entries[n], &entries[from]) == 0)
			continue;
		each(&(struct minimum_group){ entries + from, n - from,
		    ns_per_tick });
		from = n;
	}
	free(entries);
	return PATHS_OK;
}

static double
group_minimum(const struct minimum_group *g, uint32_t without)
{
	double least = INFINITY;

	for (size_t n = 0; n < g->count; n++) {
		const struct entry *e = &g->entries[n];

		if (!(e->m->flags & without))
			least = fmin(least, (double)e->profile->min_ticks);
	}
	return least * g->ns_per_tick;
}

static double
group_quantile(const struct minimum_group *g)
{
	uint64_t bins[ES_MPI_BINS] = { 0 };
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t n = 0; n < g->count; n++) {
		const struct es_mpi_profile *p = g->entries[n].profile;
		uint64_t min = p->min_ticks, max = p->max_ticks;

		least = min < least ? min : least;
		most = max > most ? max : most;
		for (uint32_t b = 0; b < ES_MPI_BINS; b++)
			bins[b] += p->bins[b];
	}
	return g->ns_per_tick *
	    es__wait_minimum_quantile(bins, least, most,
		ES__WAIT_MINIMUM_QUANTILE_OF);
}

static void
group_local(const struct minimum_group *g)
{
	double plain = group_minimum(g, 0), quantile = group_quantile(g);
	double ready = group_minimum(g, ES_MPI_READY);

	for (size_t n = 0; n < g->count; n++) {
		double *base = g->entries[n].m->base_ns;

		base[ES__WAIT_MINIMUM_PLAIN] = plain;
		base[ES__WAIT_MINIMUM_QUANTILE] = quantile;
		base[ES__WAIT_MINIMUM_READY] = ready;
		base[ES__WAIT_MINIMUM_LOCAL_GLOBAL] = plain;
	}
}

paths_status
es__wait_minimum_local(struct es__wait_minimum *rows,
    const struct es_mpi_profile *profiles, size_t count, double ns_per_tick)
{
	return minimum_group(rows, profiles, count, ns_per_tick, group_local);
}

static void
minimum_wait(struct es__wait_minimum *m)
{
	for (int i = 0; i < ES__WAIT_MINIMUM_METHODS; i++)
		m->wait_ns[i] =
		    fmax(0, m->time_ns - (double)m->calls * m->base_ns[i]);
	if (m->flags & ES_MPI_READY)
		m->wait_ns[ES__WAIT_MINIMUM_READY] = 0;
}

/* Replaces the minimum of each rank by the smallest one of all ranks, for
   methods and patterns that use it. */
static void
group_global(const struct minimum_group *g)
{
	double least[ES__WAIT_MINIMUM_METHODS];

	for (int i = 0; i < ES__WAIT_MINIMUM_METHODS; i++) {
		least[i] = INFINITY;
		for (size_t n = 0; n < g->count; n++)
			least[i] = fmin(least[i], g->entries[n].m->base_ns[i]);
	}
	for (size_t n = 0; n < g->count; n++) {
		struct es__wait_minimum *m = g->entries[n].m;

		if (es__wait_pattern_collective(m->pattern))
			memcpy(m->base_ns, least, sizeof(least));
		m->base_ns[ES__WAIT_MINIMUM_LOCAL_GLOBAL] =
		    least[ES__WAIT_MINIMUM_LOCAL_GLOBAL];
		minimum_wait(m);
	}
}

paths_status
es__wait_minimum_global(struct es__wait_minimum *rows, size_t count)
{
	return minimum_group(rows, NULL, count, 1.0, group_global);
}
