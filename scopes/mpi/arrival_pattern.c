/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/arrival_pattern.c - describes in which order, and how far apart in
 * time, the members of a communicator arrive at its collectives
 */

#include "scopes/mpi/arrival_pattern_private.h"

#include "scopes/match/trace_private.h"
#include "scopes/path/histogram_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

/* A member at a call. */
struct es__arrival {
	int64_t ns, exit_ns;
	uint32_t member, rank; /* rank: of the run */
};

/* The number of a pattern, by its communicator, function and site. */
struct pattern_name {
	uint32_t comm, function, site;
	uint32_t number; /* from 1; 0: no name */
};

/* The number of calls with a time in one bin of es__histogram. */
struct pattern_bin {
	uint32_t pattern;
	uint32_t time : 2; /* enum es__arrival_time */
	uint32_t bin : 30;
	uint64_t count; /* 0: the bin is free */
};

static bool
name_used(const void *item)
{
	return ((const struct pattern_name *)item)->number != 0;
}

static uint64_t
name_hash(const void *item)
{
	const struct pattern_name *name = item;
	uint64_t one = (uint64_t)name->comm << 32 | name->site;

	return ((one * UINT64_C(0x9e3779b97f4a7c15) ^ name->function) *
		   UINT64_C(0xc2b2ae3d27d4eb4f)) >>
	    24;
}

static bool
name_equal(const void *a, const void *b)
{
	const struct pattern_name *one = a, *other = b;

	return one->comm == other->comm && one->function == other->function &&
	    one->site == other->site;
}

static const struct paths__hash_kind name_kind = {
	.bytes = sizeof(struct pattern_name),
	.used = name_used,
	.hash = name_hash,
	.equal = name_equal,
};

static bool
bin_used(const void *item)
{
	return ((const struct pattern_bin *)item)->count != 0;
}

static uint64_t
bin_hash(const void *item)
{
	const struct pattern_bin *b = item;
	uint64_t one = (uint64_t)b->pattern << 32 | b->bin << 2 | b->time;

	return (one * UINT64_C(0x9e3779b97f4a7c15)) >> 24;
}

static bool
bin_equal(const void *a, const void *b)
{
	const struct pattern_bin *one = a, *other = b;

	return one->pattern == other->pattern && one->time == other->time &&
	    one->bin == other->bin;
}

static const struct paths__hash_kind bin_kind = {
	.bytes = sizeof(struct pattern_bin),
	.used = bin_used,
	.hash = bin_hash,
	.equal = bin_equal,
};

static paths_status
pattern_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for arrivals");
}

/* ---- patterns */

/* Returns the pattern of a collective, and adds it if it is new; NULL: no
   memory. */
static struct es__arrival_pattern *
pattern_of(struct es__arrival_patterns *p, const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *c, uint32_t site)
{
	const struct es__mpi_kind *kind = es__mpi_kind(trace, c->function);
	struct pattern_name name = { c->comm, c->function, site, p->count + 1 };
	const struct pattern_name *found;
	struct es__arrival_pattern *pattern;
	size_t members = trace->input.comms[c->comm].count;

	if (!paths__array_grow(&p->list, p->count, &p->room, sizeof(*p->list)))
		return NULL;
	found = paths__hash_put(&p->numbers, &name_kind, &name);
	if (found == NULL)
		return NULL;
	pattern = &p->list[found->number - 1];
	if (found->number != name.number)
		return pattern;
	*pattern = (struct es__arrival_pattern){ .comm = c->comm,
		.function = c->function,
		.site = site,
		.blocking =
		    !kind->nonblocking && !kind->persistent && c->plan == 0,
		.members = calloc(members, sizeof(*pattern->members)),
		.order = calloc(members, sizeof(*pattern->order)) };
	p->count++;
	return pattern->members != NULL && pattern->order != NULL ? pattern :
								    NULL;
}

