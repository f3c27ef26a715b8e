/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/wait_state.c - wait states of MPI calls, from the trace
 *
 * scopes/mpi/waits_private.h defines the wait states.
 */

#include "scopes/mpi.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/views/view_private.h"

ES__SQL(wait_state_reading);
ES__SQL(wait_pair_reading);
ES__SQL(wait_state_finding);

static const struct es_column state_columns[] = {
	{ "rank", ES_INTEGER, .about = "rank that waited",
	    .refers = "mpi_rank" },
	{ "site", ES_INTEGER,
	    .about = "call site; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "pattern", ES_TEXT, .about = "name of the wait state" },
	{ "instances", ES_INTEGER, .about = "number of calls that waited" },
	{ "wait_ns", ES_INTEGER, .about = "total time waited",
	    .unit = ES_UNIT_NS },
	ES__DOUBT_COLUMNS("calls"),
};

static const struct es_column pair_columns[] = {
	{ "waiter", ES_INTEGER, .about = "rank that waited",
	    .refers = "mpi_rank" },
	{ "culprit", ES_INTEGER,
	    .about = "rank that the waiter waited for; NULL: no single rank",
	    .refers = "mpi_rank" },
	{ "pattern", ES_TEXT, .about = "name of the wait state" },
	{ "instances", ES_INTEGER, .about = "number of calls that waited" },
	{ "wait_ns", ES_INTEGER, .about = "total time waited",
	    .unit = ES_UNIT_NS },
	ES__DOUBT_COLUMNS("calls"),
};

enum { STATE, PAIR };

static const struct es_table tables[] = {
	[STATE] = { .name = "wait_state",
	    .about = "wait states of MPI calls, from the trace",
	    ES_COLUMNS(state_columns),
	    .order = "wait_ns DESC",
	    .reading = es__sql_wait_state_reading,
	    .reading_about = "wait state with the most waiting" },
	[PAIR] = { .name = "wait_pair",
	    .about = "wait states, by waiting rank and culprit",
	    ES_COLUMNS(pair_columns),
	    .order = "wait_ns DESC",
	    .reading = es__sql_wait_pair_reading,
	    .reading_about = "culprit that causes the most waiting" },
};

static struct es_value
pattern_value(const struct es__totals_row *row)
{
	return ES_STR(es__wait_pattern_name((enum es__wait_pattern)row->b));
}

/* Writes the wait states of a rank, in the order of the rank's own site ids,
   which differ from those of the run. */
static paths_status
emit_states(const struct es_mpi *mpi, const struct es__traced *traced,
    uint32_t rank, struct es_sink *sink)
{
	const struct es__totals *t = &traced->waits.ranks[rank].sites;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < t->count; n++)
		st = sink->row(sink, &tables[STATE],
		    (struct es_value[]){ ES_INT(rank),
			es__id(es_mpi_find_site(mpi, rank, t->rows[n].a)),
			pattern_value(&t->rows[n]),
			ES_INT(t->rows[n].instances), ES_INT(t->rows[n].ns),
			ES_INT(t->rows[n].undecided),
			ES_INT(t->rows[n].bound_ns) });
	return st;
}

static paths_status
emit_pairs(const struct es__traced *traced, uint32_t rank, struct es_sink *sink)
{
	const struct es__totals *t = &traced->waits.ranks[rank].pairs;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < t->count; n++)
		st = sink->row(sink, &tables[PAIR],
		    (struct es_value[]){ ES_INT(rank), es__id(t->rows[n].a),
			pattern_value(&t->rows[n]),
			ES_INT(t->rows[n].instances), ES_INT(t->rows[n].ns),
			ES_INT(t->rows[n].undecided),
			ES_INT(t->rows[n].bound_ns) });
	return st;
}

/* Sums over all ranks: calls without a match, and clocks that disagree. */
struct doubts {
	struct es_mpi_trace_account sum;
	/* Received too early; left too early; with another root. */
	uint64_t messages, exits, roots;
};

static void
doubts_add(struct doubts *d, const struct es__traced *traced, uint32_t rank)
{
	const struct es_mpi_trace_account *c =
	    &traced->waits.ranks[rank].account;

	d->sum.receives += c->receives;
	d->sum.receives_matched += c->receives_matched;
	d->sum.discarded += c->discarded;
	d->sum.differing += c->differing;
	d->sum.undecided += c->undecided;
	d->sum.collectives += c->collectives;
	d->sum.collectives_matched += c->collectives_matched;
	d->sum.mixed += c->mixed;
	d->messages += traced->waits.ranks[rank].message_violations;
	d->exits += traced->waits.ranks[rank].collective_violations;
	d->roots += traced->waits.ranks[rank].other_roots;
}

static void
doubts_report_one(struct es_run *run, uint64_t count, uint64_t of,
    const char *why)
{
	if (count > 0)
		es_run_diagnose(run, ES_WARNING, "wait_state",
		    "%llu of %llu %s", (unsigned long long)count,
		    (unsigned long long)of, why);
}

static void
doubts_report(const struct doubts *d, struct es_run *run)
{
	doubts_report_one(run, d->sum.discarded, d->sum.receives,
	    "receives are not matched with sends: tuples are missing");
	doubts_report_one(run, d->sum.differing, d->sum.receives,
	    "receives are not matched with sends: the numbers of sends and "
	    "receives differ");
	if (!es_run_live(run))
		doubts_report_one(run, d->sum.undecided, d->sum.receives,
		    "receives are not matched with sends: a receive from any "
		    "source, or with any tag, is open");
	doubts_report_one(run, d->sum.mixed, d->sum.collectives,
	    "calls of collectives do not count: members of a communicator "
	    "called different functions");
	doubts_report_one(run,
	    d->sum.collectives - d->sum.collectives_matched - d->sum.mixed,
	    d->sum.collectives,
	    "calls of collectives do not count: calls of other members are "
	    "missing");
	doubts_report_one(run, d->roots, d->sum.collectives_matched,
	    "calls of collectives gave another root than the first member of "
	    "their communicator: all must give the same");
	doubts_report_one(run, d->messages, d->sum.receives_matched,
	    "messages were received before they were sent: clocks disagree");
	doubts_report_one(run, d->exits, d->sum.collectives_matched,
	    "calls left a collective before others entered: clocks disagree");
}

static paths_status
wait_state_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	struct doubts doubts = { .messages = 0 };
	struct es__traced *traced;
	paths_status st = es__traced_waits(a, &traced);

	if (st != PATHS_OK || traced == NULL)
		return st;
	for (uint32_t r = 0; st == PATHS_OK && r < traced->in->input.rank_count;
	     r++) {
		st = emit_states(mpi, traced, r, sink);
		if (st == PATHS_OK)
			st = emit_pairs(traced, r, sink);
		doubts_add(&doubts, traced, r);
	}
	doubts_report(&doubts, a->run);
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_wait_state_finding,
	    .about = "wait state and call site with the most waiting",
	    .weight = 10,
	    .table = "wait_state" },
};

const struct es_view es__view_wait_state = {
	.name = "wait_state",
	.about = "wait states of MPI calls, from the trace",
	.question = "Why do MPI calls wait, and for which rank?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = wait_state_compute,
	.needs = ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
