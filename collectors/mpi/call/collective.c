/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/collective.c - computes the bytes that a collective sends
 * to each process
 *
 * The shape of a function (enum mpi_shape) selects the arguments that the bytes
 * are computed from.
 */

#include "collectors/mpi/call/collective_private.h"

#include "collectors/mpi/object/topology_private.h"
#include "collectors/mpi/process/process_private.h"
#include "collectors/mpi_pairs.h"

#include <stdlib.h>

/* A message to one process. */
struct collective_message {
	int32_t peer;
	uint64_t bytes;
};

/* A persistent collective, which its request points to: the bytes and messages
   that each start counts again. */
struct mpi_plan {
	struct mpi_carried carried;
	uint16_t function, comm;
	int32_t root;
	uint64_t bytes;
	uint32_t starts;
	bool told; /* its number was logged */
	uint32_t count, room;
	struct collective_message messages[];
};

/* Returns the root as a rank, or the ES_MPI_ROOT_ value that stands for
   MPI_ROOT or MPI_PROC_NULL on an intercommunicator. */
static int32_t
collective_root(const struct mpi_comm *comm, int32_t root)
{
	if (!comm->inter || root >= 0)
		return root;
	return root == mpi_abi.root ? ES_MPI_ROOT_SELF : ES_MPI_ROOT_IDLE;
}

/* Counts a message in the matrix if it is recorded, or adds it to the plan of a
   persistent collective.  Returns its bytes; 0 without a peer. */
static MPI_INLINE uint64_t
collective_send(const struct mpi_collective *c, int32_t peer, uint64_t bytes)
{
	struct mpi_plan *plan = c->plan;

	if (bytes == 0 || peer < 0)
		return 0;
	if (plan != NULL)
		plan->messages[plan->count++] =
		    (struct collective_message){ peer, bytes };
	else if (c->thread != NULL)
		mpi_count_matrix(c->thread, peer, ES_MPI_CATEGORY_COLLECTIVE,
		    bytes);
	return bytes;
}

uint64_t
mpi_collective_send(const struct mpi_collective *c, int32_t peer,
    uint64_t bytes)
{
	return collective_send(c, peer, bytes);
}

uint64_t
mpi_collective_send_same(const struct mpi_collective *c, uint64_t bytes)
{
	const struct mpi_comm *comm = c->comm;
	uint64_t sum = 0;

	for (int32_t n = 0; n < comm->peers; n++)
		if (comm->inter || n != comm->rank)
			sum +=
			    collective_send(c, mpi_comm_peer(comm, n), bytes);
	return sum;
}

static MPI_INLINE uint64_t
collective_send_blocks(const struct mpi_collective *c,
    const struct mpi_blocks *blocks)
{
	const struct mpi_comm *comm = c->comm;
	uint64_t sum = 0;

	for (int32_t n = 0; n < comm->peers; n++)
		if (comm->inter || n != comm->rank)
			sum += collective_send(c, mpi_comm_peer(comm, n),
			    mpi_blocks_bytes(blocks, n));
	return sum;
}

uint64_t
mpi_collective_send_blocks(const struct mpi_collective *c,
    const struct mpi_blocks *blocks)
{
	const struct mpi_collective now = { c->comm, c->thread, NULL, 0 };
	const struct mpi_blocks of_c = {
		.counts = blocks->counts,
		.types = blocks->types,
		.type = blocks->type,
		.count_width = 4,
	};

	/* The common case is compiled separately: its constants remove the
	   tests from the loop. */
	if (__builtin_expect(c->plan == NULL && blocks->count_width == 4 &&
		    !blocks->fortran && !c->comm->inter,
		1))
		return collective_send_blocks(&now, &of_c);
	return collective_send_blocks(c, blocks);
}

uint64_t
mpi_blocks_of_others(const struct mpi_blocks *blocks,
    const struct mpi_comm *comm)
{
	uint64_t sum = 0;

	for (int32_t n = 0; n < comm->peers; n++)
		if (comm->inter || n != comm->rank)
			sum += mpi_blocks_bytes(blocks, n);
	return sum;
}

/* Returns the bytes of all blocks of the local group, for Reduce_scatter on an
   intercommunicator: a process does not know the blocks of the remote group. */
static uint64_t
collective_reduce_scatter(const struct mpi_comm *comm,
    const struct mpi_args *args)
{
	const struct mpi_blocks blocks = mpi_collective_blocks(args, false);
	uint64_t sum = 0;

	for (int32_t n = 0; n < comm->size; n++)
		sum += mpi_blocks_bytes(&blocks, n);
	return sum;
}

/* Returns the bytes of one pair for Reduce_scatter_block on an
   intercommunicator, where the blocks of both groups have the same sum. */
static uint64_t
collective_share(const struct mpi_comm *comm, const struct mpi_args *args)
{
	uint64_t bytes = mpi_collective_block(args, false);

	return comm->peers > 0 ?
	    bytes * (uint64_t)comm->size / (uint64_t)comm->peers :
	    bytes;
}

/* Counts the messages to the neighbours and returns the sum of their bytes.
   same: all neighbours get the same block, or blocks of one size */
static uint64_t
collective_neighbors(const struct mpi_collective *c,
    const struct mpi_args *args, bool same)
{
	const struct mpi_neighbors *to = mpi_comm_neighbors(c->comm);
	const struct mpi_blocks blocks =
	    mpi_collective_blocks(args, args->in_place);
	uint64_t sum = 0;

	for (int32_t n = 0; to != NULL && n < to->target_count; n++)
		sum += collective_send(c, to->targets[n],
		    same ? mpi_collective_block(args, false) :
			   mpi_blocks_bytes(&blocks, n));
	return sum;
}

