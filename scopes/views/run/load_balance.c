/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/load_balance.c - communication, computation and waiting time
 * of each thread
 *
 * The view reads the first collector of each path of a thread.  A thread may
 * have operations under way on several paths at once; such time counts once.
 * The time of operations that failed counts too.
 *
 * The time of MPI calls is that in the measured interval of their process
 * (scopes/clock/interval_private.h).  Their numbers come from the profile, if
 * there is one: it has all calls, also those whose tuples were discarded.
 */

#include "scopes/clock/interval_private.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/path/merge_private.h"
#include "scopes/path/waits_private.h"
#include "scopes/run/array_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <string.h>

ES__SQL(load_balance_finding);
ES__SQL(load_balance_process);
ES__SQL(load_balance_host);
ES__SQL(load_balance_run);

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that succeeded, or of MPI calls" },
	{ "communication_ns", ES_INTEGER,
	    .about = "time in which at least one operation was under way",
	    .unit = ES_UNIT_NS },
	{ "computation_ns", ES_INTEGER,
	    .about = "time in which no operation was under way",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER,
	    .about = "time that operations waited for other threads",
	    .unit = ES_UNIT_NS },
	{ "communication_share", ES_REAL,
	    .about = "share of the thread's time spent communicating",
	    .unit = ES_UNIT_SHARE },
};

/* Columns of a table that adds up the threads of a process, a host or the
   run. */
#define GROUP_COLUMNS \
	{ "threads", ES_INTEGER, .about = "number of threads" }, \
	    { "operations", ES_INTEGER, \
		    .about = "number of operations that succeeded, or of MPI " \
			     "calls" }, \
	    { "communication_ns", ES_INTEGER, \
		    .about = "communication time, summed over the threads", \
		    .unit = ES_UNIT_NS }, \
	    { "computation_ns", ES_INTEGER, \
		    .about = "computation time, summed over the threads", \
		    .unit = ES_UNIT_NS }, \
	    { "wait_ns", ES_INTEGER, \
		    .about = "waiting time, summed over the threads", \
		    .unit = ES_UNIT_NS }, \
	    { "communication_share", ES_REAL, \
		    .about = "share of the threads' time spent communicating", \
		    .unit = ES_UNIT_SHARE }, \
	{ \
		"balance_share", ES_REAL, \
		    .about = "mean computation time of the threads in this " \
			     "row, as a share of the longest of them", \
		    .unit = ES_UNIT_SHARE \
	}

static const struct es_column process_columns[] = {
	{ "process", ES_INTEGER, .about = "id of the process",
	    .refers = "process" },
	GROUP_COLUMNS,
};

static const struct es_column host_columns[] = {
	{ "host", ES_INTEGER, .about = "id of the host", .refers = "host" },
	GROUP_COLUMNS,
};

static const struct es_column run_columns[] = {
	GROUP_COLUMNS,
};

static const struct es_table tables[] = {
	{ .name = "load_balance",
	    .about =
		"communication, computation and waiting time of each thread",
	    ES_COLUMNS(columns),
	    .order = "communication_share DESC" },
	{ .name = "load_balance_process",
	    .about = "load balance, by process",
	    ES_COLUMNS(process_columns),
	    .sql = es__sql_load_balance_process,
	    .order = "communication_share DESC" },
	{ .name = "load_balance_host",
	    .about = "load balance, by host",
	    ES_COLUMNS(host_columns),
	    .sql = es__sql_load_balance_host,
	    .order = "communication_share DESC" },
	{ .name = "load_balance_run",
	    .about = "load balance of the run",
	    ES_COLUMNS(run_columns),
	    .sql = es__sql_load_balance_run },
};

struct balance {
	/* The interval of MPI calls, which have no status; NULL: operations on
	   paths. */
	const struct es__mpi_interval *calls;
	uint64_t operations;
	int64_t communication_ns;
	int64_t first_ns, last_ns; /* first start and last stop so far */
};

static void
balance_add(struct balance *b, int64_t start, int64_t stop)
{
	if (b->calls != NULL) {
		b->communication_ns +=
		    es__mpi_interval_part(b->calls, start, stop);
		return;
	}
	if (b->last_ns == INT64_MIN)
		b->first_ns = start;
	if (stop <= b->last_ns)
		return;
	b->communication_ns += stop - (start > b->last_ns ? start : b->last_ns);
	b->last_ns = stop;
}

/* Returns whether an operation that returned counts. */
static bool
balance_counts(const struct balance *b, const struct es_operation *tuple)
{
	return b->calls != NULL || es__tuple_ok((const void *)tuple);
}

