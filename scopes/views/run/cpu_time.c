/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/cpu_time.c - time on a core, and runnable without one, of
 * each thread
 *
 * The samples of recording threads (collectors/cpu_space.h) divide the time
 * between operations, which the view load_balance has as computation.
 */

#include "scopes/mpi.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/path/cpu_private.h"
#include "scopes/views/view_private.h"

#include <stdlib.h>
#include <string.h>

ES__SQL(cpu_time);
ES__SQL(cpu_time_overload);
ES__SQL(cpu_time_most);
ES__SQL(cpu_time_rest);
ES__SQL(cpu_time_reading);

static const struct es_column sample_columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "samples", ES_INTEGER, .about = "number of samples" },
	{ "sampled_ns", ES_INTEGER,
	    .about = "time from the first to the last sample",
	    .unit = ES_UNIT_NS },
	{ "inside_ns", ES_INTEGER,
	    .about = "part of it in MPI calls; NULL: not counted",
	    .unit = ES_UNIT_NS },
	{ "outside_ns", ES_INTEGER,
	    .about = "part of sampled_ns between operations",
	    .unit = ES_UNIT_NS },
	{ "cpu_ns", ES_INTEGER,
	    .about = "time on a core, in and between operations",
	    .unit = ES_UNIT_NS },
	{ "outside_lost_ns", ES_INTEGER,
	    .about = "time runnable without a core, between operations",
	    .unit = ES_UNIT_NS },
	{ "inside_lost_ns", ES_INTEGER,
	    .about = "time runnable without a core, in operations",
	    .unit = ES_UNIT_NS },
	{ "outside_idle_ns", ES_INTEGER,
	    .about = "time neither on a core nor runnable, between operations, "
		     "at least",
	    .unit = ES_UNIT_NS },
	{ "longest_ns", ES_INTEGER,
	    .about = "longest time on a core between operations in one sample; "
		     "0: not recorded",
	    .unit = ES_UNIT_NS },
};

static const struct es_column time_columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "computation_ns", ES_INTEGER,
	    .about = "sampled time between operations", .unit = ES_UNIT_NS },
	{ "cpu_ns", ES_INTEGER, .about = "part of it on a core, at most",
	    .unit = ES_UNIT_NS },
	{ "lost_ns", ES_INTEGER, .about = "part of it runnable without a core",
	    .unit = ES_UNIT_NS },
	{ "idle_ns", ES_INTEGER,
	    .about = "part of it neither on a core nor runnable, as in sleep "
		     "or while a file is read",
	    .unit = ES_UNIT_NS },
	{ "longest_ns", ES_INTEGER,
	    .about = "longest part of cpu_ns in one sample; 0: not recorded",
	    .unit = ES_UNIT_NS },
	{ "call_lost_ns", ES_INTEGER,
	    .about = "time in operations, runnable without a core",
	    .unit = ES_UNIT_NS },
	{ "lost_share", ES_REAL,
	    .about = "share of the sampled time runnable without a core",
	    .unit = ES_UNIT_SHARE },
};

static const struct es_column lost_columns[] = {
	{ "waiter", ES_INTEGER, .about = "thread that waited",
	    .refers = "thread" },
	{ "culprit", ES_INTEGER,
	    .about = "thread that the waiter waited for, as in waits_for",
	    .refers = "thread" },
	{ "wait_ns", ES_INTEGER, .about = "total time waited",
	    .unit = ES_UNIT_NS },
	{ "lost_ns", ES_INTEGER,
	    .about = "part of it that follows from threads without a core",
	    .unit = ES_UNIT_NS },
};

static const struct es_column state_columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that waited",
	    .refers = "mpi_rank" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "pattern", ES_TEXT, .about = "name of the wait state" },
	{ "wait_ns", ES_INTEGER, .about = "total time waited",
	    .unit = ES_UNIT_NS },
	{ "lost_ns", ES_INTEGER,
	    .about = "part of it that follows from threads without a core",
	    .unit = ES_UNIT_NS },
};

static const struct es_column gap_columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "start_ns", ES_INTEGER,
	    .about = "time from which on it had no core, at the latest",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "end of the sample, where it had a core again",
	    .unit = ES_UNIT_NS },
	{ "lost_ns", ES_INTEGER,
	    .about = "time runnable without a core, as sampled",
	    .unit = ES_UNIT_NS },
};

