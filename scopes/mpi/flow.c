/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/flow.c - adds up the messages between ranks
 *
 * Works on one rank at a time, so that memory is needed only for the peers of
 * that rank.
 */

#include "scopes/mpi/flow_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/run/intern_private.h"

#include <stdlib.h>

const char *
es__mpi_flow_category(enum es_mpi_category category)
{
	static const char *const names[] = {
		[ES_MPI_CATEGORY_P2P] = "p2p",
		[ES_MPI_CATEGORY_PERSISTENT] = "persistent",
		[ES_MPI_CATEGORY_PUT] = "put",
		[ES_MPI_CATEGORY_GET] = "get",
		[ES_MPI_CATEGORY_COLLECTIVE] = "collective",
		[ES_MPI_CATEGORY_RECEIVED] = "received",
	};

	return names[category];
}

/* The flows of a rank while they are added up.  The number of a key is the
   index of its flow. */
struct flow_sum {
	const struct es_mpi *mpi;
	uint32_t rank;
	uint32_t phase; /* of the run; PATHS_NONE: all */
	struct es__intern keys;
	struct es__mpi_flows *flows;
};

/* Returns whether the bytes come from the peer. */
static bool
category_is_inward(enum es_mpi_category category)
{
	return category == ES_MPI_CATEGORY_GET ||
	    category == ES_MPI_CATEGORY_RECEIVED;
}

/* Returns the flow with a peer, and adds it if it is new; NULL: no memory. */
static struct es__mpi_flow *
flow_find(struct flow_sum *sum, uint32_t peer, enum es_mpi_category category)
{
	struct es__mpi_flows *flows = sum->flows;
	uint32_t key[2] = { peer, (uint32_t)category };
	bool inward = category_is_inward(category);
	uint32_t number;

	if (es__intern_put(&sum->keys, key, sizeof(key), &number) != PATHS_OK)
		return NULL;
	if (number < flows->count)
		return &flows->flows[number];
	if (!paths__array_grow(&flows->flows, flows->count, &flows->room,
		sizeof(*flows->flows)))
		return NULL;
	flows->flows[flows->count] = (struct es__mpi_flow){
		.source = inward ? peer : sum->rank,
		.target = inward ? sum->rank : peer,
		.category = category,
	};
	return &flows->flows[flows->count++];
}

static paths_status
flow_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
}

static paths_status
flow_add(struct flow_sum *sum, uint32_t peer, enum es_mpi_category category,
    const struct es_matrix *more)
{
	struct es__mpi_flow *flow = flow_find(sum, peer, category);

	if (flow == NULL)
		return flow_no_memory();
	flow->counts.messages += more->messages;
	flow->counts.bytes += more->bytes;
	for (size_t c = 0; c < ES_SIZE_CLASSES; c++)
		flow->counts.classes[c] += more->classes[c];
	return PATHS_OK;
}

static bool
flow_has_phase(const struct flow_sum *sum, uint32_t phase)
{
	return sum->phase == PATHS_NONE || sum->phase == phase;
}

static paths_status
flow_add_matrix(struct flow_sum *sum)
{
	struct es_mpi_matrix row;
	struct es_mpi_rows rows;
	struct es_matrix counts;
	paths_status st = PATHS_OK;

	es_mpi_rows_begin(sum->mpi, sum->rank, ES_MPI_MATRIX, &rows);
	while (st == PATHS_OK && es_mpi_rows_matrix(&rows, &row)) {
		if (row.category >= ES_MPI_CATEGORIES ||
		    !flow_has_phase(sum, row.phase))
			continue;
		counts.messages = row.messages;
		counts.bytes = row.bytes;
		for (size_t c = 0; c < ES_SIZE_CLASSES; c++)
			counts.classes[c] = row.classes[c];
		st = flow_add(sum,
		    row.peer < 0 ? PATHS_NONE : (uint32_t)row.peer,
		    (enum es_mpi_category)row.category, &counts);
	}
	return st;
}

