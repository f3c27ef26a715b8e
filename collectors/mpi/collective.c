/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/collective.c - how many bytes a collective sends to whom
 *
 * Each function has a shape, which says where its arguments tell the bytes.
 */

#include "collectors/mpi/collective_private.h"

#include "collectors/mpi/abi_private.h"
#include "collectors/mpi/functions_gen.h"
#include "collectors/mpi/p2p_private.h"
#include "collectors/mpi/process_private.h"
#include "collectors/mpi_pairs.h"

#include <stdlib.h>

#define FORMS(name, nonblocking, shape) \
	[MPI_FN_##name] = (shape), \
	[MPI_FN_##nonblocking] = (shape) | MPI_SHAPE_NONBLOCKING, \
	[MPI_FN_##name##_init] = (shape) | MPI_SHAPE_PERSISTENT

const uint8_t mpi_shapes[] = {
	FORMS(Barrier, Ibarrier, MPI_SHAPE_NOTHING),
	FORMS(Bcast, Ibcast, MPI_SHAPE_WHOLE),
	FORMS(Reduce, Ireduce, MPI_SHAPE_WHOLE),
	FORMS(Allreduce, Iallreduce, MPI_SHAPE_WHOLE),
	FORMS(Scan, Iscan, MPI_SHAPE_WHOLE),
	FORMS(Exscan, Iexscan, MPI_SHAPE_WHOLE),
	FORMS(Allgather, Iallgather, MPI_SHAPE_BLOCK),
	FORMS(Alltoall, Ialltoall, MPI_SHAPE_BLOCK),
	FORMS(Reduce_scatter_block, Ireduce_scatter_block, MPI_SHAPE_SHARE),
	FORMS(Gather, Igather, MPI_SHAPE_GATHER),
	FORMS(Scatter, Iscatter, MPI_SHAPE_SCATTER),
	FORMS(Gatherv, Igatherv, MPI_SHAPE_GATHERV),
	FORMS(Scatterv, Iscatterv, MPI_SHAPE_SCATTERV),
	FORMS(Allgatherv, Iallgatherv, MPI_SHAPE_ALLGATHERV),
	FORMS(Alltoallv, Ialltoallv, MPI_SHAPE_ALLTOALLV),
	FORMS(Alltoallw, Ialltoallw, MPI_SHAPE_ALLTOALLV),
	FORMS(Reduce_scatter, Ireduce_scatter, MPI_SHAPE_REDUCE_SCATTER),
	FORMS(Neighbor_allgather, Ineighbor_allgather, MPI_SHAPE_NEIGHBOR),
	FORMS(Neighbor_allgatherv, Ineighbor_allgatherv, MPI_SHAPE_NEIGHBOR),
	FORMS(Neighbor_alltoall, Ineighbor_alltoall, MPI_SHAPE_NEIGHBOR),
	FORMS(Neighbor_alltoallv, Ineighbor_alltoallv, MPI_SHAPE_NEIGHBORV),
	FORMS(Neighbor_alltoallw, Ineighbor_alltoallw, MPI_SHAPE_NEIGHBORV),
};

/* Bytes to one process. */
struct collective_message {
	int32_t peer;
	uint64_t bytes;
};

/* A persistent collective, until it is freed. */
struct mpi_plan {
	uint16_t function, comm;
	int32_t root;
	uint64_t bytes;
	uint32_t starts;
	bool told; /* who reads its tuples knows its number */
	uint32_t count, room;
	struct collective_message messages[];
};

/* A collective while its bytes are worked out. */
struct collective {
	struct mpi_call *call;
	const struct mpi_args *args;
	struct mpi_comm *comm;
	int32_t root;	       /* as in struct es_mpi_collective */
	uint64_t received;     /* bytes, of one that does not send */
	struct mpi_plan *plan; /* what is counted is kept here; NULL */
};

static int32_t
collective_root(const struct mpi_comm *comm, int32_t root)
{
	if (!comm->inter || root >= 0)
		return root;
	return root == mpi_abi.root ? ES_MPI_ROOT_SELF : ES_MPI_ROOT_IDLE;
}

static bool
collective_is_root(const struct collective *c)
{
	return c->root == ES_MPI_ROOT_SELF ||
	    (!c->comm->inter && c->root == c->comm->rank);
}

/* Count what goes to one process.  No bytes are no message. */
static uint64_t
collective_send(struct collective *c, int32_t peer, uint64_t bytes)
{
	struct mpi_plan *plan = c->plan;

	if (bytes == 0 || peer < 0)
		return 0;
	if (plan != NULL)
		plan->messages[plan->count++] =
		    (struct collective_message){ peer, bytes };
	else if (c->call->mode & ES_MODE_MATRIX)
		mpi_count_matrix(c->call->thread, peer,
		    ES_MPI_CATEGORY_COLLECTIVE, bytes);
	return bytes;
}

/* Blocks of different sizes, in one direction. */
struct collective_side {
	const void *counts;
	const void *types; /* NULL: all have the same */
	mpi_handle type;
};

static uint64_t
side_bytes(const struct collective *c, const struct collective_side *side,
    int32_t n)
{
	int64_t count = mpi_args_count(c->args, side->counts, n);

	if (count == 0 || side->types == NULL)
		return mpi_collective_size(count, side->type);
	return mpi_collective_size(count,
	    mpi_args_type(c->args, side->types, n));
}

/* The sides of a call that may be in place. */
static struct collective_side
collective_sending(const struct mpi_args *args)
{
	return args->in_place ?
	    (struct collective_side){ args->counts2, args->types2,
		    args->type2 } :
	    (struct collective_side){ args->counts, args->types, args->type };
}

/* One block for each other process. */
static uint64_t
collective_send_blocks(struct collective *c, const struct collective_side *side)
{
	const struct mpi_comm *comm = c->comm;
	uint64_t sum = 0;

	for (int32_t n = 0; n < comm->peers; n++)
		if (comm->inter || n != comm->rank)
			sum += collective_send(c, mpi_comm_peer(comm, n),
			    side_bytes(c, side, n));
	return sum;
}

/* The same block for each other process. */
static uint64_t
collective_send_same(struct collective *c, uint64_t bytes)
{
	const struct mpi_comm *comm = c->comm;
	uint64_t sum = 0;

	for (int32_t n = 0; n < comm->peers; n++)
		if (comm->inter || n != comm->rank)
			sum +=
			    collective_send(c, mpi_comm_peer(comm, n), bytes);
	return sum;
}

static uint64_t
collective_gatherv(struct collective *c)
{
	const struct mpi_args *args = c->args;
	const struct mpi_comm *comm = c->comm;
	struct collective_side from = { args->counts2, NULL, args->type2 };

	if (!collective_is_root(c))
		return collective_send(c, mpi_comm_peer(comm, c->root),
		    mpi_collective_size(args->count, args->type));
	for (int32_t n = 0; n < comm->peers; n++)
		if (comm->inter || n != comm->rank)
			c->received += side_bytes(c, &from, n);
	return 0;
}

static uint64_t
collective_scatterv(struct collective *c)
{
	const struct mpi_args *args = c->args;
	struct collective_side to = { args->counts, NULL, args->type };

	if (collective_is_root(c))
		return collective_send_blocks(c, &to);
	c->received = mpi_collective_size(args->count2, args->type2);
	return 0;
}

static uint64_t
collective_allgatherv(struct collective *c)
{
	const struct collective_side in = { c->args->counts2, NULL,
		c->args->type2 };

	return collective_send_same(c,
	    c->args->in_place ?
		side_bytes(c, &in, c->comm->rank) :
		mpi_collective_size(c->args->count, c->args->type));
}

/* No process of an intercommunicator knows the blocks of the other group. */
static uint64_t
collective_reduce_scatter(struct collective *c)
{
	const struct collective_side side = { c->args->counts, NULL,
		c->args->type };
	uint64_t sum = 0;

	if (!c->comm->inter)
		return collective_send_blocks(c, &side);
	for (int32_t n = 0; n < c->comm->size; n++)
		sum += side_bytes(c, &side, n);
	return sum;
}

/* All blocks of the other group together are as many bytes as ours. */
static uint64_t
collective_share(const struct collective *c)
{
	const struct mpi_comm *comm = c->comm;
	uint64_t bytes = mpi_collective_size(c->args->count, c->args->type);

	return comm->inter && comm->peers > 0 ?
	    bytes * (uint64_t)comm->size / (uint64_t)comm->peers :
	    bytes;
}

/* Blocks for neighbours: sides NULL, all the same. */
static uint64_t
collective_neighbors(struct collective *c, const struct collective_side *side)
{
	const struct mpi_targets *targets = mpi_comm_targets(c->comm);
	uint64_t sum = 0;

	for (int32_t n = 0; targets != NULL && n < targets->count; n++)
		sum += collective_send(c, targets->peers[n],
		    side != NULL ?
			side_bytes(c, side, n) :
			mpi_collective_size(c->args->count, c->args->type));
	return sum;
}

/* The bytes of one pair; or all that is sent, where pairs differ. */
static uint64_t
collective_bytes(struct collective *c, unsigned shape)
{
	const struct mpi_args *args = c->args;
	const struct collective_side side = collective_sending(args);

	/* Nothing is passed where another of the group is the root. */
	if (c->root == ES_MPI_ROOT_IDLE)
		return 0;
	switch (shape) {
	case MPI_SHAPE_SHARE:
		return collective_share(c);
	case MPI_SHAPE_GATHERV:
		return collective_gatherv(c);
	case MPI_SHAPE_SCATTERV:
		return collective_scatterv(c);
	case MPI_SHAPE_ALLGATHERV:
		return collective_allgatherv(c);
	case MPI_SHAPE_REDUCE_SCATTER:
		return collective_reduce_scatter(c);
	case MPI_SHAPE_ALLTOALLV:
		return collective_send_blocks(c, &side);
	case MPI_SHAPE_NEIGHBOR:
		return collective_neighbors(c, NULL);
	case MPI_SHAPE_NEIGHBORV:
		return collective_neighbors(c, &side);
	default:
		return mpi_collective_block(args, shape, collective_is_root(c));
	}
}

void
mpi_collective_other_root(struct mpi_call *call, int32_t root)
{
	if (root == mpi_abi.root) {
		call->flags |= ES_MPI_ROOT;
		call->peer = call->thread->process->rank;
	} else if (root == mpi_abi.proc_null) {
		call->peer = MPI_PEER_PROC_NULL;
	}
}

/* Room for what a persistent one sends when it is started. */
static struct mpi_plan *
plan_create(struct collective *c, unsigned shape)
{
	const struct mpi_targets *targets = NULL;
	size_t room = (size_t)c->comm->peers;
	struct mpi_plan *plan;

	if (shape == MPI_SHAPE_NEIGHBOR || shape == MPI_SHAPE_NEIGHBORV) {
		targets = mpi_comm_targets(c->comm);
		room = targets == NULL ? 0 : (size_t)targets->count;
	}
	plan = malloc(sizeof(*plan) + room * sizeof(plan->messages[0]));
	if (plan != NULL)
		*plan = (struct mpi_plan){ .function = c->call->function,
			.comm = c->call->comm,
			.root = c->root };
	return plan;
}

static void
collective_plan(struct collective *c, unsigned shape)
{
	struct mpi_call *call = c->call;
	struct mpi_plan *plan = plan_create(c, shape), *fit;

	if (plan == NULL)
		return;
	c->plan = plan;
	plan->bytes = collective_bytes(c, shape);
	fit = realloc(plan,
	    sizeof(*plan) + plan->count * sizeof(plan->messages[0]));
	if (fit != NULL)
		plan = fit;
	call->bytes = plan->bytes + c->received;
	mpi_request_planned(call, c->args, plan);
	call->bytes = 0;
}

void
mpi_collective_end(struct mpi_call *call, const struct mpi_args *args,
    bool rooted)
{
	unsigned how = mpi_shapes[call->function];
	struct collective c = { .call = call,
		.args = args,
		.root = ES_MPI_ROOT_NONE };
	uint64_t bytes;

	c.comm = mpi_comm_find(call->thread, args->comm);
	if (c.comm == NULL)
		return;
	if (rooted)
		c.root = collective_root(c.comm, args->peer);
	if (how & MPI_SHAPE_PERSISTENT) {
		collective_plan(&c, how & MPI_SHAPE_OF);
		return;
	}
	bytes = collective_bytes(&c, how & MPI_SHAPE_OF);
	call->bytes = bytes + c.received;
	if (call->mode & ES_MODE_MATRIX)
		mpi_count_collective(call->thread,
		    call->comm | (uint64_t)call->function << 32, c.root, bytes);
	if (how & MPI_SHAPE_NONBLOCKING)
		mpi_request_made(call, args, MPI_REQUEST_COLLECTIVE);
}

/* In a tuple there is no room for its number too. */
static void
plan_tell(struct mpi_call *call, const struct mpi_request *request)
{
	struct es_mpi_plan entry = { .request = request->number,
		.number = (uint32_t)request->tag };
	struct iovec part = { &entry, sizeof(entry) };

	mpi_log(call->thread->process, ES_MPI_ENTRY_PLAN, &part, 1);
}

void
mpi_collective_started(struct mpi_call *call, struct mpi_request *request)
{
	/* Only one thread at a time may start it. */
	struct mpi_plan *plan = request->plan;

	if ((call->mode & ES_MODE_TRACE) && !plan->told) {
		plan->told = true;
		plan_tell(call, request);
	}
	request->tag = (int32_t)++plan->starts;
	call->bytes += plan->bytes;
	if (!(call->mode & ES_MODE_MATRIX))
		return;
	mpi_count_collective(call->thread,
	    plan->comm | (uint64_t)plan->function << 32, plan->root,
	    plan->bytes);
	for (uint32_t n = 0; n < plan->count; n++)
		mpi_count_matrix(call->thread, plan->messages[n].peer,
		    ES_MPI_CATEGORY_COLLECTIVE, plan->messages[n].bytes);
}

void
mpi_collective_forget(void *plan)
{
	free(plan);
}