/* Adds up the operations of a thread with one path: they are in order and do
   not overlap. */
static void
balance_collector(struct balance *b, const struct es_analysis *a,
    uint32_t collector)
{
	const struct es_collector *c = &a->run->collectors[collector];
	const struct es_timebase *base = es__base_of(a, c);

	for (uint64_t n = 0; n < c->count; n++) {
		const struct es_operation *tuple = es_operation_get(c, n);

		if (tuple->stop == 0 ||
		    (b->calls != NULL && !es_operation_is_call(c, n)))
			continue;
		b->operations += balance_counts(b, tuple);
		balance_add(b, es_time_ns(base, tuple->start),
		    es_time_ns(base, tuple->stop));
	}
}

static void
balance_merge(struct balance *b, struct es__merge *merge)
{
	struct es__feed *feed;

	while ((feed = es__merge_next(merge)) != NULL) {
		b->operations += balance_counts(b, feed->tuple);
		balance_add(b, feed->key,
		    es_time_ns(feed->lane.base, feed->tuple->stop));
	}
}

static paths_status
balance_paths(struct balance *b, const struct es_analysis *a,
    const struct es__list *heads)
{
	struct es__merge merge;
	paths_status st = es__merge_open(&merge, heads->count);

	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++)
		es__merge_add(&merge, a, heads->ids[n]);
	if (st == PATHS_OK)
		balance_merge(b, &merge);
	es__merge_close(&merge);
	return st;
}

/* Sums over the MPI calls of a thread in the profile. */
struct thread_totals {
	uint64_t calls;
	double time_ns, wait_ns; /* in the measured interval */
};

struct account {
	struct es_analysis *a;
	struct es_sink *sink;
	const struct es__waits *waits;
	struct thread_totals *totals; /* of each thread */
	const struct es__mpi_intervals *intervals;
};

static int64_t
thread_wait_ns(const struct es__waits *waits, uint32_t thread)
{
	size_t n = es__array_find(waits->costs, waits->cost_count,
	    sizeof(*waits->costs), offsetof(struct es__waits_cost, thread),
	    thread);
	int64_t sum = 0;

	for (; n < waits->cost_count && waits->costs[n].thread == thread; n++)
		sum += waits->costs[n].wait_ns;
	return sum;
}

static const struct es__mpi_interval *
account_interval(const struct account *account, uint32_t thread)
{
	return &account->intervals
		    ->of[account->a->map->threads[thread].process];
}

static paths_status
account_work(void *context, size_t item, void *result)
{
	const struct account *account = context;
	const struct es_analysis *a = account->a;
	const struct es__list *heads = &a->graph.heads[item];
	struct balance *b = result;

	*b = (struct balance){ .last_ns = INT64_MIN };
	/* A thread has collectors on paths, or one collector of MPI calls. */
	if (heads->count > 0 &&
	    es__collector_calls(&a->run->collectors[heads->ids[0]]))
		b->calls = account_interval(account, (uint32_t)item);
	/* The profile has all numbers of this thread; es__estimates_get has cut
	   the time of calls before the interval from them. */
	if (account->totals[item].calls > 0)
		return PATHS_OK;
	if (heads->count > 1)
		return balance_paths(b, a, heads);
	if (heads->count == 1)
		balance_collector(b, a, heads->ids[0]);
	return PATHS_OK;
}

static const void *
account_reads(const void *context, size_t item)
{
	return es__thread_tuples(((const struct account *)context)->a,
	    (uint32_t)item);
}

static void
account_profile(struct account *account, const struct es__estimates *e)
{
	for (size_t n = 0; n < e->count; n++) {
		const struct es__wait_minimum *m = &e->rows[n];
		struct thread_totals *t;

		if (m->thread == PATHS_NONE)
			continue;
		t = &account->totals[m->thread];
		t->calls += m->calls;
		t->time_ns += m->measured_ns;
		t->wait_ns += m->used ? m->wait_ns[ES__WAIT_MINIMUM_PLAIN] : 0;
	}
}

static void
account_trace(struct account *account, const struct es__traced *traced)
{
	for (uint32_t r = 0; r < traced->waits.rank_count; r++) {
		const struct es__totals *rings = &traced->waits.ranks[r].rings;

		for (size_t n = 0; n < rings->count; n++) {
			const struct es__totals_row *row = &rings->rows[n];
			uint32_t thread =
			    traced->in->input.rings[row->a].thread;

			account->totals[thread].wait_ns += (double)row->ns;
		}
	}
}