/* Adds a time of a call. */
static paths_status
pattern_time(struct es__arrival_patterns *p, uint32_t number,
    enum es__arrival_time time, int64_t ns)
{
	int64_t *most = &p->list[number].ns[time][ES__ARRIVAL_MAX];
	struct pattern_bin bin = { .pattern = number,
		.time = time,
		.bin = es__histogram_bin(ns < 0 ? 0 : (uint64_t)ns),
		.count = 1 };
	struct pattern_bin *found = paths__hash_find(&p->bins, &bin_kind, &bin);

	if (ns > *most)
		*most = ns;
	if (found != NULL) {
		found->count++;
		return PATHS_OK;
	}
	return paths__hash_put(&p->bins, &bin_kind, &bin) != NULL ?
	    PATHS_OK :
	    pattern_no_memory();
}

/* ---- a call */

static int
arrival_order(const void *left, const void *right)
{
	const struct es__arrival *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return a->member < b->member ? -1 : 1;
}

/* Finds the arrivals at a call, in their order. */
static void
arrivals_find(struct es__arrival_patterns *p, const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *c)
{
	const struct es_mpi_trace_comm *comm = &trace->input.comms[c->comm];
	const struct es_mpi_part_taken *parts = es_mpi_trace_parts(trace, c);

	for (uint32_t n = 0; n < comm->count; n++) {
		uint32_t rank = comm->members[n];
		const struct es_timebase *base = &trace->input.ranks[rank].base;

		p->arrivals[n] = (struct es__arrival){
			.ns = es_time_ns(base,
			    es_mpi_trace_tuple(&trace->input, parts[n].begin)
				->start),
			.exit_ns = es_time_ns(base,
			    es_mpi_trace_tuple(&trace->input, parts[n].end)
				->stop),
			.member = n,
			.rank = rank,
		};
	}
	qsort(p->arrivals, comm->count, sizeof(*p->arrivals), arrival_order);
}

static int64_t
arrival_doubt(const struct es__mpi_doubts *doubts, const struct es__arrival *a,
    const struct es__arrival *b)
{
	return es__mpi_doubt_between(doubts, a->rank, b->rank, a->ns, b->ns);
}

/* Returns whether the last arrival is certainly the last one. */
static bool
arrivals_have_last(const struct es__arrival_patterns *p, uint32_t count,
    const struct es__mpi_doubts *doubts)
{
	const struct es__arrival *last = &p->arrivals[count - 1];

	for (uint32_t n = 0; n < count - 1; n++)
		if (last->ns - p->arrivals[n].ns <=
		    arrival_doubt(doubts, last, &p->arrivals[n]))
			return false;
	return true;
}

/* Finds the rank of each member in the order of arrivals.  Neighbours without
   an order among themselves share their mean rank. */
static void
arrivals_rank(const struct es__arrival_patterns *p, uint32_t count,
    const struct es__mpi_doubts *doubts)
{
	uint32_t first = 0;

	for (uint32_t n = 1; n <= count; n++) {
		const struct es__arrival *a = &p->arrivals[n - 1];

		if (n < count &&
		    a[1].ns - a[0].ns <= arrival_doubt(doubts, &a[0], &a[1]))
			continue;
		for (uint32_t k = first; k < n; k++)
			p->ranks[p->arrivals[k].member] = first + n - 1;
		first = n;
	}
}

/* Adds Spearman's rank correlation between the orders of this call and the last
   one.  There is none if all members have the same rank. */
static void
pattern_correlate(const struct es__arrival_patterns *p,
    struct es__arrival_pattern *pattern, uint32_t count)
{
	double mean = count - 1, both = 0, one = 0, other = 0;

	for (uint32_t n = 0; n < count; n++) {
		double a = pattern->order[n] - mean, b = p->ranks[n] - mean;

		both += a * b;
		one += a * a;
		other += b * b;
	}
	if (pattern->calls > 0 && one > 0 && other > 0) {
		pattern->order_sum += both / sqrt(one * other);
		pattern->order_count++;
	}
	memcpy(pattern->order, p->ranks, count * sizeof(*p->ranks));
}