/* Returns the bytes of one pair, or the sum of all bytes sent if the call has
   a count per peer or is a neighbourhood collective. */
static uint64_t
collective_bytes(struct mpi_collective *c, const struct mpi_args *args,
    unsigned shape, int32_t root)
{
	bool inter = c->comm->inter;

	if (root == ES_MPI_ROOT_IDLE)
		/* Another process of this group is the root. */
		return 0;
	if (shape == MPI_SHAPE_NEIGHBOR || shape == MPI_SHAPE_NEIGHBORV)
		return collective_neighbors(c, args,
		    shape == MPI_SHAPE_NEIGHBOR);
	if (inter && shape == MPI_SHAPE_SHARE)
		return collective_share(c->comm, args);
	if (inter && shape == MPI_SHAPE_REDUCE_SCATTER)
		return collective_reduce_scatter(c->comm, args);
	return mpi_collective_bytes(c, args, shape,
	    root == ES_MPI_ROOT_SELF || (!inter && root == c->comm->rank));
}

int32_t
mpi_collective_other_root(const struct mpi_thread *thread, int32_t root)
{
	if (root == mpi_abi.root)
		return thread->process->rank;
	return root == mpi_abi.proc_null ? ES_MPI_PEER_PROC_NULL :
					   ES_MPI_PEER_NONE;
}

static void
plan_forget(struct mpi_carried *carried)
{
	free(carried);
}

/* Creates a plan with room for the messages that a start sends. */
static struct mpi_plan *
plan_create(struct mpi_comm *comm, unsigned shape)
{
	const struct mpi_neighbors *neighbors = NULL;
	size_t room = (size_t)comm->peers;
	struct mpi_plan *plan;

	if (shape == MPI_SHAPE_NEIGHBOR || shape == MPI_SHAPE_NEIGHBORV) {
		neighbors = mpi_comm_neighbors(comm);
		room = neighbors == NULL ? 0 : (size_t)neighbors->target_count;
	}
	plan = malloc(sizeof(*plan) + room * sizeof(plan->messages[0]));
	if (plan != NULL)
		*plan = (struct mpi_plan){ .carried.forget = plan_forget };
	return plan;
}

/* Gives the plan to the request of the call. */
static void
plan_keep(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_plan *plan)
{
	struct mpi_request r;

	if (!mpi_request_describe(call, args, MPI_REQUEST_COLLECTIVE, &r)) {
		free(plan);
		return;
	}
	r.carried = &plan->carried;
	r.flags = MPI_REQUEST_PERSISTENT;
	mpi_request_keep(call, args, &r);
}

/* Keeps the messages of a persistent collective for its starts. */
static void
collective_plan(struct mpi_call *call, const struct mpi_args *args,
    struct mpi_collective *c, int32_t root)
{
	unsigned shape = mpi_shape(call->function) & MPI_SHAPE_OF;
	struct mpi_plan *plan = plan_create(c->comm, shape), *fit;

	if (plan == NULL)
		return;
	c->plan = plan;
	plan->function = call->function;
	plan->comm = call->comm;
	plan->root = root;
	plan->bytes = collective_bytes(c, args, shape, root);
	/* A start may be traced even if this call is not. */
	if (mpi_shape_has_sources(shape))
		call->peer =
		    mpi_collective_sources(call->thread, c->comm, args, shape);
	fit = realloc(plan,
	    sizeof(*plan) + plan->count * sizeof(plan->messages[0]));
	if (fit != NULL)
		plan = fit;
	call->bytes = plan->bytes + c->received;
	plan_keep(call, args, plan);
	call->bytes = 0;
}

void
mpi_collective_end(struct mpi_call *call, const struct mpi_args *args,
    bool rooted)
{
	unsigned how = mpi_shape(call->function);
	struct mpi_collective c = {
		.comm = mpi_comm_find(call->thread, args->comm),
		.thread = call->mode & ES_MODE_MATRIX ? call->thread : NULL,
	};
	int32_t root = ES_MPI_ROOT_NONE;
	uint64_t bytes;

	if (c.comm == NULL)
		return;
	if (rooted)
		root = collective_root(c.comm, args->peer);
	if (how & MPI_SHAPE_PERSISTENT) {
		collective_plan(call, args, &c, root);
		return;
	}
	bytes = collective_bytes(&c, args, how & MPI_SHAPE_OF, root);
	call->bytes = bytes + c.received;
	if (call->mode & ES_MODE_TRACE &&
	    mpi_shape_has_sources(how & MPI_SHAPE_OF))
		call->peer = mpi_collective_sources(call->thread, c.comm, args,
		    how & MPI_SHAPE_OF);
	if (call->mode & ES_MODE_MATRIX)
		mpi_count_collective(call->thread,
		    call->comm | (uint64_t)call->function << 32, root, bytes);
	if (how & MPI_SHAPE_NONBLOCKING)
		mpi_request_made(call, args, MPI_REQUEST_COLLECTIVE);
}

/* Logs the number of the collective on its communicator, because a tuple has no
   room for it. */
static void
plan_tell(struct mpi_call *call, const struct mpi_request *request)
{
	struct es_mpi_plan entry = { .request = request->number,
		.number = (uint32_t)request->tag };
	struct iovec part = { &entry, sizeof(entry) };

	mpi_log_append(&call->thread->process->log, ES_MPI_ENTRY_PLAN, &part,
	    1);
}

void
mpi_collective_started(struct mpi_call *call, struct mpi_request *request)
{
	/* MPI allows only one thread at a time to start a request. */
	struct mpi_plan *plan = (struct mpi_plan *)request->carried;

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