enum { SAMPLE, TIME, LOST, STATE, GAP };

static const struct es_table tables[] = {
	[SAMPLE] = { .name = "cpu_sample",
	    .about = "samples of the time that threads had a core",
	    ES_COLUMNS(sample_columns) },
	[TIME] = { .name = "cpu_time",
	    .about = "computation on a core, and runnable without one",
	    ES_COLUMNS(time_columns),
	    .sql = es__sql_cpu_time,
	    .order = "lost_share DESC",
	    .reading = es__sql_cpu_time_reading,
	    .reading_about = "shares of the computation on a core, and "
			     "runnable without one" },
	[LOST] = { .name = "wait_lost",
	    .about =
		"waits in MPI calls that follow from lost cores, by thread",
	    ES_COLUMNS(lost_columns),
	    .order = "lost_ns DESC" },
	[GAP] = { .name = "cpu_gap",
	    .about = "times in which threads were runnable without a core",
	    ES_COLUMNS(gap_columns),
	    .key = "thread, start_ns",
	    .flags = ES_TABLE_DRAWN },
	[STATE] = { .name = "wait_state_lost",
	    .about = "wait states that follow from lost cores",
	    ES_COLUMNS(state_columns),
	    .order = "lost_ns DESC" },
};

static paths_status
cpu_time_row(const struct es_analysis *a, uint32_t thread,
    const struct es__cpu_thread *t, struct es_sink *sink)
{
	const struct es_timebase *base =
	    &a->bases[a->map->threads[thread].process];

	return sink->row(sink, &tables[SAMPLE],
	    (struct es_value[]){ ES_INT(thread), ES_INT(t->samples),
		ES_INT(es_time_span(base, t->ticks)),
		t->inside == 0 ? ES_NIL : ES_INT(es_time_span(base, t->inside)),
		ES_INT(es__cpu_outside_ns(t, base)),
		ES_INT(t->cpu_ns[ES_CPU_OUTSIDE] + t->cpu_ns[ES_CPU_INSIDE]),
		ES_INT(t->lost_ns[ES_CPU_OUTSIDE]),
		ES_INT(t->lost_ns[ES_CPU_INSIDE]), ES_INT(t->idle_ns),
		ES_INT(t->longest_ns) });
}

static int
gap_order(const void *left, const void *right)
{
	const struct es__cpu_interval *a = left, *b = right;

	return (a->stop > b->stop) - (a->stop < b->stop);
}

/* A gap, in ns of the run; the lost time is taken to lie at the end of each
   sample. */
struct gap {
	int64_t start_ns, stop_ns, lost_ns;
};

static paths_status
gap_row(uint32_t thread, const struct gap *gap, struct es_sink *sink)
{
	return gap->lost_ns == 0 ?
	    PATHS_OK :
	    sink->row(sink, &tables[GAP],
		(struct es_value[]){ ES_INT(thread), ES_INT(gap->start_ns),
		    ES_INT(gap->stop_ns), ES_INT(gap->lost_ns) });
}

/* Returns the gap of a sample, which begins after the one before. */
static struct gap
gap_of(const struct es_timebase *base, const struct es__cpu_interval *interval,
    const struct gap *before)
{
	int64_t from_ns = es_time_ns(base, interval->start);
	struct gap gap = { .stop_ns = es_time_ns(base, interval->stop),
		.lost_ns = (int64_t)interval->lost_ns };

	gap.start_ns = gap.stop_ns - gap.lost_ns;
	if (gap.start_ns < from_ns)
		gap.start_ns = from_ns;
	if (gap.start_ns < before->stop_ns)
		gap.start_ns = before->stop_ns;
	return gap;
}

