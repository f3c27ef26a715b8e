/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/comm.c - communicators and their members
 *
 * Communicators with the same identity in several ranks are one.  Members are
 * stored as ranges, `count` ranks from `first_rank` on, `stride` apart, so that
 * the table is small also for large communicators.
 */

#include "scopes/views/view_private.h"

ES__SQL(mpi_comm_names);

static const struct es_column comm_columns[] = {
	{ "comm", ES_INTEGER,
	    .about =
		"id of the communicator; 1: MPI_COMM_WORLD of the first world; "
		"2: MPI_COMM_SELF of every rank" },
	{ "name", ES_TEXT,
	    .about = "name of the communicator; empty: none set" },
	{ "parent", ES_INTEGER,
	    .about = "parent of the communicator; NULL: none or not known",
	    .refers = "mpi_comm" },
	{ "world", ES_INTEGER,
	    .about = "world of the members, see mpi_rank; of an "
		     "intercommunicator, of its first group" },
	{ "size", ES_INTEGER,
	    .about =
		"number of ranks in the group; of an intercommunicator, in its "
		"first group" },
	{ "remote_size", ES_INTEGER,
	    .about = "number of ranks in the second group; 0: an "
		     "intracommunicator" },
};

static const struct es_column member_columns[] = {
	{ "comm", ES_INTEGER, .about = "id of the communicator",
	    .refers = "mpi_comm" },
	{ "side", ES_INTEGER,
	    .about = "group of the members; 0: first or only group; 1: second "
		     "group" },
	{ "comm_rank", ES_INTEGER,
	    .about = "rank of the first member of the range, in its group" },
	{ "count", ES_INTEGER, .about = "number of members in the range" },
	{ "first_rank", ES_INTEGER,
	    .about = "id of the first member of the range; NULL: not known",
	    .refers = "mpi_rank" },
	{ "stride", ES_INTEGER,
	    .about = "difference between the ids of consecutive members" },
};

enum { COMM, MEMBER };

static const struct es_table tables[] = {
	[COMM] = { .name = "mpi_comm",
	    .about = "communicators",
	    ES_COLUMNS(comm_columns),
	    .names = es__sql_mpi_comm_names },
	[MEMBER] = { .name = "mpi_comm_member",
	    .about = "members of each communicator",
	    ES_COLUMNS(member_columns) },
};

/* Members [first, first + count), whose ranks have a constant difference. */
struct member_range {
	uint64_t first, count;
	uint32_t rank;
	int64_t stride;
};

/* Returns whether a rank continues a range; the second rank of a range sets its
   stride. */
static bool
range_continues(struct member_range *range, uint32_t rank)
{
	int64_t step = (int64_t)rank -
	    ((int64_t)range->rank +
		range->stride * (int64_t)(range->count - 1));

	if (rank == PATHS_NONE || range->rank == PATHS_NONE)
		return rank == range->rank && range->stride == 0;
	if (range->count == 1)
		range->stride = step;
	return step == range->stride;
}

static paths_status
range_show(struct es_sink *sink, uint32_t comm,
    const struct member_range *range, uint64_t side_first)
{
	return sink->row(sink, &tables[MEMBER],
	    (struct es_value[]){ ES_INT(comm), ES_INT(side_first > 0),
		ES_INT(range->first - side_first), ES_INT(range->count),
		es__id(range->rank), ES_INT(range->stride) });
}

/* Writes the members [first, end), which are one group. */
static paths_status
group_show(const struct es_mpi *mpi, struct es_sink *sink, uint32_t comm,
    uint64_t first, uint64_t end)
{
	const struct es_mpi_comm_def *def = es_mpi_comm(mpi, comm);
	struct member_range range = { .first = first };
	paths_status st = PATHS_OK;

	for (uint64_t n = first; st == PATHS_OK && n < end; n++) {
		uint32_t rank = es_mpi_comm_member(mpi, def, n);

		if (n > first && range_continues(&range, rank)) {
			range.count++;
			continue;
		}
		if (n > first)
			st = range_show(sink, comm, &range, first);
		range = (struct member_range){ .first = n,
			.count = 1,
			.rank = rank };
	}
	if (st == PATHS_OK && end > first)
		st = range_show(sink, comm, &range, first);
	return st;
}

static paths_status
comm_show(const struct es_mpi *mpi, struct es_sink *sink, uint32_t n)
{
	const struct es_mpi_comm_def *def = es_mpi_comm(mpi, n);
	paths_status st = sink->row(sink, &tables[COMM],
	    (struct es_value[]){ ES_INT(n), ES_STR(def->name),
		es__id(def->parent), ES_INT(def->world), ES_INT(def->size),
		ES_INT(def->remote_size) });

	/* MPI_COMM_SELF has no ranges: it is another communicator in each
	   rank. */
	if (st == PATHS_OK && def->range_count > 0)
		st = group_show(mpi, sink, n, 0, def->size);
	if (st == PATHS_OK && def->remote_size > 0)
		st = group_show(mpi, sink, n, def->size,
		    (uint64_t)def->size + def->remote_size);
	return st;
}

static paths_status
mpi_comm_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct es_mpi *mpi = a->run->mpi;
	paths_status st = PATHS_OK;

	for (uint32_t n = ES_MPI_RUN_WORLD;
	     mpi != NULL && st == PATHS_OK && es_mpi_comm(mpi, n) != NULL; n++)
		if (es_mpi_comm(mpi, n)->same == PATHS_NONE)
			st = comm_show(mpi, sink, n);
	return st;
}

const struct es_view es__view_mpi_comm = {
	.name = "mpi_comm",
	.about = "communicators and their members",
	.question = "Which ranks belong to a communicator?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = mpi_comm_compute,
	.needs = ES_NEED_MPI,
};
