/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/arrival_pattern.c - how ranks arrive at collectives
 *
 * scopes/mpi/arrival_pattern_private.h defines arrivals, spreads and costs.
 */

#include "scopes/graph/result_private.h"
#include "scopes/mpi.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/views/view_private.h"

#include "collectors/mpi_function.h"

#include <math.h>

ES__SQL(arrival_pattern_reading);

#define PATTERN_COLUMNS \
	{ "site", ES_INTEGER, \
		.about = "call site of the first rank of the communicator; " \
			 "0: not recorded; NULL: not known", \
		.refers = "mpi_site" }, \
	    { "comm", ES_INTEGER, .about = "communicator", \
		    .refers = "mpi_comm" }, \
	{ \
		"function", ES_TEXT, .about = "MPI function" \
	}

static const struct es_column pattern_columns[] = {
	PATTERN_COLUMNS,
	{ "calls", ES_INTEGER,
	    .about = "number of calls that all ranks have left" },
	{ "ranks", ES_INTEGER, .about = "number of ranks in a call" },
	{ "bytes", ES_INTEGER,
	    .about = "largest number of bytes that a rank passes",
	    .unit = ES_UNIT_BYTES },
	{ "spread_ns_p50", ES_INTEGER,
	    .about = "median time from the first arrival at a call to the last",
	    .unit = ES_UNIT_NS },
	{ "spread_ns_p90", ES_INTEGER, .about = "its 90 % quantile",
	    .unit = ES_UNIT_NS },
	{ "spread_ns_p99", ES_INTEGER, .about = "its 99 % quantile",
	    .unit = ES_UNIT_NS },
	{ "spread_ns_max", ES_INTEGER, .about = "its largest value",
	    .unit = ES_UNIT_NS },
	{ "bound_ns", ES_INTEGER,
	    .about = "error bound of the spread; NULL: the clocks have none",
	    .unit = ES_UNIT_NS },
	{ "message_ns", ES_INTEGER,
	    .about = "median time of a message of about that size; NULL: "
		     "there was none to measure",
	    .unit = ES_UNIT_NS },
	{ "message_bytes", ES_INTEGER,
	    .about = "largest size of the messages that message_ns is of",
	    .unit = ES_UNIT_BYTES },
	{ "imbalance_p50", ES_REAL, .about = "spread_ns_p50 / message_ns" },
	{ "imbalance_max", ES_REAL, .about = "spread_ns_max / message_ns" },
	{ "exit_spread_ns_p50", ES_INTEGER,
	    .about = "median time from the first exit of a call to the last; "
		     "NULL: the calls do not block",
	    .unit = ES_UNIT_NS },
	{ "exit_spread_ns_max", ES_INTEGER, .about = "its largest value",
	    .unit = ES_UNIT_NS },
	{ "cost_ns_p50", ES_INTEGER,
	    .about = "median time from the last arrival at a call to its last "
		     "exit; NULL: the calls do not block",
	    .unit = ES_UNIT_NS },
	{ "cost_ns_max", ES_INTEGER, .about = "its largest value",
	    .unit = ES_UNIT_NS },
	{ "undecided", ES_INTEGER,
	    .about = "number of calls whose last rank is within the error "
		     "bound of the clocks" },
	{ "last", ES_INTEGER,
	    .about = "rank that comes last most often; NULL: it is undecided "
		     "in all calls",
	    .refers = "mpi_rank" },
	{ "last_share", ES_REAL,
	    .about = "share of the calls in which it does, of those that are "
		     "decided",
	    .unit = ES_UNIT_SHARE },
	{ "order_correlation", ES_REAL,
	    .about = "mean rank correlation of the orders of arrival at "
		     "successive calls, -1 to 1; NULL: there are none" },
};

static const struct es_column rank_columns[] = {
	PATTERN_COLUMNS,
	{ "rank", ES_INTEGER, .about = "rank", .refers = "mpi_rank" },
	{ "last", ES_INTEGER,
	    .about = "number of calls in which it certainly came last" },
	{ "late_ns_mean", ES_INTEGER,
	    .about = "mean time from the first arrival at a call to that of "
		     "the rank",
	    .unit = ES_UNIT_NS },
};

enum { PATTERN, RANK };

static const struct es_table tables[] = {
	[PATTERN] = { .name = "arrival_pattern",
	    .about = "arrivals at collectives, by call site and communicator",
	    ES_COLUMNS(pattern_columns),
	    .order = "calls * spread_ns_p50 DESC, site, comm, function",
	    .reading = es__sql_arrival_pattern_reading,
	    .reading_about =
		"collective where the ranks arrive farthest apart" },
	[RANK] = { .name = "arrival_rank",
	    .about = "arrivals at collectives, by rank",
	    ES_COLUMNS(rank_columns),
	    .order = "site, comm, function, late_ns_mean DESC, rank" },
};

struct patterns {
	const struct es_analysis *a;
	const struct es_mpi *mpi;
	const struct es_mpi_trace_input *input;
	const struct es__graph_typical *typical;
	struct es_sink *sink;
};

static uint32_t
rank_host(const struct patterns *p, uint32_t rank)
{
	const struct paths_map *map = p->a->map;

	return map->processes[es_mpi_rank(p->mpi, rank)->process].host;
}

