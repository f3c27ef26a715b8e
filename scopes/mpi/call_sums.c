/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/call_sums.c - adds up time and waiting of the MPI calls of each
 * rank, by call site and function
 */

#include "scopes/mpi/call_sums_private.h"

#include "libpaths/log.h"
#include "scopes/clock/interval_private.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/mpi/traced_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* State while the tuples of threads without a profile are read. */
struct reading {
	struct es_analysis *a;
	const struct es__mpi_intervals *intervals;
	bool *profiled;		   /* of each thread */
	struct es__totals *totals; /* of each collector: by site number of the
				      rank, and function */
};

static bool
sum_used(const void *item)
{
	return ((const struct es__call_sum *)item)->used;
}

static uint64_t
sum_hash(const void *item)
{
	const struct es__call_sum *s = item;

	return (((uint64_t)s->rank << 40 ^ (uint64_t)s->site << 12 ^
		    s->function) *
		   UINT64_C(0x9e3779b97f4a7c15)) >>
	    32;
}

static int
sum_order(const void *left, const void *right)
{
	const struct es__call_sum *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static bool
sum_equal(const void *left, const void *right)
{
	return sum_order(left, right) == 0;
}

static const struct paths__hash_kind sum_kind = {
	.bytes = sizeof(struct es__call_sum),
	.used = sum_used,
	.hash = sum_hash,
	.equal = sum_equal,
};

static paths_status
sums_add(struct es__call_sums *sums, struct es__call_sum more)
{
	const struct es__call_sum key = { .rank = more.rank,
		.site = more.site,
		.function = more.function,
		.used = true };
	struct es__call_sum *sum =
	    paths__hash_put(&sums->table, &sum_kind, &key);

	if (sum == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
	sum->calls += more.calls;
	sum->time_ns += more.time_ns;
	sum->wait_ns += more.wait_ns;
	return PATHS_OK;
}

static paths_status
sums_add_profile(struct es__call_sums *sums, const struct es__estimates *e,
    bool *profiled)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < e->count; n++) {
		const struct es__wait_minimum *m = &e->rows[n];
		double wait_ns =
		    m->used ? m->wait_ns[ES__WAIT_MINIMUM_PLAIN] : 0;

		if (m->thread != PATHS_NONE)
			profiled[m->thread] = true;
		st = sums_add(sums,
		    (struct es__call_sum){ .rank = m->rank,
			.site = m->site,
			.function = m->function,
			.calls = m->calls,
			.time_ns = llround(m->measured_ns),
			.wait_ns = llround(wait_ns) });
	}
	return st;
}

/* Adds the waits of the trace. */
static paths_status
sums_add_waits(struct es__call_sums *sums, const struct es_analysis *a,
    const struct es__traced *traced)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	paths_status st = PATHS_OK;

	for (uint32_t r = 0; traced != NULL && r < traced->waits.rank_count;
	     r++) {
		const struct es__totals *t = &traced->waits.ranks[r].calls;

		for (size_t n = 0; st == PATHS_OK && n < t->count; n++)
			st = sums_add(sums,
			    (struct es__call_sum){ .rank = r,
				.site = es_mpi_find_site(mpi, r, t->rows[n].a),
				.function = t->rows[n].b,
				.wait_ns = t->rows[n].ns });
	}
	return st;
}

/* Adds up the calls of a collector whose thread has no profile. */
static paths_status
reading_work(void *context, size_t item, void *result)
{
	struct reading *r = context;
	const struct es_collector *c = &r->a->run->collectors[item];
	const struct es_timebase *base = es__base_of(r->a, c);
	struct es__totals *totals = &r->totals[item];
	paths_status st = PATHS_OK;

	(void)result;
	if (!es__collector_calls(c) || c->thread == PATHS_NONE ||
	    r->profiled[c->thread])
		return PATHS_OK;
	for (uint64_t n = 0; st == PATHS_OK && n < c->count; n++) {
		const struct es_tuple_mpi *t = es_collector_tuple(c, n);

		if (t->stop == 0 || !es_operation_is_call(c, n))
			continue;
		st = es__totals_add(totals, t->site, t->op,
		    (struct es__doubted){
			.ns =
			    es__mpi_interval_part(&r->intervals->of[c->process],
				es_time_ns(base, t->start),
				es_time_ns(base, t->stop)) },
		    0);
	}
	es__totals_sort(totals);
	return st;
}