/* Adds the times of a call. */
static paths_status
pattern_times(struct es__arrival_patterns *p, uint32_t number, uint32_t count)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
	int64_t arrival_ns = p->arrivals[count - 1].ns;
	paths_status st = pattern_time(p, number, ES__ARRIVAL_SPREAD,
	    arrival_ns - p->arrivals[0].ns);

	if (st != PATHS_OK || !p->list[number].blocking)
		return st;
	for (uint32_t n = 0; n < count; n++) {
		int64_t ns = p->arrivals[n].exit_ns;

		first_ns = ns < first_ns ? ns : first_ns;
		last_ns = ns > last_ns ? ns : last_ns;
	}
	st = pattern_time(p, number, ES__ARRIVAL_EXITS, last_ns - first_ns);
	return st == PATHS_OK ?
	    pattern_time(p, number, ES__ARRIVAL_COST, last_ns - arrival_ns) :
	    st;
}

/* Adds the call whose arrivals were found. */
static paths_status
pattern_add(struct es__arrival_patterns *p, struct es__arrival_pattern *pattern,
    uint32_t count, const struct es__mpi_doubts *doubts)
{
	const struct es__arrival *first = &p->arrivals[0];
	const struct es__arrival *last = &p->arrivals[count - 1];
	int64_t doubt = arrival_doubt(doubts, first, last);

	if (arrivals_have_last(p, count, doubts))
		pattern->members[last->member].last++;
	else
		pattern->undecided++;
	for (uint32_t n = 0; n < count; n++)
		pattern->members[p->arrivals[n].member].late_ns +=
		    (double)(p->arrivals[n].ns - first->ns);
	pattern->bound_ns = es__doubt_most(pattern->bound_ns, doubt);
	/* Members need not leave nonblocking calls in the order in which they
	   call them. */
	if (pattern->blocking) {
		arrivals_rank(p, count, doubts);
		pattern_correlate(p, pattern, count);
	}
	pattern->calls++;
	return pattern_times(p, (uint32_t)(pattern - p->list), count);
}

/* Adds a collective that all members have left. */
static paths_status
patterns_take(struct es__arrival_patterns *p, const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts,
    const struct es_mpi_trace_collective *c)
{
	uint32_t count = trace->input.comms[c->comm].count;
	const struct es_mpi_part_taken *parts = es_mpi_trace_parts(trace, c);
	struct es__arrival_pattern *pattern;

	if (!paths__array_reserve(&p->arrivals, count, &p->arrival_room,
		sizeof(*p->arrivals)) ||
	    !paths__array_reserve(&p->ranks, count, &p->rank_room,
		sizeof(*p->ranks)))
		return pattern_no_memory();
	arrivals_find(p, trace, c);
	pattern = pattern_of(p, trace, c,
	    es_mpi_trace_tuple(&trace->input, parts->begin)->site);
	if (pattern == NULL)
		return pattern_no_memory();
	for (uint32_t n = 0; n < count; n++) {
		uint64_t bytes =
		    es_mpi_trace_tuple(&trace->input, parts[n].begin)->bytes;

		pattern->bytes =
		    bytes > pattern->bytes ? bytes : pattern->bytes;
	}
	return pattern_add(p, pattern, count, doubts);
}

/* ---- windows */

/* Returns whether a collective has a pattern, and all members have left it. */
static bool
collective_counts(const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *c)
{
	const struct es_mpi_part_taken *parts = es_mpi_trace_parts(trace, c);
	uint32_t count = trace->input.comms[c->comm].count;

	if (c->kind != ES_MPI_TRACE_COLLECTIVE || count < 2 ||
	    !es__mpi_kind(trace, c->function)->collective)
		return false;
	for (uint32_t n = 0; n < count; n++)
		if (es__mpi_at_none(parts[n].begin) ||
		    es__mpi_at_none(parts[n].end))
			return false;
	return true;
}

static int
collective_order(const void *left, const void *right)
{
	const struct es_mpi_trace_collective *a =
	    *(const struct es_mpi_trace_collective *const *)left;
	const struct es_mpi_trace_collective *b =
	    *(const struct es_mpi_trace_collective *const *)right;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->plan != b->plan)
		return a->plan < b->plan ? -1 : 1;
	if (a->number == b->number)
		return 0;
	return es__mpi_number_before(a->number, b->number) ? -1 : 1;
}

