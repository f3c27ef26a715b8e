/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/collective.c - calls of collectives, as the program made
 * them
 *
 * comm_matrix has the pairs of ranks that the calls stand for.  monitoring has
 * the messages that Open MPI sends for them.
 */

#include "scopes/mpi/flow_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

ES__SQL(mpi_collective_reading);

static const struct es_column columns[] = {
	{ "rank", ES_INTEGER, .about = "id of the calling rank",
	    .refers = "mpi_rank" },
	{ "comm", ES_INTEGER, .about = "communicator of the calls",
	    .refers = "mpi_comm" },
	{ "function", ES_TEXT, .about = "MPI function" },
	{ "kind", ES_TEXT,
	    .about =
		"kind of collective: one_to_all, all_to_one, all_to_all, scan, "
		"neighbor or barrier" },
	{ "root", ES_INTEGER,
	    .about = "rank of the root in the communicator; NULL: no root" },
	{ "phase", ES_INTEGER,
	    .about = "phase of the program; 0: before the first phase",
	    .refers = "mpi_phase" },
	{ "calls", ES_INTEGER, .about = "number of calls" },
	{ "messages", ES_INTEGER,
	    .about =
		"number of messages that the calls send by definition; NULL: "
		"vector and neighborhood collectives" },
	{ "bytes", ES_INTEGER, .about = "total size of these messages",
	    .unit = ES_UNIT_BYTES },
};

static const struct es_table tables[] = {
	{ .name = "mpi_collective",
	    .about = "calls of collectives",
	    ES_COLUMNS(columns),
	    .order = "bytes DESC",
	    .reading = es__sql_mpi_collective_reading,
	    .reading_about = "function that moves the most bytes" },
};

static const char *
kind_name(enum es_mpi_role role)
{
	switch (role) {
	case ES_MPI_ROLE_BARRIER:
		return "barrier";
	case ES_MPI_ROLE_N_TO_N:
		return "all_to_all";
	case ES_MPI_ROLE_ONE_TO_N:
		return "one_to_all";
	case ES_MPI_ROLE_N_TO_ONE:
		return "all_to_one";
	case ES_MPI_ROLE_SCAN:
		return "scan";
	case ES_MPI_ROLE_NEIGHBOR:
		return "neighbor";
	default:
		return NULL;
	}
}

/* Sum over the calls of a rank that differ only in their thread. */
struct total {
	struct es_mpi_member member;
	struct es_mpi_collective row; /* first row, which has the key */
	uint64_t calls, bytes;
};

static int
total_order(const void *left, const void *right)
{
	const struct es_mpi_collective *a = &((const struct total *)left)->row;
	const struct es_mpi_collective *b = &((const struct total *)right)->row;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return (a->phase > b->phase) - (a->phase < b->phase);
}

static paths_status
total_show(const struct es_mpi *mpi, struct es_sink *sink, uint32_t rank,
    const struct total *total)
{
	const struct es_mpi_function *function =
	    es_mpi_function(total->row.function);
	struct es__mpi_targets to =
	    es__mpi_flow_targets(mpi, &total->row, &total->member);
	uint64_t pairs = es__mpi_targets_count(&to);
	bool per_peer = function != NULL &&
	    ((function->flags & ES_MPI_VECTOR) != 0 ||
		function->role == ES_MPI_ROLE_NEIGHBOR);

	return sink->row(sink, &tables[0],
	    (struct es_value[]){ ES_INT(rank), es__id(total->row.comm),
		function == NULL ? ES_NIL : ES_STR(function->name),
		es__text(function == NULL ? NULL : kind_name(function->role)),
		total->row.root < 0 ? ES_NIL : ES_INT(total->row.root),
		es__id(total->row.phase), ES_INT(total->calls),
		per_peer ? ES_NIL : ES_INT(total->calls * pairs),
		ES_INT(per_peer ? total->bytes : total->bytes * pairs) });
}

struct collective_totals {
	struct total *all;
	size_t count, room;
};

static paths_status
totals_add(struct collective_totals *totals, const struct es_mpi_rows *rows,
    const struct es_mpi_collective *row)
{
	if (!paths__array_grow(&totals->all, totals->count, &totals->room,
		sizeof(*totals->all)))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for collectives");
	totals->all[totals->count++] = (struct total){ .member = rows->member,
		.row = *row,
		.calls = row->calls,
		.bytes = row->bytes };
	return PATHS_OK;
}

static void
totals_merge(struct collective_totals *totals)
{
	size_t kept = 0;

	if (totals->count > 0)
		qsort(totals->all, totals->count, sizeof(*totals->all),
		    total_order);
	for (size_t n = 0; n < totals->count; n++) {
		struct total *last = kept > 0 ? &totals->all[kept - 1] : NULL;

		if (last == NULL || total_order(last, &totals->all[n]) != 0) {
			totals->all[kept++] = totals->all[n];
			continue;
		}
		last->calls += totals->all[n].calls;
		last->bytes += totals->all[n].bytes;
	}
	totals->count = kept;
}

static paths_status
rank_show(const struct es_mpi *mpi, struct es_sink *sink, uint32_t rank,
    struct collective_totals *totals)
{
	struct es_mpi_collective row;
	struct es_mpi_rows rows;
	paths_status st = PATHS_OK;

	totals->count = 0;
	es_mpi_rows_begin(mpi, rank, ES_MPI_COLLECTIVE, &rows);
	while (st == PATHS_OK && es_mpi_rows_collective(&rows, &row))
		st = totals_add(totals, &rows, &row);
	totals_merge(totals);
	for (size_t n = 0; st == PATHS_OK && n < totals->count; n++)
		st = total_show(mpi, sink, rank, &totals->all[n]);
	return st;
}

static paths_status
mpi_collective_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es_mpi *mpi = a->run->mpi;
	struct collective_totals totals = { 0 };
	paths_status st = PATHS_OK;

	for (uint32_t n = 0;
	     mpi != NULL && st == PATHS_OK && es_mpi_rank(mpi, n) != NULL; n++)
		st = rank_show(mpi, sink, n, &totals);
	free(totals.all);
	return st;
}

const struct es_view es__view_mpi_collective = {
	.name = "mpi_collective",
	.about = "calls of collectives",
	.question =
	    "Which collectives are called, and how much data do they move?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_collective_compute,
	.needs = ES_NEED_MPI | ES_NEED_MATRIX,
};
