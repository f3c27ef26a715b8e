/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/call/collective_private.h - hooks of collectives
 *
 * mpi_pairs.h defines how messages of a collective are counted.  The bytes of a
 * call are those of one pair of processes.  The bytes of a call with a count
 * per peer, or of a neighbourhood collective, are the sum of what it sends to
 * others, or the sum of what it receives from them if it only receives.
 *
 * Arguments that MPI ignores are not read, because they may be invalid: those
 * of sending with MPI_IN_PLACE, and those for the root in other processes.
 * Sizes of types are read after MPI has accepted the arguments.
 */

#ifndef COLLECTORS_MPI_CALL_COLLECTIVE_PRIVATE_H
#define COLLECTORS_MPI_CALL_COLLECTIVE_PRIVATE_H

#include "collectors/mpi/abi/functions_gen.h"
#include "collectors/mpi/call/requests_private.h"
#include "collectors/mpi/call/sources_private.h"
#include "collectors/mpi_pairs.h"

/* The arguments that hold the bytes of a collective. */
enum mpi_shape {
	MPI_SHAPE_NOTHING, /* no bytes */
	MPI_SHAPE_WHOLE,   /* count and type, also with MPI_IN_PLACE */
	MPI_SHAPE_BLOCK,   /* as sent; with MPI_IN_PLACE as received */
	MPI_SHAPE_GATHER,
	MPI_SHAPE_SCATTER,
	MPI_SHAPE_SHARE, /* the block of each process of the local group */
	MPI_SHAPE_GATHERV,
	MPI_SHAPE_SCATTERV,
	MPI_SHAPE_ALLGATHERV,
	MPI_SHAPE_ALLTOALLV, /* and w */
	MPI_SHAPE_REDUCE_SCATTER,
	MPI_SHAPE_NEIGHBOR, /* from here on: neighbourhood collectives */
	MPI_SHAPE_NEIGHBORV /* and w */
};

/* Returns whether the tuples of a call have the set of the members that it
   receives from. */
static MPI_INLINE bool
mpi_shape_has_sources(unsigned shape)
{
	return shape >= MPI_SHAPE_ALLTOALLV;
}

#define MPI_SHAPE_OF 0x3fu
#define MPI_SHAPE_NONBLOCKING 0x40u
#define MPI_SHAPE_PERSISTENT 0x80u

#define MPI_FORMS_OF(name, nonblocking, shape) \
	case MPI_FN_##name: \
		return (shape); \
	case MPI_FN_##nonblocking: \
		return (shape) | MPI_SHAPE_NONBLOCKING; \
	case MPI_FN_##name##_init: \
		return (shape) | MPI_SHAPE_PERSISTENT;

/* Returns the shape of a function.  In the wrapper of a frequent call it is a
   constant. */
static MPI_INLINE unsigned
mpi_shape(uint32_t function)
{
	switch (function) {
		MPI_FORMS_OF(Barrier, Ibarrier, MPI_SHAPE_NOTHING)
		MPI_FORMS_OF(Bcast, Ibcast, MPI_SHAPE_WHOLE)
		MPI_FORMS_OF(Reduce, Ireduce, MPI_SHAPE_WHOLE)
		MPI_FORMS_OF(Allreduce, Iallreduce, MPI_SHAPE_WHOLE)
		MPI_FORMS_OF(Scan, Iscan, MPI_SHAPE_WHOLE)
		MPI_FORMS_OF(Exscan, Iexscan, MPI_SHAPE_WHOLE)
		MPI_FORMS_OF(Allgather, Iallgather, MPI_SHAPE_BLOCK)
		MPI_FORMS_OF(Alltoall, Ialltoall, MPI_SHAPE_BLOCK)
		MPI_FORMS_OF(Gather, Igather, MPI_SHAPE_GATHER)
		MPI_FORMS_OF(Scatter, Iscatter, MPI_SHAPE_SCATTER)
		MPI_FORMS_OF(Reduce_scatter_block, Ireduce_scatter_block,
		    MPI_SHAPE_SHARE)
		MPI_FORMS_OF(Gatherv, Igatherv, MPI_SHAPE_GATHERV)
		MPI_FORMS_OF(Scatterv, Iscatterv, MPI_SHAPE_SCATTERV)
		MPI_FORMS_OF(Allgatherv, Iallgatherv, MPI_SHAPE_ALLGATHERV)
		MPI_FORMS_OF(Alltoallv, Ialltoallv, MPI_SHAPE_ALLTOALLV)
		MPI_FORMS_OF(Alltoallw, Ialltoallw, MPI_SHAPE_ALLTOALLV)
		MPI_FORMS_OF(Reduce_scatter, Ireduce_scatter,
		    MPI_SHAPE_REDUCE_SCATTER)
		MPI_FORMS_OF(Neighbor_allgather, Ineighbor_allgather,
		    MPI_SHAPE_NEIGHBOR)
		MPI_FORMS_OF(Neighbor_allgatherv, Ineighbor_allgatherv,
		    MPI_SHAPE_NEIGHBOR)
		MPI_FORMS_OF(Neighbor_alltoall, Ineighbor_alltoall,
		    MPI_SHAPE_NEIGHBOR)
		MPI_FORMS_OF(Neighbor_alltoallv, Ineighbor_alltoallv,
		    MPI_SHAPE_NEIGHBORV)
		MPI_FORMS_OF(Neighbor_alltoallw, Ineighbor_alltoallw,
		    MPI_SHAPE_NEIGHBORV)
	default:
		return MPI_SHAPE_NOTHING;
	}
}