/* Returns whether a communicator has ranks on several hosts. */
static bool
comm_is_wide(const struct patterns *p, const struct es_mpi_trace_comm *comm)
{
	for (uint32_t n = 1; n < comm->count; n++)
		if (rank_host(p, comm->members[n]) !=
		    rank_host(p, comm->members[0]))
			return true;
	return false;
}

/* Returns the member that came last most often; PATHS_NONE: none did. */
static uint32_t
pattern_last(const struct es__arrival_pattern *pattern, uint32_t count)
{
	uint32_t last = PATHS_NONE;

	for (uint32_t n = 0; n < count; n++)
		if (pattern->members[n].last >
		    (last == PATHS_NONE ? 0 : pattern->members[last].last))
			last = n;
	return last;
}

static struct es_value
time_value(bool known, int64_t ns)
{
	return known ? ES_INT(ns) : ES_NIL;
}

static paths_status
pattern_row(const struct patterns *p, const struct es__arrival_pattern *pattern,
    const struct es_value key[3])
{
	const struct es_mpi_trace_comm *comm = &p->input->comms[pattern->comm];
	const int64_t *spread = pattern->ns[ES__ARRIVAL_SPREAD];
	const int64_t *exits = pattern->ns[ES__ARRIVAL_EXITS];
	const int64_t *cost = pattern->ns[ES__ARRIVAL_COST];
	struct es__graph_message message = { .ns = 0 };
	bool measured = es__graph_typical_message(p->typical, pattern->bytes,
	    comm_is_wide(p, comm), &message);
	bool blocks = pattern->blocking;
	uint32_t last = pattern_last(pattern, comm->count);
	int64_t decided = (int64_t)(pattern->calls - pattern->undecided);

	return p->sink->row(p->sink, &tables[PATTERN],
	    (struct es_value[]){ key[0], key[1], key[2], ES_INT(pattern->calls),
		ES_INT(comm->count), ES_INT(pattern->bytes),
		ES_INT(spread[ES__ARRIVAL_P50]),
		ES_INT(spread[ES__ARRIVAL_P90]),
		ES_INT(spread[ES__ARRIVAL_P99]),
		ES_INT(spread[ES__ARRIVAL_MAX]),
		time_value(pattern->bound_ns != ES__DOUBT_UNKNOWN,
		    pattern->bound_ns),
		time_value(measured, message.ns),
		time_value(measured, (int64_t)message.bytes),
		es__share(spread[ES__ARRIVAL_P50], message.ns),
		es__share(spread[ES__ARRIVAL_MAX], message.ns),
		time_value(blocks, exits[ES__ARRIVAL_P50]),
		time_value(blocks, exits[ES__ARRIVAL_MAX]),
		time_value(blocks, cost[ES__ARRIVAL_P50]),
		time_value(blocks, cost[ES__ARRIVAL_MAX]),
		ES_INT(pattern->undecided),
		last == PATHS_NONE ? ES_NIL : ES_INT(comm->members[last]),
		last == PATHS_NONE ?
		    ES_NIL :
		    es__share((int64_t)pattern->members[last].last, decided),
		pattern->order_count == 0 ?
		    ES_NIL :
		    ES_NUM(
			pattern->order_sum / (double)pattern->order_count) });
}

static paths_status
pattern_rows(const struct patterns *p,
    const struct es__arrival_pattern *pattern)
{
	const struct es_mpi_function *function =
	    es_mpi_function(pattern->function);
	const struct es_mpi_trace_comm *comm = &p->input->comms[pattern->comm];
	const struct es_value key[3] = { es__id(es_mpi_find_site(p->mpi,
					     comm->members[0], pattern->site)),
		ES_INT(pattern->comm),
		es__text(function == NULL ? NULL : function->name) };
	paths_status st = pattern_row(p, pattern, key);

	for (uint32_t n = 0; st == PATHS_OK && n < comm->count; n++) {
		const struct es__arrival_member *m = &pattern->members[n];

		st = p->sink->row(p->sink, &tables[RANK],
		    (struct es_value[]){ key[0], key[1], key[2],
			ES_INT(comm->members[n]), ES_INT(m->last),
			ES_INT(llround(m->late_ns / (double)pattern->calls)) });
	}
	return st;
}

static paths_status
arrival_pattern_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct patterns p = { .a = a, .mpi = es_run_mpi(a->run), .sink = sink };
	struct es__graph_result *r;
	struct es__traced *traced;
	paths_status st = es__traced_waits(a, &traced);

	if (st != PATHS_OK || traced == NULL)
		return st;
	p.input = &traced->in->input;
	st = es__graph_result_get(a, &r);
	if (st == PATHS_OK)
		p.typical = &r->typical;
	for (uint32_t n = 0; st == PATHS_OK && n < traced->waits.arrivals.count;
	     n++)
		st = pattern_rows(&p, &traced->waits.arrivals.list[n]);
	return st;
}

const struct es_view es__view_arrival_pattern = {
	.name = "arrival_pattern",
	.topic = ES_TOPIC_WAITING,
	.about = "arrival patterns of collectives",
	.question = "How far apart do the ranks arrive at collectives, who "
		    "comes last, and is it always the same one?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = arrival_pattern_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_MPI | ES_NEED_TRACE,
};
