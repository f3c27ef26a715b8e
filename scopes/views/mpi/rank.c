/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/rank.c - MPI ranks, and phases of the program
 *
 * The ids of ranks of the first world are their ranks in MPI_COMM_WORLD.  Ids
 * of spawned ranks follow, then those of outside ranks: ranks without an event
 * space that another rank communicated with.
 */

#include "scopes/clock/interval_private.h"
#include "scopes/views/view_private.h"

#include <stdio.h>

ES__SQL(mpi_rank_reading);
ES__SQL(mpi_interval_reading);

static const struct es_column rank_columns[] = {
	{ "rank", ES_INTEGER,
	    .about = "id of the rank; in the first world, its rank in "
		     "MPI_COMM_WORLD" },
	{ "process", ES_INTEGER,
	    .about = "process of the rank; NULL: the rank is outside",
	    .refers = "process" },
	{ "world", ES_INTEGER,
	    .about = "number of the world of the rank; 0: the first; others: "
		     "spawned; NULL: the rank is outside" },
	{ "world_rank", ES_INTEGER,
	    .about =
		"rank in the MPI_COMM_WORLD of its world; NULL: not known" },
	{ "world_size", ES_INTEGER,
	    .about =
		"size of the MPI_COMM_WORLD of its world; NULL: not known" },
	{ "state", ES_TEXT,
	    .about =
		"state: finalized, aborted, failed, running, ended, killed, "
		"missing, damaged or outside" },
	{ "signal", ES_INTEGER,
	    .about = "signal that ended the rank; NULL: none or not known, as "
		     "SIGKILL" },
	{ "threads", ES_INTEGER, .about = "number of threads that called MPI" },
	{ "thread_level", ES_TEXT,
	    .about = "level of thread support: single, funneled, serialized or "
		     "multiple" },
	{ "mode", ES_TEXT,
	    .about = "modes of recording: trace, profile and matrix, or off" },
	{ "calls", ES_INTEGER,
	    .about = "number of recorded calls, nested calls excluded" },
	{ "nested_calls", ES_INTEGER,
	    .about = "number of calls made by callbacks inside other calls" },
	{ "requests", ES_INTEGER,
	    .about = "number of requests that are not completed" },
	{ "lost", ES_INTEGER,
	    .about = "number of rows and definitions lost because the disk was "
		     "full" },
	{ "library", ES_TEXT,
	    .about = "name and version that the MPI library reports" },
	{ "command", ES_TEXT, .about = "program and its arguments" },
	{ "met_by", ES_INTEGER,
	    .about = "rank that communicated with this outside rank; NULL: not "
		     "outside",
	    .refers = "mpi_rank" },
};

static const struct es_column phase_columns[] = {
	{ "phase", ES_INTEGER,
	    .about = "id of the phase; 0: before the first phase" },
	{ "name", ES_TEXT, .about = "name of the phase" },
};

static const struct es_column interval_columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the rank", .refers = "mpi_rank" },
	{ "start_ns", ES_INTEGER,
	    .about = "start of the measured interval: the last exit of "
		     "MPI_Init in the world of the rank",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "end of the measured interval: the last entry of "
		     "MPI_Finalize in the world of the rank",
	    .unit = ES_UNIT_NS },
	{ "start_source", ES_TEXT,
	    .about = "source of start_ns: MPI, or recording where MPI_Init of "
		     "some rank is not known" },
	{ "stop_source", ES_TEXT,
	    .about =
		"source of stop_ns: MPI, estimate, or recording where some "
		"rank has not called MPI_Finalize" },
};

enum { RANK, PHASE, INTERVAL };

static const struct es_table tables[] = {
	[RANK] = { .name = "mpi_rank",
	    .about = "MPI ranks",
	    ES_COLUMNS(rank_columns),
	    .names = "SELECT process, name FROM process",
	    .order = "rank",
	    .reading = es__sql_mpi_rank_reading,
	    .reading_about = "rank with the most calls" },
	[PHASE] = { .name = "mpi_phase",
	    .about = "phases of the program",
	    ES_COLUMNS(phase_columns),
	    .names = "SELECT phase, name FROM mpi_phase" },
	[INTERVAL] = { .name = "mpi_interval",
	    .about = "measured interval of each rank, whose shares views give",
	    ES_COLUMNS(interval_columns),
	    .order = "rank",
	    .reading = es__sql_mpi_interval_reading,
	    .reading_about = "ends of the interval" },
};

static const char *
rank_state(const struct es_analysis *a, const struct es_mpi_rank *rank)
{
	enum es__space_state space = a->run->states[rank->process];
	uint32_t state;

	if (space == ES__SPACE_MISSING)
		return "missing";
	if (space == ES__SPACE_DAMAGED || rank->control == NULL)
		return "damaged";
	state = rank->control->state;
	if (state == ES_MPI_ABORTED)
		return "aborted";
	if (state == ES_MPI_FAILED && space != ES__SPACE_LIVE)
		return "failed";
	if (state == ES_MPI_FINALIZED)
		return "finalized";
	if (space == ES__SPACE_LIVE)
		return "running";
	return space == ES__SPACE_CLOSED ? "ended" : "killed";
}

/* A process that has a handler may live on, so only one that has not closed its
   space died of the signal. */
static struct es_value
rank_signal(const struct es_analysis *a, const struct es_mpi_rank *rank)
{
	uint32_t number = rank->control == NULL ?
	    0 :
	    atomic_load_explicit(&rank->control->signal, memory_order_relaxed);

	return number == 0 ||
		a->run->states[rank->process] != ES__SPACE_KILLED ?
	    ES_NIL :
	    ES_INT(number);
}