#undef MPI_FORMS_OF

/* Returns the number of the next collective of a communicator.  MPI requires
   that a program calls them one after the other. */
static MPI_INLINE uint32_t
mpi_collective_number(struct mpi_comm *comm)
{
	uint32_t number =
	    1 + atomic_load_explicit(&comm->collectives, memory_order_relaxed);

	atomic_store_explicit(&comm->collectives, number, memory_order_relaxed);
	return number;
}

/*
 * Numbers a collective that is not recorded: ranks may be switched off and on
 * at different calls, and the following ones must have equal numbers in all
 * ranks.
 *
 * here		an address in the stack frame of the wrapper
 * plain	the MPI does not call other collectives by wrapped names
 *
 * Returns true if calls nested in this one must not be numbered; the caller
 * clears thread->outermost after the call.
 */
static MPI_INLINE bool
mpi_collective_skip(struct mpi_thread *thread, mpi_handle handle,
    const void *here, bool plain)
{
	struct mpi_comm *comm;

	if (thread->process == NULL || (uintptr_t)here < thread->outermost)
		return false;
	comm = mpi_comm_find(thread, handle);
	if (comm != NULL)
		mpi_collective_number(comm);
	if (plain)
		return false;
	thread->outermost = (uintptr_t)here;
	return true;
}

/* Sets communicator and number of the call.  Stores the communicator in
   args->other for the after-hook, and returns it. */
static MPI_INLINE const struct mpi_comm *
mpi_collective_before(struct mpi_call *call, struct mpi_args *args)
{
	struct mpi_comm *comm = mpi_comm_find(call->thread, args->comm);
	uint32_t number;

	args->other = comm;
	if (__builtin_expect(comm == NULL, 0))
		return NULL;
	call->comm = comm->id;
	call->collective = true;
	number = mpi_collective_number(comm);
	/* A call that makes a request has the request's number in match. */
	if (mpi_shape(call->function) <= MPI_SHAPE_OF)
		call->match = number;
	else
		call->tag = (int32_t)number;
	return comm;
}

/* Returns the peer that a call with a negative root has: for MPI_ROOT the rank
   of the process, ES_MPI_PEER_PROC_NULL for MPI_PROC_NULL, else
   ES_MPI_PEER_NONE. */
int32_t mpi_collective_other_root(const struct mpi_thread *thread, int32_t root)
    __attribute__((cold));

/* Does what mpi_collective_before does, and sets the root as the peer of the
   call. */
static MPI_INLINE void
mpi_collective_before_rooted(struct mpi_call *call, struct mpi_args *args)
{
	const struct mpi_comm *comm = mpi_collective_before(call, args);

	if (__builtin_expect(comm == NULL, 0))
		return;
	call->peer = mpi_comm_peer(comm, args->peer);
	if (args->peer == comm->rank && !comm->inter) {
		call->flags |= ES_MPI_ROOT;
	} else if (__builtin_expect(args->peer < 0, 0)) {
		if (args->peer == mpi_abi.root)
			call->flags |= ES_MPI_ROOT;
		call->peer =
		    mpi_collective_other_root(call->thread, args->peer);
	}
}

/* Returns the bytes of count elements.  If count is 0, the type is not read,
   because it may be invalid. */
static MPI_INLINE uint64_t
mpi_collective_size(int64_t count, mpi_handle type)
{
	return count <= 0 ? 0 : (uint64_t)count * mpi_type_bytes(type);
}

/* Blocks of different sizes, from the arguments of a call. */
struct mpi_blocks {
	const void *counts;
	const void *types; /* NULL: all have `type` */
	mpi_handle type;
	uint32_t count_width;
	bool fortran;
};