static const void *
reading_reads(const void *context, size_t item)
{
	return es__work_tuples(
	    &((const struct reading *)context)->a->run->collectors[item]);
}

static void
reading_pack(const void *context, size_t item, struct es__pack *pack)
{
	es__totals_pack(&((const struct reading *)context)->totals[item], pack);
}

static void
reading_unpack(void *context, size_t item, struct es__pack *pack)
{
	es__totals_unpack(&((struct reading *)context)->totals[item], pack);
}

/* Adds the sums of a collector.  A rank has the same number as its process. */
static paths_status
sums_add_totals(struct es__call_sums *sums, const struct es_analysis *a,
    uint32_t rank, const struct es__totals *totals)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < totals->count; n++) {
		const struct es__totals_row *row = &totals->rows[n];

		st = sums_add(sums,
		    (struct es__call_sum){ .rank = rank,
			.site = es_mpi_find_site(mpi, rank, row->a),
			.function = row->b,
			.calls = row->instances,
			.time_ns = row->ns });
	}
	return st;
}

static paths_status
sums_read(struct es__call_sums *sums, struct reading *r)
{
	struct es__work work = { .count = r->a->run->collector_count,
		.context = r,
		.work = reading_work,
		.reads = reading_reads,
		.pack = reading_pack,
		.unpack = reading_unpack };
	paths_status st;

	r->totals = calloc(work.count + 1, sizeof(*r->totals));
	if (r->totals == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
	st = es__work_run(&work, r->a->threads);
	for (size_t n = 0; n < work.count; n++) {
		if (st == PATHS_OK)
			st = sums_add_totals(sums, r->a,
			    r->a->run->collectors[n].process, &r->totals[n]);
		es__totals_fini(&r->totals[n]);
	}
	free(r->totals);
	return st;
}

static void
sums_sort(struct es__call_sums *sums)
{
	sums->list = sums->table.slots;
	for (size_t n = 0; n < sums->table.room; n++)
		if (sums->list[n].used)
			sums->list[sums->count++] = sums->list[n];
	if (sums->count > 0)
		qsort(sums->list, sums->count, sizeof(*sums->list), sum_order);
}

paths_status
es__call_sums_make(struct es_analysis *a, struct es__call_sums *sums)
{
	struct reading reading = { .a = a };
	const struct es__estimates *e = NULL;
	struct es__traced *traced = NULL;
	const char *source = NULL;
	paths_status st = es__estimates_source(a, &source);

	*sums = (struct es__call_sums){ .count = 0 };
	if (st != PATHS_OK || source == NULL)
		return st;
	reading.profiled = calloc((size_t)a->map->thread_count + 1, 1);
	if (reading.profiled == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for call paths");
	st = es__estimates_get(a, &e);
	if (st == PATHS_OK)
		st = es__mpi_intervals_get(a, &reading.intervals);
	if (st == PATHS_OK && strcmp(source, "profile") != 0)
		st = es__traced_waits(a, &traced);
	if (st == PATHS_OK)
		st = sums_add_profile(sums, e, reading.profiled);
	if (st == PATHS_OK)
		st = sums_read(sums, &reading);
	if (st == PATHS_OK)
		st = sums_add_waits(sums, a, traced);
	free(reading.profiled);
	sums_sort(sums);
	return st;
}

void
es__call_sums_fini(struct es__call_sums *sums)
{
	free(sums->table.slots);
}