static struct es_value
rank_level(const struct es_mpi_rank *rank)
{
	static const char *const names[] = { "single", "funneled", "serialized",
		"multiple" };

	if (rank->control == NULL ||
	    rank->control->thread_level >= ES__COUNT(names))
		return ES_NIL;
	return ES_STR(names[rank->control->thread_level]);
}

static struct es_value
rank_mode(const struct es_mpi_rank *rank)
{
	static const char *const names[] = { "off", "trace", "profile",
		"trace profile", "matrix", "trace matrix", "profile matrix",
		"trace profile matrix" };

	return rank->control == NULL ?
	    ES_NIL :
	    ES_STR(names[rank->control->mode & ES_MODE_ALL]);
}

/* Sums over the threads of a rank. */
struct rank_sum {
	uint64_t threads, calls, nested, requests;
};

static struct rank_sum
rank_add_threads(const struct es_mpi *mpi, const struct es_mpi_rank *rank)
{
	struct rank_sum sum = { 0 };

	for (uint32_t n = 0; n < rank->thread_count; n++) {
		const struct es_mpi_thread *row =
		    es_mpi_thread_row(mpi, rank->thread_first + n);

		if (row == NULL)
			continue;
		sum.threads++;
		sum.calls += row->calls;
		sum.nested += row->nested;
		sum.requests += row->requests;
	}
	return sum;
}

static paths_status
rank_show(const struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct es_mpi_rank *rank = es_mpi_rank(a->run->mpi, n);
	struct rank_sum sum = rank_add_threads(a->run->mpi, rank);

	return sink->row(sink, &tables[RANK],
	    (struct es_value[]){ ES_INT(n), ES_INT(rank->process),
		ES_INT(rank->world),
		rank->world_rank < 0 ? ES_NIL : ES_INT(rank->world_rank),
		rank->world_size == 0 ? ES_NIL : ES_INT(rank->world_size),
		ES_STR(rank_state(a, rank)), rank_signal(a, rank),
		ES_INT(sum.threads), rank_level(rank), rank_mode(rank),
		ES_INT(sum.calls), ES_INT(sum.nested), ES_INT(sum.requests),
		rank->control == NULL ? ES_NIL : ES_INT(rank->control->lost),
		es__text(rank->library), es__text(rank->command), ES_NIL });
}

/* Returns whether the k-th process that rank n met outside of its world has no
   other id: it is no rank of the run, and no rank before n met it. */
static bool
rank_is_outside(const struct es_mpi *mpi, uint32_t n, uint32_t k)
{
	const struct es_mpi_rank *rank = es_mpi_rank(mpi, n);

	return es_mpi_find_peer(mpi, n, rank->world_size + (int32_t)k) ==
	    (int32_t)(rank->outside_first + k);
}

static paths_status
rank_show_outside(struct es_sink *sink, uint32_t n, uint32_t met_by)
{
	return sink->row(sink, &tables[RANK],
	    (struct es_value[]){ ES_INT(n), ES_NIL, ES_NIL, ES_NIL, ES_NIL,
		ES_STR("outside"), ES_NIL, ES_INT(0), ES_NIL, ES_NIL, ES_INT(0),
		ES_INT(0), ES_INT(0), ES_NIL, ES_NIL, ES_NIL, ES_INT(met_by) });
}

static paths_status
interval_show(struct es_sink *sink, uint32_t rank,
    const struct es__mpi_interval *in)
{
	static const char *const sources[] = { "MPI", "estimate", "recording" };

	return sink->row(sink, &tables[INTERVAL],
	    (struct es_value[]){ ES_INT(rank), ES_INT(in->from_ns),
		ES_INT(in->to_ns), ES_STR(sources[in->begin]),
		ES_STR(sources[in->end]) });
}

static paths_status
intervals_show(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__mpi_intervals *all;
	const struct es_mpi_rank *rank;
	paths_status st = es__mpi_intervals_get(a, &all);

	for (uint32_t n = 0;
	     st == PATHS_OK && (rank = es_mpi_rank(a->run->mpi, n)) != NULL;
	     n++)
		if (rank->space != NULL)
			st = interval_show(sink, n, &all->of[rank->process]);
	return st;
}

static paths_status
mpi_rank_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es_mpi *mpi = a->run->mpi;
	const struct es_mpi_rank *rank;
	const char *name;
	paths_status st = PATHS_OK;

	if (mpi == NULL)
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && es_mpi_rank(mpi, n) != NULL; n++)
		st = rank_show(a, sink, n);
	for (uint32_t n = 0;
	     st == PATHS_OK && (rank = es_mpi_rank(mpi, n)) != NULL; n++) {
		for (uint32_t k = 0; st == PATHS_OK && k < rank->outside_count;
		     k++)
			if (rank_is_outside(mpi, n, k))
				st = rank_show_outside(sink,
				    rank->outside_first + k, n);
	}
	for (uint32_t n = 0;
	     st == PATHS_OK && (name = es_mpi_phase_name(mpi, n)) != NULL; n++)
		st = sink->row(sink, &tables[PHASE],
		    (struct es_value[]){ ES_INT(n), ES_STR(name) });
	return st == PATHS_OK ? intervals_show(a, sink) : st;
}

const struct es_view es__view_mpi_rank = {
	.name = "mpi_rank",
	.about = "MPI ranks and phases of the program",
	.question = "Which ranks does the run have, and how did they end?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_rank_compute,
	.needs = ES_NEED_MPI,
};
