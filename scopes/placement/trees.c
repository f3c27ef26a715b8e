/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/trees.c - the messages of collectives, by usual
 * algorithms
 *
 * Members are numbered from the root.  In a binomial tree, the parent of a
 * member is its number without the lowest bit.
 *
 * Source: the algorithms of MPICH and Open MPI for collectives
 */

#include "scopes/placement/trees_private.h"

#include "scopes/mpi/flow_private.h"

#include <string.h>

/* An Allreduce of this size and larger is a ring. */
#define TREES_RING_BYTES 65536.0

/* The calls of one row. */
struct calls {
	const struct es_mpi *mpi;
	const struct es_mpi_comm_def *comm;
	uint32_t size, me, root;
	double bytes; /* of one pair, of all calls */
	double count; /* calls */
	const struct es_place_edges *edges;
};

/* Adds messages between two members of the communicator. */
static paths_status
calls_add(const struct calls *c, uint32_t from, uint32_t to, double bytes,
    double messages)
{
	return c->edges->add(c->edges->to,
	    es_mpi_comm_member(c->mpi, c->comm, from),
	    es_mpi_comm_member(c->mpi, c->comm, to),
	    &(struct es_place_messages){ messages, bytes, NULL });
}

/* Adds messages between two members that are numbered from the root. */
static paths_status
tree_add(const struct calls *c, uint32_t from, uint32_t to, double bytes,
    double messages)
{
	return calls_add(c, (from + c->root) % c->size,
	    (to + c->root) % c->size, bytes, messages);
}

/* Adds the way of a block between a member and the root.  A block of a Gather
   or Scatter is part of the message on each link of its way; the message itself
   is counted on the first link. */
static paths_status
tree_block(const struct calls *c, uint32_t member, bool down, bool whole_way)
{
	paths_status st = PATHS_OK;

	for (uint32_t v = member; st == PATHS_OK && v > 0; v &= v - 1) {
		uint32_t parent = v & (v - 1);
		double messages = v == member ? c->count : 0;

		if (v != member && !whole_way)
			break;
		st = down ? tree_add(c, parent, v, c->bytes, messages) :
			    tree_add(c, v, parent, c->bytes, messages);
	}
	return st;
}

static paths_status
tree_from_root(const struct calls *c, bool whole_way)
{
	paths_status st = PATHS_OK;

	for (uint32_t v = 1; st == PATHS_OK && v < c->size; v++)
		st = tree_block(c, v, true, whole_way);
	return st;
}

/* Adds a ring of a number of steps, each with an n-th part of the bytes. */
static paths_status
ring_add(const struct calls *c, double steps, double part)
{
	return calls_add(c, c->me, (c->me + 1) % c->size,
	    c->bytes * steps / part, c->count * steps);
}

/* Adds recursive doubling: members above the largest power of two hand their
   part to others, and get the result from them. */
static paths_status
doubling_add(const struct calls *c)
{
	uint32_t power = 1;
	paths_status st = PATHS_OK;

	while (power * 2 <= c->size)
		power *= 2;
	if (c->me >= power)
		return calls_add(c, c->me, c->me - power, c->bytes, c->count);
	if (c->me + power < c->size)
		st = calls_add(c, c->me, c->me + power, c->bytes, c->count);
	for (uint32_t bit = 1; st == PATHS_OK && bit < power; bit *= 2)
		st = calls_add(c, c->me, c->me ^ bit, c->bytes, c->count);
	return st;
}

static paths_status
dissemination_add(const struct calls *c)
{
	paths_status st = PATHS_OK;

	for (uint32_t bit = 1; st == PATHS_OK && bit < c->size; bit *= 2)
		st = calls_add(c, c->me, (c->me + bit) % c->size, c->bytes,
		    c->count);
	return st;
}