/* A collective while its bytes are counted. */
struct mpi_collective {
	struct mpi_comm *comm;
	struct mpi_thread *thread; /* its matrix counts the messages; NULL: they
				      are not counted */
	struct mpi_plan *plan;	   /* keeps the messages; NULL: they are
				      counted now */
	uint64_t received;	   /* bytes of a process that only receives */
};

/* Count a message to one process, messages of equal size to all other
   processes, or blocks of different sizes to all other processes.  A message of
   0 bytes is not counted.  Return the sum of the bytes. */
uint64_t mpi_collective_send(const struct mpi_collective *c, int32_t peer,
    uint64_t bytes);
uint64_t mpi_collective_send_same(const struct mpi_collective *c,
    uint64_t bytes);
uint64_t mpi_collective_send_blocks(const struct mpi_collective *c,
    const struct mpi_blocks *blocks);

/* Returns the bytes of block n. */
static MPI_INLINE uint64_t
mpi_blocks_bytes(const struct mpi_blocks *blocks, int32_t n)
{
	int64_t count = mpi_count_in(blocks->counts, n, blocks->count_width);

	if (count == 0 || blocks->types == NULL)
		return mpi_collective_size(count, blocks->type);
	return mpi_collective_size(count,
	    mpi_handle_in(blocks->types, n, blocks->fortran,
		mpi_abi.call.type_f2c));
}

/* Returns the bytes of the blocks of all other processes. */
uint64_t mpi_blocks_of_others(const struct mpi_blocks *blocks,
    const struct mpi_comm *comm);

/* Returns the blocks of the sending side of a call; second: of the receiving
   side */
static MPI_INLINE struct mpi_blocks
mpi_collective_blocks(const struct mpi_args *args, bool second)
{
	return (struct mpi_blocks){
		.counts = second ? args->counts2 : args->counts,
		.types = second ? args->types2 : args->types,
		.type = second ? args->type2 : args->type,
		.count_width = args->count_width,
		.fortran = args->fortran,
	};
}

/* Returns the bytes of the block that a call without a count per peer sends;
   second: of the block that it receives */
static MPI_INLINE uint64_t
mpi_collective_block(const struct mpi_args *args, bool second)
{
	return second ? mpi_collective_size(args->count2, args->type2) :
			mpi_collective_size(args->count, args->type);
}

static MPI_INLINE uint64_t
mpi_collective_gatherv(struct mpi_collective *c, const struct mpi_args *args,
    bool root)
{
	struct mpi_blocks from = mpi_collective_blocks(args, true);

	if (!root)
		return mpi_collective_send(c,
		    mpi_comm_peer(c->comm, args->peer),
		    mpi_collective_block(args, false));
	c->received = mpi_blocks_of_others(&from, c->comm);
	return 0;
}

static MPI_INLINE uint64_t
mpi_collective_scatterv(struct mpi_collective *c, const struct mpi_args *args,
    bool root)
{
	struct mpi_blocks to = mpi_collective_blocks(args, false);

	if (root)
		return mpi_collective_send_blocks(c, &to);
	c->received = mpi_collective_block(args, true);
	return 0;
}

static MPI_INLINE uint64_t
mpi_collective_allgatherv(const struct mpi_collective *c,
    const struct mpi_args *args)
{
	struct mpi_blocks from = mpi_collective_blocks(args, true);

	return mpi_collective_send_same(c,
	    args->in_place ? mpi_blocks_bytes(&from, c->comm->rank) :
			     mpi_collective_block(args, false));
}

/*
 * Returns the bytes of one pair of a call that MPI accepted, or the sum of the
 * bytes that it sends if it has a count per peer.  The root of a Gather, and
 * all processes but the root of a Scatter, use the arguments of the receiving
 * side.
 *
 * root	the caller is the root
 */
static MPI_INLINE uint64_t
mpi_collective_bytes(struct mpi_collective *c, const struct mpi_args *args,
    unsigned shape, bool root)
{
	struct mpi_blocks blocks = mpi_collective_blocks(args,
	    shape == MPI_SHAPE_ALLTOALLV && args->in_place);

	if (shape >= MPI_SHAPE_GATHERV && c->comm->peers == 1 &&
	    !c->comm->inter)
		return 0; /* the only process */
	switch (shape) {
	case MPI_SHAPE_NOTHING:
		return 0;
	case MPI_SHAPE_BLOCK:
		return mpi_collective_block(args, args->in_place);
	case MPI_SHAPE_GATHER:
		return mpi_collective_block(args, root);
	case MPI_SHAPE_SCATTER:
		return mpi_collective_block(args, !root);
	case MPI_SHAPE_GATHERV:
		return mpi_collective_gatherv(c, args, root);
	case MPI_SHAPE_SCATTERV:
		return mpi_collective_scatterv(c, args, root);
	case MPI_SHAPE_ALLGATHERV:
		return mpi_collective_allgatherv(c, args);
	case MPI_SHAPE_ALLTOALLV:
	case MPI_SHAPE_REDUCE_SCATTER:
		return mpi_collective_send_blocks(c, &blocks);
	default:
		return mpi_collective_block(args, false);
	}
}