struct es__mpi_targets
es__mpi_flow_targets(const struct es_mpi *mpi,
    const struct es_mpi_collective *row, const struct es_mpi_member *member)
{
	const struct es_mpi_function *function = es_mpi_function(row->function);
	const struct es_mpi_comm_def *comm = es_mpi_comm(mpi, member->comm);
	struct es__mpi_targets to = { .except = UINT64_MAX };
	bool inter = comm != NULL && comm->remote_size > 0;

	if (function == NULL || comm == NULL || comm->range_count == 0 ||
	    member->rank < 0)
		return to;
	/* In an intercommunicator the targets are in the other group. */
	if (inter && !member->second)
		to.first = comm->size;
	to.end = to.first + (to.first > 0 ? comm->remote_size : comm->size);
	switch (es_mpi_targets(function, row->root, member->rank, inter)) {
	case ES_MPI_TARGETS_OTHERS:
		if (!inter)
			to.except = (uint64_t)member->rank;
		return to;
	case ES_MPI_TARGETS_AFTER:
		to.first = (uint64_t)member->rank + 1;
		break;
	case ES_MPI_TARGETS_ROOT:
		to.first += (uint64_t)row->root;
		if (to.first < to.end)
			to.end = to.first + 1;
		break;
	default:
		to.end = to.first;
		break;
	}
	/* The rank or the root may be out of range. */
	if (to.first > to.end)
		to.first = to.end;
	return to;
}

static paths_status
flow_add_collective(struct flow_sum *sum, const struct es_mpi_collective *row,
    const struct es_mpi_member *member)
{
	struct es__mpi_targets to = es__mpi_flow_targets(sum->mpi, row, member);
	const struct es_mpi_comm_def *comm =
	    es_mpi_comm(sum->mpi, member->comm);
	struct es_matrix counts = { .messages = row->calls,
		.bytes = row->bytes };
	paths_status st = PATHS_OK;

	for (size_t c = 0; c < ES_SIZE_CLASSES; c++)
		counts.classes[c] = row->classes[c];
	for (uint64_t n = to.first; st == PATHS_OK && n < to.end; n++) {
		if (n != to.except)
			st =
			    flow_add(sum, es_mpi_comm_member(sum->mpi, comm, n),
				ES_MPI_CATEGORY_COLLECTIVE, &counts);
	}
	return st;
}

static int
flow_order(const void *left, const void *right)
{
	const struct es__mpi_flow *a = left, *b = right;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->target != b->target)
		return a->target < b->target ? -1 : 1;
	return (a->category > b->category) - (a->category < b->category);
}

paths_status
es__mpi_flows_open(const struct es_mpi *mpi, uint32_t rank,
    struct es__mpi_flows *flows)
{
	return es__mpi_flows_of_phase(mpi, rank, PATHS_NONE, true, flows);
}

paths_status
es__mpi_flows_of_phase(const struct es_mpi *mpi, uint32_t rank, uint32_t phase,
    bool whole, struct es__mpi_flows *flows)
{
	struct flow_sum sum = { .mpi = mpi,
		.rank = rank,
		.phase = phase,
		.flows = flows };
	struct es_mpi_collective row;
	struct es_mpi_rows rows;
	paths_status st;

	*flows = (struct es__mpi_flows){ 0 };
	st = flow_add_matrix(&sum);
	es_mpi_rows_begin(mpi, rank, ES_MPI_COLLECTIVE, &rows);
	while (whole && st == PATHS_OK && es_mpi_rows_collective(&rows, &row)) {
		if (flow_has_phase(&sum, row.phase))
			st = flow_add_collective(&sum, &row, &rows.member);
	}
	es__intern_fini(&sum.keys);
	if (st != PATHS_OK)
		es__mpi_flows_close(flows);
	else if (flows->count > 0)
		qsort(flows->flows, flows->count, sizeof(*flows->flows),
		    flow_order);
	return st;
}

void
es__mpi_flows_close(struct es__mpi_flows *flows)
{
	free(flows->flows);
	*flows = (struct es__mpi_flows){ 0 };
}