static paths_status
all_add(const struct calls *c, const char *name)
{
	double rest = c->size - 1.0;

	if (strcasestr(name, "allreduce") == NULL)
		return ring_add(c, rest, 1);
	return c->bytes >= TREES_RING_BYTES * c->count ?
	    ring_add(c, 2 * rest, c->size) :
	    doubling_add(c);
}

/* Adds the pairs of comm_matrix. */
static paths_status
pairs_add(const struct calls *c, const struct es_mpi_collective *row,
    const struct es_mpi_member *member)
{
	struct es__mpi_targets to = es__mpi_flow_targets(c->mpi, row, member);
	uint64_t classes[ES_SIZE_CLASSES];
	const struct es_place_messages messages = { c->count, c->bytes,
		classes };
	paths_status st = PATHS_OK;

	for (size_t n = 0; n < ES_SIZE_CLASSES; n++)
		classes[n] = row->classes[n];
	for (uint64_t n = to.first; st == PATHS_OK && n < to.end; n++) {
		if (n != to.except)
			st = c->edges->add(c->edges->to,
			    es_mpi_comm_member(c->mpi, c->comm,
				(member->second ? c->comm->size : 0) + c->me),
			    es_mpi_comm_member(c->mpi, c->comm, n), &messages);
	}
	return st;
}

/* Adds the messages of a row on an intracommunicator. */
static paths_status
row_add(const struct calls *c, const struct es_mpi_function *function,
    const struct es_mpi_collective *row, const struct es_mpi_member *member)
{
	const char *name = function->name;

	switch (function->role) {
	case ES_MPI_ROLE_BARRIER:
		return dissemination_add(c);
	case ES_MPI_ROLE_SCAN:
		return c->me + 1 < c->size ?
		    calls_add(c, c->me, c->me + 1, c->bytes, c->count) :
		    PATHS_OK;
	case ES_MPI_ROLE_ONE_TO_N:
		return c->me != c->root ?
		    PATHS_OK :
		    tree_from_root(c, strcasestr(name, "scatter") != NULL);
	case ES_MPI_ROLE_N_TO_ONE:
		return tree_block(c, (c->me + c->size - c->root) % c->size,
		    false, strcasestr(name, "gather") != NULL);
	default:
		return strcasestr(name, "alltoall") != NULL ?
		    pairs_add(c, row, member) :
		    all_add(c, name);
	}
}

static paths_status
trees_row(struct calls *c, const struct es_mpi_collective *row,
    const struct es_mpi_member *member)
{
	const struct es_mpi_function *function = es_mpi_function(row->function);

	c->comm = es_mpi_comm(c->mpi, member->comm);
	/* Calls with counts per peer are in the matrix. */
	if (function == NULL || (function->flags & ES_MPI_VECTOR) != 0 ||
	    c->comm == NULL || c->comm->range_count == 0 || member->rank < 0)
		return PATHS_OK;
	c->size = c->comm->size;
	c->me = (uint32_t)member->rank;
	c->root = row->root < 0 ? 0 : (uint32_t)row->root;
	c->bytes = (double)row->bytes;
	c->count = (double)row->calls;
	if (c->comm->remote_size > 0)
		return pairs_add(c, row, member);
	if (c->size < 2 || c->me >= c->size || c->root >= c->size ||
	    function->role == ES_MPI_ROLE_NEIGHBOR)
		return PATHS_OK;
	return row_add(c, function, row, member);
}

paths_status
es_place_trees(const struct es_mpi *mpi, uint32_t rank, uint32_t phase,
    const struct es_place_edges *edges)
{
	struct calls c = { .mpi = mpi, .edges = edges };
	struct es_mpi_collective row;
	struct es_mpi_rows rows;
	paths_status st = PATHS_OK;

	es_mpi_rows_begin(mpi, rank, ES_MPI_COLLECTIVE, &rows);
	while (st == PATHS_OK && es_mpi_rows_collective(&rows, &row)) {
		if (phase == PATHS_NONE || phase == row.phase)
			st = trees_row(&c, &row, &rows.member);
	}
	return st;
}