/* Ends persistent calls, neighbourhood collectives, and collectives on
   intercommunicators: the slow path of the after-hook. */
void mpi_collective_end(struct mpi_call *call, const struct mpi_args *args,
    bool rooted);

/* Copies the members that mpi_collective_end uses, so that the call and its
   arguments stay in registers if it is not called. */
static MPI_INLINE void
mpi_collective_after_other(struct mpi_call *call, const struct mpi_args *args,
    bool rooted)
{
	struct mpi_call same = *call;
	struct mpi_args copy;

	copy.in_place = args->in_place;
	copy.count = args->count;
	copy.count2 = args->count2;
	copy.type = args->type;
	copy.type2 = args->type2;
	copy.peer = args->peer;
	copy.comm = args->comm;
	copy.counts = args->counts;
	copy.counts2 = args->counts2;
	copy.types = args->types;
	copy.types2 = args->types2;
	copy.count_width = args->count_width;
	copy.requests = args->requests;
	copy.request_count = args->request_count;
	copy.fortran = args->fortran;
	mpi_collective_end(&same, &copy, rooted);
	call->peer = same.peer;
	call->bytes = same.bytes;
	call->match = same.match;
}

static MPI_INLINE void
mpi_collective_after(struct mpi_call *call, const struct mpi_args *args,
    int result, bool rooted)
{
	const unsigned how = mpi_shape(call->function);
	const unsigned shape = how & MPI_SHAPE_OF;
	struct mpi_collective c = { .comm = (struct mpi_comm *)args->other };
	uint64_t bytes;

	if (__builtin_expect(result != 0 || c.comm == NULL, 0))
		return;
	if (how & MPI_SHAPE_PERSISTENT || shape >= MPI_SHAPE_NEIGHBOR ||
	    __builtin_expect(c.comm->inter, 0)) {
		mpi_collective_after_other(call, args, rooted);
		return;
	}
	if (call->mode & ES_MODE_MATRIX)
		c.thread = call->thread;
	bytes =
	    mpi_collective_bytes(&c, args, shape, call->flags & ES_MPI_ROOT);
	call->bytes = bytes + c.received;
	if (mpi_shape_has_sources(shape) && call->mode & ES_MODE_TRACE) {
		const struct mpi_blocks from =
		    mpi_collective_blocks(args, shape == MPI_SHAPE_ALLTOALLV);

		call->peer = mpi_collective_sources_of(call->thread, c.comm,
		    &from, shape);
	}
	if (call->mode & ES_MODE_MATRIX)
		mpi_count_collective(call->thread,
		    call->comm | (uint64_t)call->function << 32,
		    rooted ? args->peer : ES_MPI_ROOT_NONE, bytes);
	/* The first test is a constant; the second tells the compiler that
	   requests exist. */
	if ((how & MPI_SHAPE_NONBLOCKING) && args->requests != NULL)
		mpi_request_made_inline(call, args, MPI_REQUEST_COLLECTIVE);
}

#define MPI_HOOKS(role, rooted) \
	static MPI_INLINE void mpi_##role##_before(struct mpi_call *call, \
	    struct mpi_args *args) \
	{ \
		if (rooted) \
			mpi_collective_before_rooted(call, args); \
		else \
			(void)mpi_collective_before(call, args); \
	} \
	static MPI_INLINE void mpi_##role##_after(struct mpi_call *call, \
	    struct mpi_args *args, int result) \
	{ \
		mpi_collective_after(call, args, result, rooted); \
	}

MPI_HOOKS(barrier, false)
MPI_HOOKS(n_to_n, false)
MPI_HOOKS(scan, false)
MPI_HOOKS(neighbor, false)
MPI_HOOKS(one_to_n, true)
MPI_HOOKS(n_to_one, true)

#undef MPI_HOOKS

/* Counts one start of a persistent collective, and sets the tag of its request
   to the number of starts. */
void mpi_collective_started(struct mpi_call *call, struct mpi_request *request);

#endif