paths_status
es__arrival_patterns_window(struct es__arrival_patterns *patterns,
    const struct es_mpi_trace *trace, const struct es__mpi_doubts *doubts,
    const struct es_mpi_trace_collective *const *list, size_t count)
{
	size_t kept = 0;
	paths_status st = PATHS_OK;

	if (!paths__array_reserve(&patterns->sorted, count + 1,
		&patterns->sorted_room, sizeof(*patterns->sorted)))
		return pattern_no_memory();
	for (size_t n = 0; n < count; n++)
		if (collective_counts(trace, list[n]))
			patterns->sorted[kept++] = list[n];
	if (kept > 0)
		qsort(patterns->sorted, kept, sizeof(*patterns->sorted),
		    collective_order);
	for (size_t n = 0; st == PATHS_OK && n < kept; n++)
		st =
		    patterns_take(patterns, trace, doubts, patterns->sorted[n]);
	return st;
}

/* ---- quantiles */

static int
bin_order(const void *left, const void *right)
{
	const struct pattern_bin *a = left, *b = right;

	if (a->pattern != b->pattern)
		return a->pattern < b->pattern ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->bin > b->bin) - (a->bin < b->bin);
}

/* Sets the quantiles of a time from its bins. */
static void
pattern_quantiles(int64_t ns[ES__ARRIVAL_QUANTILES],
    const struct pattern_bin *bins, size_t count, struct es__histogram *work)
{
	static const double parts[ES__ARRIVAL_MAX] = { 0.5, 0.9, 0.99 };

	for (size_t n = 0; n < count; n++) {
		work->bins[bins[n].bin] = bins[n].count;
		work->count += bins[n].count;
	}
	for (size_t n = 0; n < ES__ARRIVAL_MAX; n++) {
		ns[n] = es__histogram_at(work, parts[n]);
		if (ns[n] > ns[ES__ARRIVAL_MAX])
			ns[n] = ns[ES__ARRIVAL_MAX];
	}
	for (size_t n = 0; n < count; n++)
		work->bins[bins[n].bin] = 0;
	work->count = 0;
}

/* Orders patterns, because the order in which they are found depends on the
   size of windows. */
static int
pattern_order(const void *left, const void *right)
{
	const struct es__arrival_pattern *a = left, *b = right;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

paths_status
es__arrival_patterns_finish(struct es__arrival_patterns *patterns)
{
	struct pattern_bin *all = patterns->bins.slots;
	struct es__histogram *work = calloc(1, sizeof(*work));
	size_t count = 0, first = 0;

	if (work == NULL)
		return pattern_no_memory();
	/* Sorts the bins in the memory of the hash table, which is no longer
	   used. */
	for (size_t n = 0; n < patterns->bins.room; n++)
		if (all[n].count > 0)
			all[count++] = all[n];
	if (count > 0)
		qsort(all, count, sizeof(*all), bin_order);
	for (size_t n = 1; n <= count; n++) {
		const struct pattern_bin *bin = &all[first];

		if (n < count && all[n].pattern == bin->pattern &&
		    all[n].time == bin->time)
			continue;
		pattern_quantiles(patterns->list[bin->pattern].ns[bin->time],
		    bin, n - first, work);
		first = n;
	}
	free(work);
	if (patterns->count > 0)
		qsort(patterns->list, patterns->count, sizeof(*patterns->list),
		    pattern_order);
	return PATHS_OK;
}

void
es__arrival_patterns_fini(struct es__arrival_patterns *patterns)
{
	for (uint32_t n = 0; n < patterns->count; n++) {
		free(patterns->list[n].members);
		free(patterns->list[n].order);
	}
	free(patterns->list);
	free(patterns->numbers.slots);
	free(patterns->bins.slots);
	free(patterns->arrivals);
	free(patterns->ranks);
	free(patterns->sorted);
}