/* Adds up the MPI calls of each thread, and their waiting. */
static paths_status
account_calls(struct account *account)
{
	struct es_analysis *a = account->a;
	const struct es__estimates *e = NULL;
	struct es__traced *traced = NULL;
	const char *source = NULL;
	bool estimated;
	paths_status st = es__estimates_get(a, &e);

	if (st == PATHS_OK)
		st = es__mpi_intervals_get(a, &account->intervals);
	if (st == PATHS_OK)
		st = es__estimates_source(a, &source);
	estimated = source != NULL && strcmp(source, "profile") == 0;
	if (st == PATHS_OK && source != NULL && !estimated)
		st = es__traced_waits(a, &traced);
	account->totals = calloc((size_t)a->map->thread_count + 1,
	    sizeof(struct thread_totals));
	if (st == PATHS_OK && account->totals == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	if (st != PATHS_OK)
		return st;
	account_profile(account, e);
	if (traced != NULL)
		account_trace(account, traced);
	if (estimated)
		es_run_diagnose(a->run, ES_NOTE, "view load_balance",
		    "waiting is estimated from profiles: see wait_estimate");
	return PATHS_OK;
}

/* Returns the time of a thread that calls MPI: the measured interval.  Without
   a profile, it begins with the first tuple if earlier ones were discarded. */
static int64_t
account_span_ns(const struct account *account, uint32_t thread)
{
	const struct es_analysis *a = account->a;
	const struct es__mpi_interval *in = account_interval(account, thread);
	const struct es__list *heads = &a->graph.heads[thread];
	int64_t from = in->from_ns, first;

	if (account->totals[thread].calls == 0 && heads->count > 0 &&
	    a->run->collectors[heads->ids[0]].discarded > 0) {
		first = es_time_ns(es__base_of(a,
				       &a->run->collectors[heads->ids[0]]),
		    a->overviews[heads->ids[0]].start_first);
		from = first > from && first < in->to_ns ? first : from;
	}
	return in->to_ns - from;
}

/* Writes the row of a thread that calls MPI. */
static paths_status
account_called(const struct account *account, uint32_t thread,
    const struct balance *b)
{
	const struct thread_totals *t = &account->totals[thread];
	int64_t span = account_span_ns(account, thread);
	int64_t time = t->calls > 0 ? llround(t->time_ns) : b->communication_ns;
	int64_t wait = llround(t->wait_ns);

	/* The span of a running process ends before its latest calls. */
	span = span > time ? span : time;
	/* A wait may begin before the interval. */
	return account->sink->row(account->sink, &tables[0],
	    (struct es_value[]){ ES_INT(thread),
		ES_INT(t->calls > 0 ? t->calls : b->operations), ES_INT(time),
		ES_INT(span - time), ES_INT(wait < time ? wait : time),
		es__share(time, span) });
}

static paths_status
account_done(void *context, size_t item, void *result)
{
	struct account *account = context;
	const struct balance *b = result;
	int64_t span = b->last_ns - b->first_ns;

	if (account->totals[item].calls > 0 ||
	    (b->calls != NULL && b->operations > 0))
		return account_called(account, (uint32_t)item, b);
	if (b->last_ns == INT64_MIN)
		return PATHS_OK;
	return account->sink->row(account->sink, &tables[0],
	    (struct es_value[]){ ES_INT(item), ES_INT(b->operations),
		ES_INT(b->communication_ns), ES_INT(span - b->communication_ns),
		ES_INT(thread_wait_ns(account->waits, (uint32_t)item)),
		es__share(b->communication_ns, span) });
}

static paths_status
load_balance_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct account account = { .a = a, .sink = sink };
	struct es__work work = { .count = a->map->thread_count,
		.result_bytes = sizeof(struct balance),
		.context = &account,
		.work = account_work,
		.done = account_done,
		.reads = account_reads };
	paths_status st = es__waits_get(a, &account.waits);

	if (st == PATHS_OK)
		st = account_calls(&account);
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	free(account.totals);
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_load_balance_finding,
	    .about = "threads that communicate most and least, if there are at "
		     "least two threads",
	    .weight = 20,
	    .table = "load_balance" },
};

const struct es_view es__view_load_balance = {
	.name = "load_balance",
	.about = "communication, computation and waiting time of each thread",
	.question =
	    "How much of its time does each thread spend on communication, and "
	    "on waiting?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = load_balance_compute,
	.needs =
	    ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE | ES_NEED_MPI_PROFILE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