/* Writes the gaps of a thread.  Those that touch are one. */
static paths_status
gap_rows(const struct es_analysis *a, uint32_t thread,
    const struct es__cpu_thread *t, struct es_sink *sink)
{
	const struct es_timebase *base =
	    &a->bases[a->map->threads[thread].process];
	struct gap last = { 0 };
	paths_status st = PATHS_OK;

	if (t->interval_count > 0)
		qsort(t->intervals, t->interval_count, sizeof(*t->intervals),
		    gap_order);
	for (size_t n = 0; st == PATHS_OK && n < t->interval_count; n++) {
		struct gap gap = gap_of(base, &t->intervals[n], &last);

		if (gap.lost_ns <= 0)
			continue;
		if (last.lost_ns > 0 && gap.start_ns == last.stop_ns) {
			last.stop_ns = gap.stop_ns > last.stop_ns ?
			    gap.stop_ns :
			    last.stop_ns;
			last.lost_ns += gap.lost_ns;
			continue;
		}
		st = gap_row(thread, &last, sink);
		last = gap;
	}
	return st == PATHS_OK ? gap_row(thread, &last, sink) : st;
}

/* Writes the waits of a rank, by culprit. */
static paths_status
lost_pairs(const struct es__traced *traced, uint32_t rank, struct es_sink *sink)
{
	const struct es__totals *t = &traced->waits.ranks[rank].rings;
	const struct es_mpi_trace_ring *rings = traced->in->input.rings;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < t->count; n++) {
		const struct es__totals_row *row = &t->rows[n];

		st = sink->row(sink, &tables[LOST],
		    (struct es_value[]){ ES_INT(rings[row->a].thread),
			ES_INT(rings[row->b].thread), ES_INT(row->ns),
			ES_INT(row->lost_ns) });
	}
	return st;
}

/* Writes the wait states of a rank. */
static paths_status
lost_states(const struct es_mpi *mpi, const struct es__traced *traced,
    uint32_t rank, struct es_sink *sink)
{
	const struct es__totals *t = &traced->waits.ranks[rank].sites;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < t->count; n++) {
		const struct es__totals_row *row = &t->rows[n];

		st = sink->row(sink, &tables[STATE],
		    (struct es_value[]){ ES_INT(rank),
			es__id(es_mpi_find_site(mpi, rank, row->a)),
			ES_STR(es__wait_pattern_name(
			    (enum es__wait_pattern)row->b)),
			ES_INT(row->ns), ES_INT(row->lost_ns) });
	}
	return st;
}

/* Writes the waits of the trace, if threads were sampled and the trace has all
   calls, or there is no profile. */
static paths_status
lost_waits(struct es_analysis *a, struct es_sink *sink)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	struct es__traced *traced = NULL;
	const char *source = NULL;
	paths_status st = PATHS_OK;

	if (mpi != NULL)
		st = es__estimates_source(a, &source);
	if (st == PATHS_OK && source != NULL && strcmp(source, "profile") != 0)
		st = es__traced_waits(a, &traced);
	if (traced == NULL || !traced->waits.sampled)
		return st;
	for (uint32_t r = 0; st == PATHS_OK && r < traced->waits.rank_count;
	     r++) {
		st = lost_pairs(traced, r, sink);
		if (st == PATHS_OK)
			st = lost_states(mpi, traced, r, sink);
	}
	return st;
}

static paths_status
cpu_time_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__cpu_threads threads = { .count = 0 };
	paths_status st = es__cpu_threads_read(a->run, &threads);

	for (uint32_t n = 0; st == PATHS_OK && n < threads.count; n++)
		if (threads.threads[n].samples > 0) {
			st = cpu_time_row(a, n, &threads.threads[n], sink);
			if (st == PATHS_OK)
				st = gap_rows(a, n, &threads.threads[n], sink);
		}
	es__cpu_threads_fini(&threads);
	return st == PATHS_OK ? lost_waits(a, sink) : st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_cpu_time_overload,
	    .about = "share of time that threads were runnable without a core, "
		     "if it is large",
	    .weight = 100,
	    .table = "cpu_time",
	    .chart = "load_balance" },
	{ .sql = es__sql_cpu_time_most,
	    .about = "on such a machine, the thread that computes most",
	    .weight = 90,
	    .table = "cpu_time",
	    .chart = "load_balance" },
	{ .sql = es__sql_cpu_time_rest,
	    .about = "on such a machine, the thread that others would wait for "
		     "most if no core had been lost",
	    .weight = 80,
	    .table = "cpu_time",
	    .chart = "waits_for" },
};

const struct es_view es__view_cpu_time = {
	.name = "cpu_time",
	.about = "computation on a core, and runnable without one",
	.question = "Did threads have the cores that they needed?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = cpu_time_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
